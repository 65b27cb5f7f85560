import { open, readFile } from 'node:fs/promises';
import { readStoredRows, storedSession } from './opencode-store.ts';

/** A transcript on disk, or its text with the name that errors call it by. */
export type TranscriptSource = { path: string } | { text: string; name: string };

/** Bytes read at once. */
const chunkBytes = 256 * 1024;

/** The bytes of a transcript, from its start. A chunk is good until the next is asked for: all share one buffer. */
export function openChunks(source: TranscriptSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if ('text' in source) return [new TextEncoder().encode(source.text)];
  const stored = storedSession(source.path);
  return stored === undefined ? readChunks(source.path) : readRows(stored);
}

async function* readRows(stored: NonNullable<ReturnType<typeof storedSession>>): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(await readStoredRows(stored));
}

/** A stream would make a buffer for each chunk, which stay until memory is short. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** All of a transcript's text. */
export async function readWhole(source: TranscriptSource): Promise<string> {
  return 'path' in source ? await readFile(source.path, 'utf8') : source.text;
}
