import { stat } from 'node:fs/promises';
import { HandoffError, ParseError } from '../core/errors.ts';
import { asObject, parseLine } from './json-value.ts';
import { findMessages } from './messages-json.ts';
import { readLines } from './transcript-lines.ts';
import type { Unread } from './unread.ts';

/** What the errors about a transcript of no known format advise. */
export const knownFormats = [
  'Give a Claude Code transcript: a .jsonl file below ~/.claude/projects.',
  'Give messages as JSON: {"messages": [{"role": "user", "content": "…"}]}, or the list alone.',
];

/**
 * Whether a stream of bytes is one JSON document of messages; any other is read row by row. Its first line that is
 * not blank decides.
 *
 * @throws HandoffError `invalid_input` for a binary file.
 */
export async function isMessagesDocument(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): Promise<boolean> {
  for await (const line of readLines(chunks)) {
    if (line.text === undefined) return false;
    if (line.text.includes('\0')) throw binaryFile(name);
    if (line.text.trim() === '') continue;
    const first = parseLine(line.text);
    const object = asObject(first);
    const isDocument = object === undefined ? /^\s*[[{]/.test(line.text) : findMessages(object) !== undefined;
    // A document over several lines opens with a bracket; a broken first row has more behind it.
    const opens = first !== undefined || /^\s*(?:\[|\{\s*$|\{\s*"(?:messages|id|session|title)")/.test(line.text);
    return isDocument && opens;
  }
  return false;
}

/**
 * Ends quietly for a file that is there.
 *
 * @throws HandoffError `file_not_found`, `unavailable`, and `invalid_input` for a folder or a device.
 */
export async function assertTranscriptFile(path: string): Promise<void> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(path, cause);
  });
  if (found.isFile()) return;
  throw new HandoffError(
    'invalid_input',
    `A transcript is a file: ${path} is ${found.isDirectory() ? 'a folder' : 'none'}.`,
    {
      details: { path },
      alternatives: ['Name the transcript file itself.', 'List the transcripts of this project: baton sessions'],
    },
  );
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

/** The error for a transcript that was read to its end and holds no message. */
export function nothingReadable(name: string, lines: number, unread: Unread): ParseError {
  const what = lines === 0 ? 'is empty' : 'holds no message of a known format';
  return new ParseError(`No conversation found: ${name} ${what}.`, {
    source: name,
    line: Math.max(1, lines),
    details: { unread },
    alternatives: knownFormats,
  });
}

function binaryFile(name: string): HandoffError {
  return new HandoffError('invalid_input', `A transcript is text: ${name} is a binary file.`, {
    details: { name },
    alternatives: knownFormats,
  });
}
