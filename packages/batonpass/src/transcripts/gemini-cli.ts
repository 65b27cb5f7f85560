import type { Conversation, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asObjects, asText, type JsonObject, parseLine } from './json-value.ts';
import { describeAnswer, describeQuestions } from './question-tool.ts';
import { readCommand, readOutcome, readPrinted, readToolCall } from './tool-calls.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';
import { countUnread, type Unread } from './unread.ts';

/** What a row with an id holds: a message, or a line that the host showed to the person. */
const rowTypes: ReadonlySet<string> = new Set(['user', 'gemini', 'info', 'warning', 'error']);

/** Whether an object is a row of a chat file of Gemini CLI, by its fields alone. */
export function isGeminiRow(row: JsonObject): boolean {
  if (asText(row.sessionId) !== undefined && asText(row.projectHash) !== undefined) return true;
  if (asObject(row.$set) !== undefined || asText(row.$rewindTo) !== undefined) return true;
  return asText(row.id) !== undefined && rowTypes.has(asText(row.type) ?? '') && 'content' in row;
}

/**
 * Takes the rows of a chat file of Gemini CLI. A row replaces an earlier one with its id; a list of all
 * messages, which the host writes at the start and after a compression, is the model's view and no part of the conversation.
 */
export class GeminiReader implements TranscriptReader {
  private readonly conversation = new ConversationBuilder('gemini-cli');
  /** The ids of the messages and calls that are in the conversation. */
  private readonly seen = new Set<string>();
  /** The messages in the row of the session's facts. */
  private listed: JsonObject[] = [];
  /** The ids of the person's messages, in order. */
  private prompts: string[] = [];

  /** What could not be read so far. */
  get unread(): Unread {
    return this.conversation.unread;
  }

  addLine(line: ReadLine): void {
    const problem = this.readLine(line);
    if (problem !== undefined) countUnread(this.unread, problem);
  }

  async finish(): Promise<Conversation> {
    // Older chats are one document, which may be one line.
    if (this.conversation.size === 0) for (const message of this.listed) this.readMessage(message);
    return await this.conversation.finish();
  }

  private readLine(line: ReadLine): string | undefined {
    const row = parseRow(line);
    return row === undefined || typeof row === 'string' ? row : this.readRow(row);
  }

  /** Adds one row: the facts of the session, a message, or a change of either. Says what could not be read. */
  readRow(row: JsonObject): string | undefined {
    const rewound = asText(row.$rewindTo);
    if (rewound !== undefined) return this.rewind(rewound);
    const whole = asObject(row.$set) ?? (asText(row.projectHash) === undefined ? undefined : row);
    if (whole !== undefined) return this.readFacts(whole);
    return this.readMessage(row);
  }

  private readFacts(facts: JsonObject): undefined {
    const { conversation } = this;
    conversation.session ??= asText(facts.sessionId);
    // What the session was about, as the host's model says it at its end.
    conversation.title = asText(facts.summary) ?? conversation.title;
    this.listed = asObjects(facts.messages);
    for (const { id, type, content } of this.listed) {
      const text = listTexts(content).join('\n');
      conversation.cwd ??= workspacePattern.exec(text)?.groups?.folder;
      const isSummary = type === 'user' && text.trimStart().startsWith('<state_snapshot>');
      if (isSummary && this.isNew(asText(id))) conversation.say({ role: 'system', text: text.trim() });
    }
  }

  private readMessage(row: JsonObject): string | undefined {
    const type = asText(row.type) ?? '';
    const id = asText(row.id);
    const at = readInstant(row.timestamp);
    if (!rowTypes.has(type)) return type === '' ? 'not a row of a transcript' : `unknown row "${type.slice(0, 40)}"`;
    if (type === 'user') return this.readPrompt(row, id, at);
    if (type === 'gemini') return this.readAnswer(row, id, at);
    if (row.content === 'Request cancelled.') this.conversation.interrupted = true;
    return undefined;
  }

  private readPrompt(row: JsonObject, id: string | undefined, at: string | undefined): undefined {
    const text = listSpoken(row).join('\n\n').trim();
    if (text === '' || !this.isNew(id)) return;
    this.prompts.push(id ?? '');
    const { conversation } = this;
    const ran = readShellMode(text, conversation.cwd);
    if (ran !== undefined) {
      conversation.use([ran], { at });
      return;
    }
    conversation.say({ role: 'user', text, at });
    const read = (path: string) => readToolCall('read_file', { path }, conversation.cwd);
    conversation.use(listReferenced(row).map(read), { at });
  }

  private readAnswer(row: JsonObject, id: string | undefined, at: string | undefined): undefined {
    const text = listTexts(row.content).join('\n').trim();
    if (text !== '' && this.isNew(id)) this.conversation.say({ role: 'assistant', text, at });
    for (const call of asObjects(row.toolCalls)) this.readCall(call, at);
  }

  private readCall(call: JsonObject, at: string | undefined): void {
    const { conversation } = this;
    const id = asText(call.id);
    const name = asText(call.name) ?? 'unknown';
    const args = asObject(call.args) ?? {};
    const isQuestion = name === 'ask_user';
    if (this.isNew(id)) {
      const asked = isQuestion ? describeQuestions(args) : '';
      if (asked !== '') conversation.say({ role: 'assistant', text: asked, at });
      conversation.use([readToolCall(name, args, conversation.cwd)], { id, at });
    }
    const outcome = readResult(call);
    if (outcome === undefined || id === undefined) return;
    conversation.conclude(id, outcome);
    const answers = isQuestion ? describeAnswersByPlace(args, asObject(parseLine(outcome.text))) : '';
    // Only the host's own tool carries the person's words, and once.
    if (answers !== '' && this.isNew(`${id} answered`)) conversation.say({ role: 'user', text: answers, at });
  }

  /** A message that the person undoes is removed with all that followed it. */
  private rewind(id: string): undefined {
    const from = this.prompts.indexOf(id);
    const kept = from === -1 ? 0 : from;
    this.conversation.removeTurns(this.prompts.length - kept);
    this.prompts = this.prompts.slice(0, kept);
  }

  private isNew(id: string | undefined): boolean {
    if (id === undefined || this.seen.has(id)) return false;
    this.seen.add(id);
    return true;
  }
}

/** The folder in the host's first message to the model. */
const workspacePattern =
  /^(?:<session_context>|This is the (?:Gemini CLI|Qwen Code)\. )[\s\S]*?(?:\*\*Workspace Directories:\*\*\n\s+- |I'm currently working in the directory: )(?<folder>[^\n]+)/;

/** How texts begin that the host adds to a prompt, writes for what a tool gave, or says in the person's name. */
const added =
  /^\s*(?:<(?:session_context|hook_context|state_snapshot)>|\[Function Response: [\w-]{1,80}\]|This is the (?:Gemini CLI|Qwen Code)\. We are setting up the context for our chat\.|Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context(?:, in JSON format)?)\. This is for your information only\.|System: Please continue\.\s*$)/;

/** The person's text in a row, without what the host and hooks added to it. */
export function listSpoken(row: JsonObject): string[] {
  if (asObjects(row.content).some((part) => part.functionResponse !== undefined)) return [];
  return withoutReferenced(listTexts(row.displayContent ?? row.content).filter((text) => !added.test(text)));
}

/** Between these lines the host adds the contents of the files that a prompt names with `@`, each under a line of its own. */
const referenced = { opens: '--- Content from referenced files ---', ends: '--- End of content ---' } as const;
const referencedFile = /^\s*Content from @?(?<path>\S[^\n]*):\s*$/;

/** The texts without the contents of referenced files: a file may contain any line, so that the last end counts. */
function withoutReferenced(texts: string[]): string[] {
  const first = texts.findIndex((text) => text.includes(referenced.opens));
  if (first === -1) return texts;
  const last = texts.findLastIndex((text) => text.includes(referenced.ends));
  const [before = ''] = texts[first]?.split(referenced.opens) ?? [];
  const after = last < first ? '' : (texts[last]?.split(referenced.ends).at(-1) ?? '');
  const rest = last < first ? [] : texts.slice(last + 1);
  return [...texts.slice(0, first), before.trimEnd(), after.trimStart(), ...rest].filter((text) => text.trim() !== '');
}

/** The files whose contents the host added to a prompt. */
function listReferenced(row: JsonObject): string[] {
  const texts = listTexts(row.content);
  const from = texts.findIndex((text) => text.trim() === referenced.opens);
  if (from === -1) return [];
  return texts.slice(from).flatMap((text) => referencedFile.exec(text)?.groups?.path ?? []);
}

function listTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return asObjects(content).flatMap(({ text }) => asText(text) ?? []);
}

/** How the host writes down what the person ran in its shell mode, in the person's name. */
const shellMode = {
  opens: 'I ran the following shell command:\n```sh\n',
  between: '\n```\n\nThis produced the following result:\n```\n',
  ends: '\n```',
} as const;

/** The command that the person ran in the shell mode of the host, if a message is one. */
function readShellMode(text: string, cwd: string | undefined): ToolCall | undefined {
  const { opens, between, ends } = shellMode;
  const at = text.startsWith(opens) && text.endsWith(ends) ? text.indexOf(between) : -1;
  if (at === -1) return undefined;
  const printed = text.slice(at + between.length, -ends.length).trim();
  const code = /^Command exited with code (?<code>\d{1,3})\./.exec(printed)?.groups?.code;
  const outcome =
    code === undefined
      ? readPrinted(printed, false)
      : { ...readOutcome(printed, code !== '0'), exit_code: Number(code) };
  return { ...readCommand('run_shell_command', text.slice(opens.length, at), cwd), outcome };
}

/** What hooks gave to the model in a row: a message that is nothing else, or the last part of a prompt. */
export function readHookContext(row: JsonObject): string | undefined {
  if (row.type !== 'user') return undefined;
  const parts = asObjects(row.content);
  const last = asText(parts.at(-1)?.text);
  if (last === undefined || (parts.length > 1 && row.displayContent === undefined)) return undefined;
  const inner = /^<hook_context>(?<text>[\s\S]*)<\/hook_context>$/.exec(last)?.groups?.text;
  return inner === undefined ? undefined : inner.replace(/&(lt|gt|amp);/g, (_all, name: string) => signs[name] ?? '');
}

const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' };

/** What a tool gave, without the frame around what a command printed. */
function readResult({ result, status }: JsonObject): ToolOutcome | undefined {
  const response = asObject(asObject(asObjects(result)[0]?.functionResponse)?.response);
  if (response === undefined) return undefined;
  const failure = asText(response.error);
  const text = failure ?? asText(response.output) ?? JSON.stringify(response);
  const shown = framePattern.exec(text)?.groups?.inner ?? text;
  const code = /^Exit Code: (?<code>\d{1,3})$/m.exec(shown)?.groups?.code;
  // Older versions repeat the command and its folder above.
  const from = shown.startsWith('Command: ') ? shown.indexOf('\nOutput: ') + 1 : 0;
  const printed = shown
    .slice(from)
    .replace(/^Output: /, '')
    .replace(/\n?^(?:Exit Code|Process Group PGID|Signal|Background PIDs|Error): (?:\d+|\(none\))$/gm, '');
  const outcome = readOutcome(printed.trim(), failure !== undefined || status === 'error');
  return code === undefined ? outcome : { ...outcome, is_error: code !== '0', exit_code: Number(code) };
}

const framePattern = /^<untrusted_context>\n(?<inner>[\s\S]*)\n<\/untrusted_context>$/;

/** The answers of the host's question tool, which names them by their place. */
function describeAnswersByPlace(args: JsonObject, output: JsonObject | undefined): string {
  const answers = asObject(output?.answers) ?? {};
  return asObjects(args.questions)
    .map(({ question }, place) => describeAnswer(asText(question) ?? '', asText(answers[String(place)])))
    .filter((line) => line !== '')
    .join('\n');
}
