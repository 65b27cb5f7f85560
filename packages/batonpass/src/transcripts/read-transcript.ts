import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Conversation } from '../core/conversation.ts';
import { HandoffError, ParseError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { ClaudeCodeReader } from './claude-code.ts';
import { isClaudeCodeRow } from './claude-code-rows.ts';
import { asObject, parseLine } from './json-value.ts';
import { maskConversation } from './mask-conversation.ts';
import { findMessages, readMessages } from './messages-json.ts';
import { readLines, type TranscriptLine } from './transcript-lines.ts';
import { countUnread, type Unread } from './unread.ts';

/** A transcript on disk, or its text with the name that errors call it by. */
export type TranscriptSource = { path: string } | { text: string; name: string };

const knownFormats = [
  'Give a Claude Code transcript: a .jsonl file below ~/.claude/projects.',
  'Give messages as JSON: {"messages": [{"role": "user", "content": "…"}]}, or the list alone.',
];

/**
 * Reads a transcript; its format is told by its content. What cannot be read is counted in `unread`, and every
 * secret is masked before the conversation leaves here.
 *
 * @throws HandoffError `file_not_found`, `invalid_input` for a folder or binary file, `too_large` for messages JSON above
 * `limits.transcript_line_bytes_max`.
 * @throws ParseError where nothing in it is a conversation.
 */
export async function readTranscript(source: TranscriptSource): Promise<Conversation> {
  const name = 'path' in source ? source.path : source.name;
  const text = await readWhole(source, name);
  const conversation = text === undefined ? await readRows(source, name) : parseMessages(text, name);
  return maskConversation(conversation);
}

/** The whole text where it is one JSON document; nothing where it is read row by row. */
async function readWhole(source: TranscriptSource, name: string): Promise<string | undefined> {
  if ('path' in source) await assertReadable(source.path);
  for await (const line of readLines(openChunks(source))) {
    if (line.text === undefined) return undefined;
    if (line.text.includes('\0')) throw binaryFile(name);
    if (line.text.trim() === '') continue;
    const first = parseLine(line.text);
    const object = asObject(first);
    const isDocument = object === undefined ? /^\s*[[{]/.test(line.text) : findMessages(object) !== undefined;
    // A document over several lines opens with a bracket; a broken first row has more behind it.
    const opens = first !== undefined || /^\s*(?:\[|\{\s*$|\{\s*"(?:messages|id|session|title)")/.test(line.text);
    return isDocument && opens ? readAll(source, name) : undefined;
  }
  return undefined;
}

async function readAll(source: TranscriptSource, name: string): Promise<string> {
  if (!('path' in source)) return source.text;
  const { size } = await stat(source.path);
  if (size > limits.transcript_line_bytes_max) {
    throw new HandoffError(
      'too_large',
      `The messages in ${name} have ${size} bytes; ${limits.transcript_line_bytes_max} are the most.`,
      {
        details: { bytes: size, bytes_max: limits.transcript_line_bytes_max },
        alternatives: ['Give the last part of the conversation as a file of its own.'],
      },
    );
  }
  return await readFile(source.path, 'utf8');
}

function parseMessages(text: string, name: string): Conversation {
  const unread: Unread = { lines: 0, reasons: {} };
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const position = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    const line = text.slice(0, position).split('\n').length;
    throw new ParseError(
      `The messages in ${name} are not JSON, line ${line}: the document breaks off or has an error there.`,
      {
        source: name,
        line,
        alternatives: knownFormats,
        cause,
      },
    );
  }
  const list = findMessages(document);
  const conversation = list === undefined ? undefined : readMessages(document, list, unread);
  if (conversation === undefined || conversation.messages.length === 0) throw nothingReadable(name, 1, unread);
  return conversation;
}

async function readRows(source: TranscriptSource, name: string): Promise<Conversation> {
  const unread: Unread = { lines: 0, reasons: {} };
  const reader = new ClaudeCodeReader(unread);
  let last = 0;
  for await (const line of readLines(openChunks(source))) {
    last = line.number;
    readLine(line, reader, unread);
  }
  const conversation = reader.finish();
  if (conversation.messages.length === 0) throw nothingReadable(name, last, unread);
  return conversation;
}

function readLine(line: TranscriptLine, reader: ClaudeCodeReader, unread: Unread): void {
  if (line.text === undefined) {
    countUnread(unread, 'line too long');
    return;
  }
  if (line.text.trim() === '') return;
  const value = parseLine(line.text);
  const row = asObject(value);
  if (value === undefined) countUnread(unread, line.ended ? 'line is not JSON' : 'last line is torn');
  else if (row === undefined || !isClaudeCodeRow(row)) countUnread(unread, 'not a row of a transcript');
  else reader.add(row);
}

function openChunks(source: TranscriptSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return 'path' in source ? createReadStream(source.path) : [new TextEncoder().encode(source.text)];
}

async function assertReadable(path: string): Promise<void> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
      throw new HandoffError('file_not_found', `Transcript not found: ${path} does not exist.`, {
        details: { path },
        alternatives: ['List the transcripts of this project: baton sessions'],
        cause,
      });
    }
    throw new HandoffError('unavailable', `The transcript cannot be read: ${path} (${cause.code}).`, {
      details: { path },
      cause,
    });
  });
  if (!found.isFile()) {
    throw new HandoffError(
      'invalid_input',
      `A transcript is a file: ${path} is ${found.isDirectory() ? 'a folder' : 'none'}.`,
      {
        details: { path },
        alternatives: ['Name the transcript file itself.', 'List the transcripts of this project: baton sessions'],
      },
    );
  }
}

function binaryFile(name: string): HandoffError {
  return new HandoffError('invalid_input', `A transcript is text: ${name} is a binary file.`, {
    details: { name },
    alternatives: knownFormats,
  });
}

function nothingReadable(name: string, lines: number, unread: Unread): ParseError {
  const what = lines === 0 ? 'is empty' : 'holds no message of a known format';
  return new ParseError(`No conversation found: ${name} ${what}.`, {
    source: name,
    line: Math.max(1, lines),
    details: { unread },
    alternatives: knownFormats,
  });
}
