/**
 * How Baton is installed: from a clone or a tarball. No text names a package of a registry: Baton is not published yet, and
 * anybody could register the name and run code on the reader's machine.
 */
export const howToInstall =
  'npm install --global ./packages/batonpass in a clone of Baton, or npm install --global ./batonpass-VERSION.tgz';
