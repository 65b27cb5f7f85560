import { stat } from 'node:fs/promises';
import { HandoffError, ParseError } from '../core/errors.ts';
import { type TranscribedHost, transcribedHosts } from '../core/hosts.ts';
import { isAiderStart } from './aider.ts';
import { opensClaudeCodeExport, showsCall } from './claude-code-export.ts';
import { opensCopilotMarkdown } from './copilot-markdown.ts';
import { isCursorRow } from './cursor-rows.ts';
import { opensGeminiMarkdown } from './gemini-markdown.ts';
import { hostTranscripts } from './host-transcripts.ts';
import { asObject, type JsonObject, parseLine } from './json-value.ts';
import { isMessageRow, isWrappedMessage } from './message-rows.ts';
import { isStored, storedSession } from './opencode-store.ts';
import { readRoleHeading } from './role-headings.ts';
import { readLines } from './transcript-lines.ts';
import { unreadable } from './transcript-source.ts';
import type { Unread } from './unread.ts';

/** The format of a transcript, independent of its host. */
export type TranscriptFormat =
  | TranscribedHost
  | 'cursor-rows'
  | 'message-rows'
  | 'json-document'
  | 'aider'
  | 'claude-code-export'
  | 'copilot-markdown'
  | 'gemini-markdown'
  | 'markdown';

/** What the errors about a transcript of no known format advise. */
export const knownFormats = [
  'Give a Claude Code transcript: a .jsonl file below ~/.claude/projects, or what its /export writes.',
  'Give a Codex rollout, a chat file of Gemini CLI (~/.gemini/tmp/PROJECT/chats) or what its /chat share writes, the events.jsonl of Copilot CLI or what its /share writes, a session of OpenCode (opencode.db/ses_…), an export of SpecStory, Cursor or ChatGPT, a task of Cline or Roo Code, a session of pi, the chat history of aider, or Markdown with a heading for each speaker.',
  'VS Code’s own chat.json is not read: export the chat with SpecStory, or copy it as Markdown.',
  'Give messages as JSON: {"messages": [{"role": "user", "content": "…"}]}, or the list alone.',
];

/** This much of a transcript is read to recognize its format, its first line whole: torn rows and titles come first. */
const headCharactersMax = 256 * 1024;

/**
 * Recognizes a transcript's format by its content. Any other text is taken for rows of Claude Code, whose reader then counts
 * every line as unread.
 *
 * @throws HandoffError `invalid_input` for a binary file.
 */
export async function detectFormat(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): Promise<TranscriptFormat> {
  let characters = 0;
  let isFirst = true;
  let first: string | undefined;
  let before = '';
  for await (const { text, ended } of readLines(chunks)) {
    // A first line above the limit is a document, or a row before other rows.
    if (text === undefined) {
      if (isFirst && !ended) return 'json-document';
      isFirst = false;
      first = '';
      continue;
    }
    if (isFirst && text.includes('\0')) throw binaryFile(name);
    if (text.trim() === '') continue;
    if (opensClaudeCodeExport(text, first) || showsCall(text, before)) return 'claude-code-export';
    first ??= text;
    before = text;
    const format = ofRow(text) ?? (isFirst && opensDocument(text) ? 'json-document' : ofText(text));
    if (format !== undefined) return format;
    isFirst = false;
    characters += text.length;
    if (characters > headCharactersMax) break;
  }
  return 'claude-code';
}

/** The format of a whole JSON object on a line of its own; nothing for what is no row of any. */
function ofRow(text: string): TranscriptFormat | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const row = asObject(parseLine(text));
  if (row === undefined) return undefined;
  if (isCursorRow(row)) return 'cursor-rows';
  if (isWrappedMessage(row)) return 'message-rows';
  // The first host's rows are the loosest, so it is tried last.
  const host = transcribedHosts.findLast((each) => hostTranscripts[each].isRow(row));
  if (host !== undefined) return host;
  if (isMessageRow(row)) return 'message-rows';
  return holdsConversations(row) ? 'json-document' : undefined;
}

const documentFields = [
  'messages',
  'mapping',
  'conversation',
  'conversations',
  'conversationMap',
  'bubbles',
  'tabs',
  'composers',
  'allComposers',
];

function holdsConversations(row: JsonObject): boolean {
  return documentFields.some((field) => Object.hasOwn(row, field) && typeof row[field] === 'object');
}

/** A document over several lines opens with a bracket; a broken first row has more after it. */
function opensDocument(text: string): boolean {
  if (/^\s*(?:\[|\{\s*$)/.test(text)) return true;
  return new RegExp(`^\\s*\\{\\s*"(?:id|session|sessionId|title|conversation_id|${documentFields.join('|')})"`).test(
    text,
  );
}

function ofText(text: string): TranscriptFormat | undefined {
  if (isAiderStart(text)) return 'aider';
  if (opensCopilotMarkdown(text)) return 'copilot-markdown';
  if (opensGeminiMarkdown(text)) return 'gemini-markdown';
  return readRoleHeading(text) === undefined && !text.startsWith('<!-- Generated by SpecStory')
    ? undefined
    : 'markdown';
}

/**
 * Ends quietly for a file that is there.
 *
 * @throws HandoffError `file_not_found`, `unavailable`, and `invalid_input` for a folder or a device.
 */
export async function assertTranscriptFile(path: string): Promise<void> {
  const stored = storedSession(path);
  if (stored !== undefined) {
    if (await isStored(stored)) return;
    throw unreadable(path, Object.assign(new Error('There is no such session.'), { code: 'ENOENT' }));
  }
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
