import { stat } from 'node:fs/promises';
import type { Conversation } from '../core/conversation.ts';
import { ParseError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { chatGptTimeOf, hasChatGptPrompt, isChatGptConversation, readChatGptConversation } from './chatgpt.ts';
import { assertChosen, type Choice } from './conversation-choice.ts';
import { cursorTimeOf, hasCursorPrompt, isCursorConversation, readCursorConversation } from './cursor-json.ts';
import { GeminiReader, isGeminiRow } from './gemini-cli.ts';
import { splitJson } from './json-elements.ts';
import { asObject, asText, type JsonObject, parseLine } from './json-value.ts';
import { isMessage, MessagesReader } from './messages-json.ts';
import { isOpenCodeRow, OpenCodeReader } from './opencode.ts';
import { knownFormats, nothingReadable } from './transcript-format.ts';
import { openChunks, readWhole, type TranscriptSource } from './transcript-source.ts';
import { countUnread, type Unread } from './unread.ts';

/** Under which names documents keep their list of messages or conversations. */
const listNames: ReadonlySet<string> = new Set(['messages', 'conversations', 'composers', 'allComposers', 'tabs']);

/**
 * Reads a JSON document: messages, an export of ChatGPT, Cursor or OpenCode, a chat of Gemini CLI. A document above
 * `limits.transcript_line_bytes_max` is read entry by entry, and never held whole.
 *
 * @throws ParseError where it is not JSON, or holds no conversation.
 * @throws HandoffError `invalid_input` where a conversation was named and is not there.
 */
export async function readJsonDocument(
  source: TranscriptSource,
  name: string,
  { choice, signal }: { choice: Choice; signal: AbortSignal | undefined },
): Promise<Conversation> {
  const reader = new EntriesReader(choice);
  const bytes = 'path' in source ? (await stat(source.path)).size : 0;
  if (bytes > limits.transcript_line_bytes_max) await readInParts(openChunks(source, signal), name, reader);
  else readAtOnce(await readWhole(source), name, reader);
  const conversation = await reader.finish();
  if (conversation === undefined || conversation.messages.length === 0) throw nothingReadable(name, 1, reader.unread);
  return conversation;
}

function readAtOnce(text: string, name: string, reader: EntriesReader): void {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const position = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    throw notJson(name, text.slice(0, position).split('\n').length, cause);
  }
  const object = asObject(document);
  if (object !== undefined) reader.readAbout(object);
  const list = Array.isArray(document) ? document : listOf(object);
  for (const entry of list ?? [document]) reader.add(entry);
}

function listOf(object: JsonObject | undefined): unknown[] | undefined {
  if (object === undefined || isChatGptConversation(object) || isCursorConversation(object)) return undefined;
  for (const listName of listNames) {
    const list = Object.hasOwn(object, listName) ? object[listName] : undefined;
    if (Array.isArray(list)) return list;
  }
  return undefined;
}

async function readInParts(chunks: AsyncIterable<Uint8Array>, name: string, reader: EntriesReader): Promise<void> {
  for await (const part of splitJson(chunks, listNames)) {
    if (part.kind === 'around') {
      // Facts that come with the list are known only now; without its end the document still holds what was read.
      const about = asObject(parseLine(part.text));
      if (about !== undefined) reader.readAbout(about);
      if (!part.isWhole) reader.countUnread('document is truncated');
    } else if (part.text === undefined) reader.countUnread('entry too long');
    else {
      const value = parseLine(part.text);
      if (value === undefined) throw notJson(name, 1, undefined);
      reader.add(value);
    }
  }
}

function notJson(name: string, line: number, cause: unknown): ParseError {
  return new ParseError(
    `The messages in ${name} are not JSON, line ${line}: the document is truncated or has an error there.`,
    { source: name, line, alternatives: knownFormats, cause },
  );
}

/** One of several conversations, as it is in the document. */
interface Candidate {
  value: JsonObject;
  time: number;
  /** Whether it has a message of the user: nobody wants to continue one that was only opened. */
  hasPrompt: boolean;
  read: (value: JsonObject) => Promise<Conversation>;
}

/** How a host's conversations are read. */
interface Kind {
  timeOf: (value: JsonObject) => number;
  hasPrompt: (value: JsonObject) => boolean;
  read: Candidate['read'];
}

const chatGpt: Kind = { timeOf: chatGptTimeOf, hasPrompt: hasChatGptPrompt, read: readChatGptConversation };
const cursor: Kind = { timeOf: cursorTimeOf, hasPrompt: hasCursorPrompt, read: readCursorConversation };

/** Titles that an error about a wrong choice names. */
const titlesShown = 5;

/** Takes the entries of a document's list: messages of one conversation, or conversations, of which one is kept. */
class EntriesReader {
  readonly unread: Unread = { lines: 0, reasons: {} };
  private readonly choice: Choice;
  private readonly messages = new MessagesReader();
  private readonly openCode = new OpenCodeReader();
  private readonly gemini = new GeminiReader();
  private hasMessages = false;
  private isOpenCode = false;
  private isGemini = false;
  private kept: Candidate | undefined;
  private titles: { title: string; time: number }[] = [];
  private offered = 0;

  constructor(choice: Choice) {
    this.choice = choice;
  }

  readAbout(about: JsonObject): void {
    this.messages.readAbout(about);
    if (isOpenCodeRow({ info: about.info })) this.openCode.add({ info: about.info });
    if (isGeminiRow(about)) this.gemini.readRow(about);
  }

  add(entry: unknown): void {
    if (isChatGptConversation(entry)) this.offer(entry as JsonObject, chatGpt);
    else if (isCursorConversation(entry)) this.offer(entry as JsonObject, cursor);
    else if (isOpenCodeRow(asObject(entry) ?? {})) {
      this.isOpenCode = true;
      this.openCode.add(entry);
    } else if (isGeminiRow(asObject(entry) ?? {})) {
      this.isGemini = true;
      this.gemini.readRow(asObject(entry) ?? {});
    } else if (isMessage(entry) || this.hasMessages) {
      this.hasMessages = true;
      this.messages.add(entry);
    } else this.countUnread('not a message');
  }

  countUnread(reason: string): void {
    countUnread(this.unread, reason);
    this.messages.countUnread(reason);
  }

  async finish(): Promise<Conversation | undefined> {
    const isNamed = this.choice.conversation !== undefined;
    if (this.isOpenCode && !isNamed) return await this.openCode.finish();
    if (this.isGemini && !isNamed) return await this.gemini.finish();
    if (this.hasMessages && this.kept === undefined && !isNamed) return await this.messages.finish();
    const newest = () => this.titles.map(({ title }) => title);
    const kept = assertChosen(this.kept, this.choice, newest);
    const conversation = await kept?.read(kept.value);
    if (conversation === undefined) return undefined;
    this.addUnread(conversation.unread);
    return this.offered > 1 ? { ...conversation, among: this.offered } : conversation;
  }

  /** What could not be read of the document is reported with the conversation that was read. */
  private addUnread(unread: Unread): void {
    for (const [reason, count] of Object.entries(this.unread.reasons)) {
      for (let left = count; left > 0; left -= 1) countUnread(unread, reason);
    }
  }

  private offer(value: JsonObject, kind: Kind): void {
    const time = kind.timeOf(value);
    this.offered += 1;
    const names = ['conversation_id', 'id', 'composerId', 'tabId', 'title', 'name', 'chatTitle'].flatMap(
      (field) => asText(value[field]) ?? [],
    );
    const { conversation } = this.choice;
    const title = asText(value.title) ?? asText(value.name) ?? names[0] ?? 'untitled';
    this.titles = [...this.titles, { title, time }].sort((a, b) => b.time - a.time).slice(0, titlesShown);
    if (conversation !== undefined && !names.includes(conversation)) return;
    const hasPrompt = kind.hasPrompt(value);
    const { kept } = this;
    // Of equal times the later one in the file counts, except in exports, which begin with the newest.
    const isBetter = kept === undefined || (hasPrompt === kept.hasPrompt ? time > kept.time : hasPrompt);
    if (isBetter) this.kept = { value, time, hasPrompt, read: kind.read };
  }
}
