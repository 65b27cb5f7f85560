import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Conversation } from '../core/conversation.ts';
import { HandoffError, ParseError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { ClaudeCodeReader } from './claude-code.ts';
import { maskConversation } from './mask-conversation.ts';
import { findMessages, readMessages } from './messages-json.ts';
import { assertTranscriptFile, isMessagesDocument, knownFormats, nothingReadable } from './transcript-format.ts';
import { readLines } from './transcript-lines.ts';
import type { Unread } from './unread.ts';

/** A transcript on disk, or its text with the name that errors call it by. */
export type TranscriptSource = { path: string } | { text: string; name: string };

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
  if ('path' in source) await assertTranscriptFile(source.path);
  if (!(await isMessagesDocument(openChunks(source), name))) return await readRows(source, name);
  return maskConversation(parseMessages(await readAll(source, name), name));
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
  const reader = new ClaudeCodeReader();
  let last = 0;
  for await (const line of readLines(openChunks(source))) {
    last = line.number;
    reader.addLine(line);
  }
  const conversation = reader.finish();
  if (conversation.messages.length === 0) throw nothingReadable(name, last, conversation.unread);
  return conversation;
}

function openChunks(source: TranscriptSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return 'path' in source ? createReadStream(source.path) : [new TextEncoder().encode(source.text)];
}
