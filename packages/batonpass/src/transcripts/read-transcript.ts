import type { Conversation } from '../core/conversation.ts';
import { AiderReader } from './aider.ts';
import { ClaudeCodeReader } from './claude-code.ts';
import { ClaudeCodeExportReader } from './claude-code-export.ts';
import { readSubagents } from './claude-code-subagents.ts';
import { CodexReader } from './codex.ts';
import { assertChosen, type Choice } from './conversation-choice.ts';
import { CopilotReader } from './copilot-cli.ts';
import { CopilotMarkdownReader } from './copilot-markdown.ts';
import { CursorRowsReader } from './cursor-rows.ts';
import { GeminiReader } from './gemini-cli.ts';
import { GeminiMarkdownReader } from './gemini-markdown.ts';
import { readJsonDocument } from './json-document.ts';
import { MessageRowsReader } from './message-rows.ts';
import { OpenCodeReader } from './opencode.ts';
import { RoleMarkdownReader } from './role-markdown.ts';
import { assertTranscriptFile, detectFormat, nothingReadable, type TranscriptFormat } from './transcript-format.ts';
import { forEachLine } from './transcript-lines.ts';
import type { TranscriptReader } from './transcript-reader.ts';
import { openChunks, type TranscriptSource } from './transcript-source.ts';

/**
 * Reads a transcript; its format is recognized by its content. What cannot be read is counted in `unread`, and every
 * secret is masked before the conversation leaves here. The file is read twice at most, and held a line at a time.
 *
 * @param choice - which conversation of a file that holds several; default the newest that has a prompt.
 * @throws HandoffError `file_not_found`, `invalid_input` for a folder, a binary file, or a named conversation that is not
 * there.
 * @throws AbortError where the signal aborts.
 * @throws ParseError where nothing in it is a conversation.
 */
export async function readTranscript(
  source: TranscriptSource,
  choice: Choice = {},
  signal?: AbortSignal,
): Promise<Conversation> {
  const name = 'path' in source ? source.path : source.name;
  if ('path' in source) await assertTranscriptFile(source.path);
  const format = await detectFormat(openChunks(source, signal), name);
  if (format === 'json-document') return await readJsonDocument(source, name, { choice, signal });
  if (format !== 'aider') assertChosen(undefined, choice, () => ['one conversation alone']);
  const reader = await readers[format](source, choice);
  let last = 0;
  await forEachLine(openChunks(source, signal), (line) => {
    last = line.number;
    reader.addLine(line);
  });
  const conversation = await reader.finish();
  if (conversation.messages.length === 0) throw nothingReadable(name, last, conversation.unread);
  return conversation;
}

/** The reader of each format. */
const readers: Readonly<
  Record<
    Exclude<TranscriptFormat, 'json-document'>,
    (source: TranscriptSource, choice: Choice) => TranscriptReader | Promise<TranscriptReader>
  >
> = {
  'claude-code': async (source) => {
    const subagents = 'path' in source ? Object.values(await readSubagents(source.path)) : [];
    return new ClaudeCodeReader({ subagents: subagents.map(({ work }) => work) });
  },
  codex: () => new CodexReader(),
  'gemini-cli': () => new GeminiReader(),
  'copilot-cli': () => new CopilotReader(),
  'claude-code-export': () => new ClaudeCodeExportReader(),
  'copilot-markdown': () => new CopilotMarkdownReader(),
  'gemini-markdown': () => new GeminiMarkdownReader(),
  opencode: () => new OpenCodeReader(),
  'cursor-rows': () => new CursorRowsReader(),
  'message-rows': () => new MessageRowsReader(),
  aider: (_source, choice) => new AiderReader(choice),
  markdown: () => new RoleMarkdownReader(),
};
