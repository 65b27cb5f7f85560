/**
 * How Baton is installed: from what the reader has, a clone or a tarball. No text names a package of a registry: until one is
 * published, whoever registers the name would run code.
 */
export const howToInstall =
  'npm install --global ./packages/batonpass in a clone of Baton, or npm install --global ./batonpass-VERSION.tgz';
