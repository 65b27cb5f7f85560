import { open, readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '../core/aborted.ts';
import { HandoffError } from '../core/errors.ts';
import { readStoredRows, storedSession } from './opencode-store.ts';

/** A transcript on disk, or its text with the name that errors call it by. */
export type TranscriptSource = { path: string } | { text: string; name: string };

/** Bytes read at once. */
const chunkBytes = 256 * 1024;

/**
 * The bytes of a transcript, from its start. A chunk is good until the next is asked for: all share one buffer. Between
 * two chunks other events are let in.
 *
 * @throws AbortError before the next chunk where the signal aborts; HandoffError as `unreadable` says, also for a file that
 * was there when its format was asked for.
 */
export async function* openChunks(source: TranscriptSource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const stored = 'text' in source ? undefined : storedSession(source.path);
  const chunks = 'text' in source ? splitText(source.text) : stored ? readRows(stored) : readChunks(source.path);
  for await (const chunk of chunks) {
    if (signal !== undefined) throwIfAborted(signal, 'Reading');
    yield chunk;
  }
}

async function* splitText(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.byteLength; start += chunkBytes) {
    await setImmediate();
    yield bytes.subarray(start, start + chunkBytes);
  }
}

async function* readRows(stored: NonNullable<ReturnType<typeof storedSession>>): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(await readStoredRows(stored));
}

/** A stream would make a buffer for each chunk, which stay until memory is short. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(path, cause);
  });
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

/** The error for a transcript that is not there or cannot be opened. */
export function unreadable(path: string, cause: NodeJS.ErrnoException): HandoffError {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
    return new HandoffError('file_not_found', `Transcript not found: ${path} does not exist.`, {
      details: { path },
      alternatives: ['List the transcripts of this project: baton sessions'],
      cause,
    });
  }
  return new HandoffError('unavailable', `The transcript cannot be read: ${path} (${cause.code}).`, {
    details: { path },
    cause,
  });
}
