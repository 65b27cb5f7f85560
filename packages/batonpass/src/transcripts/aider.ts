import type { Conversation, ToolCall } from '../core/conversation.ts';
import { maskSecrets } from '../core/masking.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { assertChosen, type Choice } from './conversation-choice.ts';
import { addCounts } from './mask-conversation.ts';
import { readCommand } from './tool-calls.ts';
import type { ReadLine, TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

const runStart = /^# aider chat started at (?<at>.{1,60})$/;

/** Commands of aider that carry a message of the user; all others only steer it. */
const spokenCommand = /^\/(?:ask|code|architect|context|chat-mode \w+)\s+(?<words>[\s\S]+)$/;

/** Aider's own output, where an editor has cut the blanks that mark it. */
const ownWords =
  /^(?:Tokens: |Commit [0-9a-f]{7,40} |Applied edit to |Did not apply edit to |Added .+ to the chat|Removed .+ from the chat|Add .+ to the chat\?|Running |Run shell command|Aider v|Model: |Main model: |Git repo: |Repo-map: |You can skip|Creating empty file |Create new file\?|Only 3 reflections)/;

/** A command that the person gives aider itself. */
const steering = /^\/(?:add|commit|drop|git|lint|read-only|run|test|undo|web)\b.{0,500}$/;

/** How aider reports that such a command, or a part of an answer, could not be carried out. */
const refusal =
  /^(?:No files matched .+(?<!: y)$|Directory .+ is not in git|Nothing specified, nothing added|Unable to |(?:error|fatal): )/;

/** What aider prints in every session, whatever happens in it. A line that is only a path stands above a question. */
const routine =
  /^(?:\S*$|Tokens: |(?:Added|Removed|Dropping|Restored|Applied edit to|Running|Retrying in|Committing|Commit [0-9a-f]{7,40}) |(?:Git|Cur) |Repo-map: |Initial repo scan |Invalid command: |Use \/help|You can |For more info|Pass model as|hint: |cmdline: |\^C |Please answer with|File ".*", line \d)/;

/** Lines of aider's own that are kept of one answer. */
const reportsMax = 12;

/** The lines in which aider names its version, and its model with the form of its edits. */
const namesProgram = /^(?:Aider v[\d.]+|(?:Main )?[Mm]odel: .{1,200})$/;

/** aider's own question, which it writes in the user's name together with the answer. */
const ownQuestion = /\? \(Y\)es\/\(N\)o.{0,200}\]: /;

/** Where a model's thoughts begin, which aider keeps with the answer. */
const thoughtStart = /^[ \t]*<(?<name>thinking-content-[0-9a-f]{8,64}|think|thinking)>/;

/** Whether a line starts a run of aider, which nothing else writes so. */
export function isAiderStart(line: string): boolean {
  return runStart.test(line.trimEnd());
}

/** One run of aider within a history. */
interface Run {
  started: string;
  /** The lines that name aider's version and its model. */
  program: string[];
  conversation: ConversationBuilder;
  /** Whether it has a message of the user. */
  hasPrompt: boolean;
  /** Whether the user asked for something here: in a sentence, or in words that an edit or a commit followed. */
  hasRequest: boolean;
}

/** A prompt that is broken at the width of a terminal has lines at least so long. */
const tornCharactersMin = 60;

/** A request in fewer characters, as `ls` or "go on", is none of its own. */
const requestCharactersMin = 25;

/** A run that begins later after the one before is about something else. Nothing in a history says when a run ended. */
const restartMillisecondsMax = 30 * 60 * 1_000;

/**
 * Takes the lines of aider's history, which holds every run of it in a repository. A run is a conversation together with the
 * runs that follow it within half an hour each and ask for nothing of their own. The result is the last conversation with a
 * prompt, or the one in which a run has the start time that was requested.
 */
export class AiderReader implements TranscriptReader {
  private readonly choice: Choice;
  private run: Run | undefined;
  /** The runs of the last conversation that have ended. */
  private runs: Run[] = [];
  /** The conversation to give, as far as is known yet. */
  private kept: Run[] | undefined;
  private readonly starts = new Set<string>();
  private conversations = 0;
  /** The tag that ends the thoughts that the lines are in. */
  private thoughtEnd: string | undefined;
  private readonly fence = new MarkdownFence();
  private speaker: 'user' | 'assistant' = 'assistant';
  private lines: string[] = [];
  /** What aider did of the answer that the lines are of: it says so below each part. */
  private calls: ToolCall[] = [];
  /** The person's last command, as long as nobody has spoken since. */
  private command: string | undefined;
  /** A report of aider's that is not kept yet: a line above a question belongs to the question. */
  private report: string | undefined;
  /** Whether a blank line follows a line of the user as long as a terminal's: the next one may be the rest of it. */
  private isTorn = false;
  /** Whether the lines are within a stack trace. */
  private isTrace = false;
  /** Whether lines of the user and of aider itself end in two blanks, as aider writes them; decided by the first. */
  private isMarked: boolean | undefined;
  private readonly unread = { lines: 0, reasons: {} };

  constructor(choice: Choice = {}) {
    this.choice = choice;
  }

  addLine({ text: line }: ReadLine): void {
    if (line === undefined) {
      countUnread(this.unread, 'line too long');
      return;
    }
    const started = runStart.exec(line.trimEnd())?.groups?.at;
    if (started !== undefined) {
      this.begin(started.trim());
      return;
    }
    if (this.run === undefined) {
      if (line.trim() !== '') countUnread(this.unread, 'text before the first run');
      return;
    }
    const spoken = this.readUserLine(line);
    if (spoken !== undefined || !this.isOwn(line)) this.keepReport();
    if (spoken !== undefined) {
      this.thoughtEnd = undefined;
      if (!ownQuestion.test(spoken)) this.add('user', spoken);
    } else if (this.thoughtEnd === undefined && this.isOwn(line)) this.readOwn(line.slice(1).trim());
    else this.readAnswer(line);
  }

  async finish(): Promise<Conversation> {
    this.end();
    const kept = assertChosen(this.kept, this.choice, () => [...this.starts].slice(-5).toReversed()) ?? [];
    const whole = await new ConversationBuilder('aider').finish();
    whole.session = kept[0]?.started;
    const program = kept.at(-1)?.program.join(', ');
    if (program) whole.program = maskSecrets(program).text;
    for (const { conversation } of kept) {
      const { messages, masked } = await conversation.finish();
      for (const message of messages) whole.messages.push({ ...message, index: whole.messages.length });
      addCounts(whole.masked, masked);
    }
    return { ...whole, unread: this.unread, ...(this.conversations > 1 && { among: this.conversations }) };
  }

  private begin(started: string): void {
    this.end();
    const conversation = new ConversationBuilder('aider');
    this.run = { started, program: [], conversation, hasPrompt: false, hasRequest: false };
  }

  private end(): void {
    this.keepReport();
    this.isTrace = false;
    this.say();
    this.fence.reset();
    this.thoughtEnd = undefined;
    const { run, choice } = this;
    this.run = undefined;
    if (run === undefined) return;
    if (run.hasRequest || !isRestart(this.runs.at(-1), run)) {
      this.runs = [];
      this.conversations += 1;
    }
    this.runs.push(run);
    if (run.conversation.size === 0) return;
    this.starts.add(this.runs[0]?.started ?? run.started);
    const isNewest = choice.conversation === undefined && (hasPrompt(this.runs) || !hasPrompt(this.kept ?? []));
    if (isNewest || this.runs.some(({ started }) => choice.conversation === started)) this.kept = this.runs;
  }

  /** A line of the model's, without its thoughts. */
  private readAnswer(line: string): void {
    const thought = this.thoughtEnd === undefined ? thoughtStart.exec(line)?.groups?.name : undefined;
    if (thought !== undefined) {
      this.thoughtEnd = `</${thought}>`;
      // A thought is a part of an answer: the user's text after it is another message.
      if (this.speaker === 'user') this.say();
    }
    const end = this.thoughtEnd;
    if (end === undefined) {
      this.add('assistant', line);
      return;
    }
    const at = line.indexOf(end);
    if (at === -1) return;
    this.thoughtEnd = undefined;
    this.add('assistant', line.slice(at + end.length));
  }

  private readUserLine(line: string): string | undefined {
    if (!/^####(?: |$)/.test(line)) return undefined;
    const isMarked = line.endsWith('  ');
    // Answers have headings of this level too, but none before the first question.
    this.isMarked ??= isMarked;
    if (this.isMarked && !isMarked) return undefined;
    return line.slice(5).trimEnd();
  }

  private isOwn(line: string): boolean {
    if (!line.startsWith('>')) return false;
    // The count below an answer ends it, as a question does, and the block that a broken answer left open.
    if (this.fence.isOpen && (/^> Tokens: .{1,100} received\b/.test(line) || ownQuestion.test(line))) {
      this.lines.push('```');
      this.fence.reset();
    }
    if (this.fence.isOpen) return false;
    return line.endsWith('  ') || ownWords.test(line.slice(1).trim());
  }

  private readOwn(words: string): void {
    if (this.speaker === 'user') this.say();
    const call = readOwnCall(words) ?? readRefusal(words, this.command);
    if (call !== undefined) this.calls.push(call);
    else this.readReport(words);
  }

  /** What aider reports about an answer, such as a skipped edit or an error of the model's server. */
  private readReport(words: string): void {
    const { run } = this;
    if (run === undefined) return;
    if (run.conversation.size === 0) {
      if (namesProgram.test(words)) run.program.push(words);
      return;
    }
    if (ownQuestion.test(words)) {
      this.report = undefined;
      return;
    }
    this.keepReport();
    if (words.startsWith('Traceback (most recent')) this.isTrace = true;
    else if (this.isTrace) this.isTrace = !/^[\w.]+: /.test(words);
    if (!this.isTrace && !routine.test(words)) this.report = `> ${words}`;
  }

  private keepReport(): void {
    const { report } = this;
    if (report === undefined) return;
    this.report = undefined;
    const reports = this.lines.filter((line) => line.startsWith('> '));
    if (reports.length < reportsMax && !reports.includes(report)) this.add('assistant', report);
  }

  private add(speaker: 'user' | 'assistant', line: string): void {
    // A blank line between two lines of the user is no answer.
    if (speaker === 'assistant' && line.trim() === '' && this.speaker === 'user') {
      this.isTorn = (this.lines.at(-1)?.length ?? 0) >= tornCharactersMin;
      if (!this.isTorn) this.say();
      return;
    }
    if (speaker !== this.speaker || (this.isTorn && isCommand(line))) this.say();
    this.isTorn = false;
    this.speaker = speaker;
    if (speaker === 'assistant') this.fence.read(line);
    this.lines.push(line);
  }

  private say(): void {
    const text = this.lines.join('\n').trim();
    const { calls, run, speaker } = this;
    this.lines = [];
    this.calls = [];
    if (text !== '') this.command = speaker === 'user' && steering.test(text) ? text : undefined;
    const spoken = speaker === 'user' ? readSpoken(text) : text;
    if (speaker === 'user') this.fence.reset();
    if (spoken !== '' && run !== undefined) {
      if (speaker === 'user') run.hasPrompt = true;
      if (speaker === 'user' && spoken.length >= requestCharactersMin) run.hasRequest = true;
      run.conversation.say({ role: speaker, text: spoken });
    }
    run?.conversation.use(calls);
    if (run?.hasPrompt && calls.some(({ name, effect }) => effect === 'write' || name === 'commit'))
      run.hasRequest = true;
  }
}

function hasPrompt(runs: readonly Run[]): boolean {
  return runs.some((run) => run.hasPrompt);
}

/** Whether a run began so soon after the one before that it may be the same work. */
function isRestart(before: Run | undefined, { started }: Run): boolean {
  const passed = Date.parse(`${started.replace(' ', 'T')}Z`) - Date.parse(`${before?.started.replace(' ', 'T')}Z`);
  return passed >= 0 && passed <= restartMillisecondsMax;
}

function isCommand(text: string): boolean {
  return /^[/!]\w/.test(text);
}

/** A user's words; a command that only steers aider is none. */
function readSpoken(text: string): string {
  if (!isCommand(text)) return text;
  return spokenCommand.exec(text)?.groups?.words?.trim() ?? '';
}

/** What could not be carried out: the person's command, or a file that was to be written. */
function readRefusal(words: string, command: string | undefined): ToolCall | undefined {
  const written = /^Unable to write file (?<path>.{1,500}?) after \d+ attempts: (?<why>.+)$/.exec(words)?.groups;
  if (written !== undefined) {
    const path = (written.path ?? '').replaceAll('\\', '/');
    return { name: 'edit', effect: 'write', path, outcome: { is_error: true, text: written.why ?? '' } };
  }
  if (command === undefined || !refusal.test(words)) return undefined;
  const text = words.replace(/ Do you want to create .+$/, '');
  return { name: 'command', effect: 'none', command, outcome: { is_error: true, text } };
}

/** An edit that the person or git's rules did not allow. */
const unapplied =
  /^(?:Did not apply edit to|Skipping edits to) (?<path>.{1,500}?)(?: \(.*\)| that matches gitignore spec\.)?$/;

/** What aider did by its own account. */
function readOwnCall(words: string): ToolCall | undefined {
  const edited = /^(?:Applied edit to|Creating empty file) (?<path>.{1,500})$/.exec(words)?.groups?.path;
  if (edited !== undefined) return { name: 'edit', effect: 'write', path: edited.replaceAll('\\', '/') };
  const failed = unapplied.exec(words)?.groups?.path;
  if (failed !== undefined) {
    return { name: 'edit', effect: 'write', path: failed, outcome: { is_error: true, text: words } };
  }
  const added = /^Added (?<path>.{1,500}) to the chat\.?$/.exec(words)?.groups?.path;
  if (added !== undefined) return { name: 'add', effect: 'read', path: added.replaceAll('\\', '/') };
  const committed = /^Commit (?<hash>[0-9a-f]{7,40}) (?<about>.{1,500})$/.exec(words)?.groups;
  if (committed !== undefined) {
    const commit = readCommand('commit', `git commit -m ${JSON.stringify(committed.about)}`, undefined);
    return { ...commit, outcome: { is_error: false, exit_code: 0, text: `[${committed.hash}] ${committed.about}` } };
  }
  const command = /^Running (?<command>.{1,4000})$/.exec(words)?.groups?.command;
  return command === undefined ? undefined : readCommand('run', command, undefined);
}
