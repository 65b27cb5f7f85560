/** The package's version; a test holds it equal to the package's own file. */
export const version = '0.1.0';
