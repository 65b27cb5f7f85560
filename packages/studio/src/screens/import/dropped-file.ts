import { type DragEvent, useState } from 'react';

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

/** The handlers of an element that accepts a file, and whether one is over it. An element in it may take the file. */
export function useFileDrop(onFile: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false);
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      onFile(event.dataTransfer.files[0]);
    },
  };
  return { isOver, drop };
}
