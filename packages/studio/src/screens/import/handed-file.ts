let handed: File | undefined;

/** Stores a file that was dropped on another screen, for the import to read. */
export function handFile(file: File): void {
  handed = file;
}

/** Returns the file that was dropped on another screen, once. */
export function takeHandedFile(): File | undefined {
  const file = handed;
  handed = undefined;
  return file;
}
