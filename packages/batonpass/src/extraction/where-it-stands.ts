import type { Conversation, Message, TodoItem, ToolCall } from '../core/conversation.ts';
import type { Evidence } from '../core/evidence.ts';
import { findChanged } from './changed-files.ts';
import { claimsSuccess } from './language-cues.ts';
import { type OwnWords, ownWordsOf } from './own-words.ts';
import { splitMessage } from './sentences.ts';

/** One fact about the state at the end of a conversation. */
export interface StateFact {
  kind:
    | 'goal'
    | 'asked'
    | 'interrupted'
    | 'question'
    | 'check'
    | 'contradicted'
    | 'doing'
    | 'todo'
    | 'done'
    | 'changed'
    | 'pending';
  content: string;
  evidence?: Evidence;
}

const requestCharactersMax = 700;
const goalCharactersMax = 400;
/** A shorter request, as "go on", says little without the one before. */
const requestCharactersMin = 25;
const questionCharactersMax = 300;
const changedMax = 12;
const tasksMax = 15;

/**
 * Where a conversation stands at its end, from what needs no interpretation and no language: who spoke last, the agent's
 * own list of tasks, the last check and its result, the files written since the last commit. In the order in which the
 * next agent needs it.
 */
export function readState(conversation: Conversation, pasted: OwnWords): StateFact[] {
  const calls = conversation.messages.flatMap((message) => message.tool_calls.map((call) => ({ call, message })));
  const succeeded = calls.map(({ call }) => call).filter((call) => !hasFailed(call));
  const check = findLastCheck(calls);
  return [
    ...readRequests(conversation, pasted),
    ...readInterruption(conversation),
    ...readQuestion(conversation),
    ...(check === undefined ? [] : [describeCheck(check.call)]),
    ...(check === undefined ? [] : findContradicted(conversation, check)),
    ...readTasks(calls.map(({ call }) => call)),
    ...readChanged(succeeded, conversation.cwd),
    ...findCommits(succeeded).map((content) => ({ kind: 'done' as const, content })),
    ...readPending(conversation),
  ];
}

/** What was asked first, and what last; where the last is a word or two, the one before as well. */
function readRequests({ messages }: Conversation, pasted: OwnWords): StateFact[] {
  const requests = messages
    .filter(({ role }) => role === 'user')
    .map((message) => ({ message, own: ownWordsOf(message, pasted).replace(/\s+/g, ' ') }))
    .filter(({ own }) => own !== '');
  const last = requests.at(-1);
  if (last === undefined) return [];
  const isShort = last.own.length < requestCharactersMin;
  const before = isShort ? requests.slice(0, -1).findLast(({ own }) => own.length >= requestCharactersMin) : undefined;
  const goal = requests.find(({ own }) => own.length >= requestCharactersMin);
  const isGoalSaid = goal === undefined || goal === last || goal === before;
  return [
    ...(isGoalSaid ? [] : [toRequest('goal', goal, goalCharactersMax)]),
    ...(before === undefined ? [] : [toRequest('asked', before, requestCharactersMax)]),
    toRequest('asked', last, requestCharactersMax),
  ];
}

/** What was begun and not brought to an end. */
function readInterruption({ messages, interrupted }: Conversation): StateFact[] {
  if (interrupted === true)
    return [{ kind: 'interrupted', content: 'The person stopped the agent in the middle of its last answer.' }];
  const last = messages.findLast(({ text, role }) => role === 'user' || (role === 'assistant' && text !== ''));
  return last?.role === 'user'
    ? [{ kind: 'interrupted', content: 'The session ended before the last request was answered.' }]
    : [];
}

function toRequest(
  kind: 'goal' | 'asked',
  { message, own }: { message: Message; own: string },
  charactersMax: number,
): StateFact {
  const evidence = {
    message: message.index,
    quote: message.text.trim().split('\n')[0]?.slice(0, 200).toWellFormed() ?? '',
  };
  const content = shorten(own, charactersMax);
  return evidence.quote === '' || !message.text.includes(evidence.quote)
    ? { kind, content }
    : { kind, content, evidence };
}

/** A text cut at the end of a sentence, else of a word. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax - 1).toWellFormed();
  const end = Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((stop) => head.lastIndexOf(stop)));
  if (end > charactersMax / 2) return `${head.slice(0, end + 1)} …`;
  const space = head.lastIndexOf(' ');
  return `${space > charactersMax / 2 ? head.slice(0, space) : head}…`;
}

/** A question that nobody has answered: the agent's at the end of its last words. */
function readQuestion({ messages }: Conversation): StateFact[] {
  const last = messages.findLast(({ text, role }) => text !== '' && role !== 'system');
  if (last?.role !== 'assistant') return [];
  const asked = splitMessage(last)
    .slice(-4)
    .findLast(({ plain, kind }) => kind !== 'heading' && /[?？]["')*]*$/.test(plain));
  if (asked === undefined) return [];
  const content = shorten(asked.plain, questionCharactersMax);
  return [{ kind: 'question', content, evidence: { message: last.index, quote: asked.text } }];
}

interface Called {
  call: ToolCall;
  message: Message;
}

/** Programs and words of commands that test, build or check. */
const checks =
  /(?:^|[\s/:;&|"'])(?:tests?|pytest|unittest|jest|vitest|mocha|playwright|cypress|phpunit|rspec|ctest|build|compile|lint|eslint|tsc|typecheck|type-check|check|clippy|ruff|mypy|pyright|biome|make|gradlew?|mvn|xcodebuild|verify)(?=$|[\s:;&|"'])/;

/** Programs that check nothing, whatever their arguments say: `git commit -m "Fix the tests"`. */
const checksNothing =
  /^(?:git|gh|cat|echo|printf|tee|ls|find|grep|rg|sed|awk|head|tail|less|wc|cp|mv|rm|mkdir|touch|chmod|kill|pkill|ps|curl|wget|cd|sleep|which|jq)\b/;

const commandCharactersMax = 4_000;

/** Whether a command tests, builds or checks. What it writes, quotes or comments is not looked at. */
export function isCheck(command: string): boolean {
  return withoutTexts(command.slice(0, commandCharactersMax))
    .split(/&&|\|\||[;|&\n]/)
    .map((part) => part.trim().replace(/^(?:[A-Z_]+=\S*\s+)+/, ''))
    .some((part) => checks.test(part) && !checksNothing.test(part));
}

/** A command without here-documents, quoted texts and comments; what follows `-c` is a command itself. */
function withoutTexts(command: string): string {
  return command
    .replace(/<<-?\s*(["']?)(\w+)\1[\s\S]*?(?:\n\2(?=\n|$)|$)/g, ' ')
    .replace(/(?<!-l?c\s{1,3})(["'])(?:\\.|(?!\1)[^\\])*\1/gs, ' ')
    .replace(/(?:^|\s)#.*$/gm, ' ');
}

function findLastCheck(calls: readonly Called[]): Called | undefined {
  return calls.findLast(
    ({ call }) => call.command !== undefined && call.outcome !== undefined && isCheck(call.command),
  );
}

/** Whether a call is known to have failed. */
export function hasFailed({ outcome }: Pick<ToolCall, 'outcome'>): boolean {
  return outcome !== undefined && (outcome.is_error || (outcome.exit_code ?? 0) !== 0);
}

function describeCheck(call: ToolCall): StateFact {
  const command = shorten((call.command ?? '').trim().replace(/\s+/g, ' '), 200);
  if (!hasFailed(call)) return { kind: 'check', content: `Last check succeeded: \`${command}\`` };
  const code = call.outcome?.exit_code === undefined ? '' : ` (exit code ${call.outcome.exit_code})`;
  return { kind: 'check', content: `Last check failed${code}: \`${command}\`: ${failureOf(call)}` };
}

const namesFailure = /error|fail|exception|cannot|not found|denied|assert|panic|✗|✕|×/i;

/** The first line of a failed call's answer that says why it failed. */
export function failureOf({ outcome }: Pick<ToolCall, 'outcome'>): string {
  const lines = (outcome?.text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^exit code \d+$/i.test(line));
  return shorten(lines.find((line) => namesFailure.test(line)) ?? lines[0] ?? 'no output', 200);
}

/** A later claim of success after a check that failed, and that was not run again. */
function findContradicted({ messages }: Conversation, { call, message }: Called): StateFact[] {
  if (!hasFailed(call)) return [];
  for (const later of messages.slice(messages.indexOf(message)).reverse()) {
    if (later.role !== 'assistant') continue;
    const claim = splitMessage(later).findLast(({ plain }) => claimsSuccess(plain));
    if (claim === undefined) continue;
    const content = `The agent says “${shorten(claim.plain, 200)}”, but the last run of that check failed.`;
    return [{ kind: 'contradicted', content, evidence: { message: later.index, quote: claim.text } }];
  }
  return [];
}

/** The agent's list of tasks as it is at the end. */
function readTasks(calls: readonly ToolCall[]): StateFact[] {
  let tasks: TodoItem[] = [];
  for (const { todos } of calls) {
    if (todos === undefined) continue;
    if (todos.replaces) tasks = [];
    for (const item of todos.items) {
      // A host that names no id at a task's creation counts them from 1.
      const at = tasks.findIndex((task, place) => item.id !== undefined && (task.id ?? String(place + 1)) === item.id);
      const known = tasks[at];
      if (known !== undefined) tasks[at] = { ...known, ...item };
      else if (item.text !== undefined) tasks.push(item);
    }
  }
  const named = (state: TodoItem['state']) => tasks.filter((task) => task.state === state).map(({ text = '' }) => text);
  const done = named('done');
  return [
    ...named('doing')
      .slice(0, tasksMax)
      .map((content) => ({ kind: 'doing' as const, content })),
    ...named('open')
      .slice(0, tasksMax)
      .map((content) => ({ kind: 'todo' as const, content })),
    ...(done.length === 0 ? [] : [{ kind: 'done' as const, content: shorten(done.slice(-tasksMax).join('; '), 800) }]),
  ];
}

/** The files that were written since the last commit and are still there. */
function readChanged(calls: readonly ToolCall[], cwd: string | undefined): StateFact[] {
  const all = findChanged(calls, cwd);
  if (all.length === 0) return [];
  const folder = folderOf(all);
  const named = all.slice(-changedMax).map((path) => path.slice(folder.length));
  const more = all.length > changedMax ? ` and ${all.length - changedMax} more` : '';
  const within = folder === '' ? '' : ` (in ${folder})`;
  return [{ kind: 'changed', content: `Written since the last commit: ${named.join(', ')}${more}${within}` }];
}

/** The folder that all of several absolute paths are in, with its last slash; empty for none. */
function folderOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  if (paths.length < 2 || !/^(?:\/|[A-Za-z]:[\\/])/.test(first)) return '';
  let length = first.length;
  for (const path of paths) while (!path.startsWith(first.slice(0, length))) length -= 1;
  return /^(?:.*[\\/])?/.exec(first.slice(0, length))?.[0] ?? '';
}

/** After more requests of the person a summary's list of what is pending is old. */
export const pendingRequestsMax = 3;

/** What the host's last summary of a compacted part lists as pending. */
function readPending({ messages }: Conversation): StateFact[] {
  const summary = messages.findLast(({ role }) => role === 'system');
  if (summary === undefined) return [];
  const since = messages.filter(({ role, index, text }) => role === 'user' && text !== '' && index > summary.index);
  if (since.length > pendingRequestsMax) return [];
  const part =
    /^\W*(?:\d+\. )?(?:Pending Tasks|Optional Next Step)\W*\n(?<list>(?:(?!\n\W*\d+\. )[\s\S]){1,1500})/m.exec(
      summary.text,
    )?.groups?.list;
  const lines =
    part
      ?.split('\n')
      .map((line) => line.replace(/^[\s*\-–•]+/, '').trim())
      .filter((line) => line !== '') ?? [];
  return lines.slice(0, 6).map((line) => ({
    kind: 'pending' as const,
    content: shorten(line, 300),
    evidence: { message: summary.index, quote: line },
  }));
}

const commitsMax = 12;
const subjectCharactersMax = 100;

const commits = /\bgit\b[^|;&\n]*\b(?:commit|cherry-pick|revert|merge)\b/;
const pushes = /\bgit\b[^|;&\n]*\bpush\b/;
/** After it the commits before may be gone or have other names. */
const rewrites =
  /\bgit\b[^|;&\n]*\b(?:rebase|reset --(?:hard|soft|mixed|keep)|filter-(?:repo|branch)|commit\b.*--amend)/;
/** How git reports a commit: "[main 3388a68] Add the update command". */
const report = /^\[(?:[^\]\n]{1,200} )?(?<hash>[0-9a-f]{7,40})\] (?<subject>.+)$/gm;

/**
 * The commits that git reported, none of them rewritten later, the newest first: each by hash and subject, and whether
 * a push followed.
 *
 * @param calls - those that did not fail.
 */
function findCommits(calls: readonly ToolCall[]): string[] {
  const made = new Map<string, { hash: string; isPushed: boolean }>();
  for (const { command = '', outcome } of calls) {
    if (rewrites.test(command)) made.clear();
    if (commits.test(command)) {
      for (const { groups } of (outcome?.text ?? '').matchAll(report)) {
        const { hash = '', subject = '' } = groups ?? {};
        // The same subject again is the same commit at another place.
        made.delete(subject);
        made.set(subject, { hash, isPushed: false });
      }
    }
    if (pushes.test(command)) for (const commit of made.values()) commit.isPushed = true;
  }
  return [...made]
    .slice(-commitsMax)
    .reverse()
    .map(
      ([subject, { hash, isPushed }]) =>
        `commit ${hash} ${subject.trim().slice(0, subjectCharactersMax).toWellFormed()}${isPushed ? '' : ' (not pushed here)'}`,
    );
}
