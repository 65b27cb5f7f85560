import type { Conversation, Message, TodoItem, ToolCall } from '../core/conversation.ts';
import type { Evidence } from '../core/evidence.ts';
import { findChanged } from './changed-files.ts';
import { describeFailure, describeRun, findContradictingRun, hasFailed, isCheck, readRuns } from './checks.ts';
import { changesFile, findFailedLast, findRunning, workOf } from './command-runs.ts';
import { describeCommits, hasCommitted } from './commits.ts';
import { type MainRequest, requestCharactersMin } from './main-request.ts';
import { describePasted, type OwnWords, ownWordsOf } from './own-words.ts';
import { isQuoted, shorten } from './plain-text.ts';
import { describeChosen } from './selections.ts';
import { splitMessage, withQuestion } from './sentences.ts';
import type { Turn } from './turns.ts';

/** One fact about the state at the end of a conversation. */
export interface StateFact {
  kind:
    | 'recap'
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
const recapCharactersMax = 700;
const questionCharactersMax = 300;
const chosenCharactersMax = 200;
const changedMax = 12;
const unreportedMax = 5;
const unreportedCharactersMax = 120;
const tasksMax = 15;

/** What was found of the conversation before. */
interface Found {
  pasted: OwnWords;
  main: MainRequest | undefined;
  /** The last turns of the conversation. */
  end: readonly Turn[];
}

/**
 * The state of a conversation at its end, from what needs no interpretation and no language: who spoke last, the agent's
 * own list of tasks, the last check and its result, the files written since the last commit. In the order in which the
 * next agent needs it.
 */
export function readState(conversation: Conversation, { pasted, main, end }: Found): StateFact[] {
  const calls = conversation.messages.flatMap(({ tool_calls }) => tool_calls);
  const running = findRunning(calls);
  const succeeded = calls.filter((call) => (!hasFailed(call) || hasCommitted(call)) && !running.includes(call));
  return [
    ...readRecap(conversation),
    ...readRequests(conversation, { pasted, main, end }),
    ...readInterruption(conversation),
    ...describeRunning(running),
    ...readUnreported(conversation, running),
    ...readQuestion(conversation),
    ...readChecks(conversation, running),
    ...findContradicted(conversation),
    ...readTasks(conversation),
    ...readChanged(succeeded, conversation.cwd),
    ...describeCommits(succeeded, conversation.cwd).map((content) => ({ kind: 'done' as const, content })),
    ...readPending(conversation),
  ];
}

/** What the host wrote of the session; nothing where too much was asked since. */
function readRecap({ recap }: Conversation): StateFact[] {
  if (recap === undefined || recap.requests_since > pendingRequestsMax) return [];
  const { text, requests_since } = recap;
  const before = ['', '(before the last request) '][requests_since] ?? `(before the last ${requests_since} requests) `;
  return [{ kind: 'recap', content: `${before}${shorten(text, recapCharactersMax)}` }];
}

/** The main request, and what was asked last; where that is a word or two, the request before as well. */
function readRequests({ messages }: Conversation, { pasted, main, end }: Found): StateFact[] {
  const said = messages
    .filter(({ role, text }) => role === 'user' && text.trim() !== '')
    .map((message) => ({ message, own: ownWordsOf(message, pasted).replace(/\s+/g, ' ') }));
  const requests = said.filter(({ own }) => own !== '');
  const last = said.at(-1);
  if (last === undefined) return [];
  // A command's template, or a log without a word of the person: a note of it is the request.
  if (last.own === '') {
    last.own = (pasted.get(last.message.index) ?? []).map(describePasted).join(' ');
    requests.push(last);
  }
  const spoken = messages.filter(({ role, text }) => role !== 'system' && text.trim() !== '');
  const reply = withQuestion(last.message, spoken[spoken.indexOf(last.message) - 1]);
  const isShort = last.own.length < requestCharactersMin;
  const before = isShort ? requests.slice(0, -1).findLast(({ own }) => own.length >= requestCharactersMin) : undefined;
  const goal = requests.find(({ message }) => message.index === main?.message.index);
  const isGoalSaid = goal === undefined || goal === last || goal === before;
  return [
    ...(isGoalSaid ? [] : [toRequest('goal', goal, goalCharactersMax)]),
    ...(before === undefined
      ? []
      : [toRequest('asked', { ...before, own: withPasted(before, pasted) }, requestCharactersMax)]),
    toRequest(
      'asked',
      { ...last, own: reply ?? withChosen(withPasted(last, pasted), describeChosen(end)) },
      requestCharactersMax,
    ),
  ];
}

/** The request with a note of what was pasted last: "What is wrong here?" says nothing without it. */
function withPasted({ message, own }: { message: Message; own: string }, pasted: OwnWords): string {
  const last = pasted.get(message.index)?.at(-1);
  const note = last === undefined ? '' : describePasted(last);
  return own.includes(note) ? own : `${shorten(own, requestCharactersMax - note.length - 1)} ${note}`;
}

/** "Option 2" says nothing without the option. */
function withChosen(own: string, chosen: string): string {
  return chosen === '' ? own : `${own} (chosen: ${shorten(chosen, chosenCharactersMax)})`;
}

/** What was begun and not brought to an end. */
function readInterruption({ messages, interrupted }: Conversation): StateFact[] {
  const last = messages.findLast(({ text, role }) => role === 'user' || (role === 'assistant' && text !== ''));
  const isOpen = last?.role === 'user';
  const by = interrupted === true ? 'The person stopped the agent' : 'The session ended';
  if (isOpen) return [{ kind: 'interrupted', content: `${by} before the last request was answered.` }];
  return interrupted === true ? [{ kind: 'interrupted', content: `${by} in the middle of its last answer.` }] : [];
}

/** The commands that ran when the session ended: the next agent has to look at what they did. */
function describeRunning(running: readonly ToolCall[]): StateFact[] {
  const commands = running.map(({ command }) => workOf(command)).filter((command) => command !== '');
  return commands.map((command) => ({
    kind: 'interrupted',
    content: `Ran when the session ended, result unknown: \`${command}\``,
  }));
}

/** Whether a call runs the same command as one of others. */
function isAmong({ command }: ToolCall, others: readonly ToolCall[]): boolean {
  return others.some((other) => workOf(other.command) === workOf(command));
}

const makesCommit = /\bgit\b[^|;&\n]*\bcommit\b/;

/** What the agent did after the last words of all, and has not reported: files it wrote and commands it ran. */
function readUnreported({ messages }: Conversation, running: readonly ToolCall[]): StateFact[] {
  const last = messages.findLastIndex(({ text, role }) => text !== '' && role !== 'system');
  if (last === -1) return [];
  // Edits of the last answer itself are what it tells of.
  const edited = messages.slice(last + 1).flatMap(({ tool_calls }) => tool_calls.filter(changesFile));
  const files = [...new Set(edited.flatMap(({ path }) => path ?? []))];
  const ran = messages.slice(last).flatMap(({ tool_calls }) => tool_calls.filter((call) => !isAmong(call, running)));
  const commands = ran.flatMap((call) => {
    const command = workOf(call.command);
    if (call.path !== undefined || command === '' || makesCommit.test(command) || isCheck(command)) return [];
    return `\`${shorten(command, unreportedCharactersMax)}\`${hasFailed(call) ? ' (failed)' : ''}`;
  });
  const done = [
    ...files.slice(-unreportedMax).map((path) => `wrote ${path}`),
    ...commands.slice(-unreportedMax).map((command) => `ran ${command}`),
  ];
  return done.length === 0 ? [] : [{ kind: 'interrupted', content: `Not reported by the agent: ${done.join(', ')}` }];
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

/** An unanswered question: the agent's at the end of its last words. */
function readQuestion({ messages }: Conversation): StateFact[] {
  const last = messages.findLast(({ text, role }) => text !== '' && role !== 'system');
  if (last?.role !== 'assistant') return [];
  const asked = splitMessage(last)
    .slice(-4)
    .findLast(({ text, plain, kind }) => kind !== 'heading' && /[?？]["')*]*$/.test(plain) && !isQuoted(text));
  if (asked === undefined) return [];
  const content = shorten(asked.plain, questionCharactersMax);
  return [{ kind: 'question', content, evidence: { message: last.index, quote: asked.text } }];
}

/**
 * The last check, and before it what else failed when a check of that kind ran last, or still runs. A check whose result
 * is unknown is told only where the agent has not reported since. Then the command
 * that failed last of all since the last request.
 */
function readChecks({ messages }: Conversation, running: readonly ToolCall[]): StateFact[] {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls);
  const runs = [...readRuns(calls).values()];
  const changed = calls.findLastIndex(changesFile);
  const asked = messages.findLastIndex(({ role, text }) => role === 'user' && text !== '');
  const failed = findFailedLast(messages.slice(asked + 1).flatMap(({ tool_calls }) => tool_calls));
  const reported = messages.findLast(
    ({ role, text, tool_calls }) => role === 'assistant' && text !== '' && tool_calls.length === 0,
  );
  const told = runs
    .filter(({ result, call }, place) => {
      if (result === 'failed' || result === 'running') return true;
      if (place < runs.length - 1) return false;
      return (
        result === 'succeeded' ||
        messages.findIndex(({ tool_calls }) => tool_calls.includes(call)) > (reported?.index ?? -1)
      );
    })
    .map((run) => describeRun(run, calls.indexOf(run.call) < changed));
  // A command that still ran at the end is named already.
  if (failed !== undefined && !isAmong(failed, running)) told.push(`Last command ${describeFailure(failed)}`);
  return [...new Set(told)].map((content) => ({ kind: 'check', content }));
}

/** The agent's last claim that a check succeeded, after the last run of such a check failed. */
function findContradicted({ messages }: Conversation): StateFact[] {
  const runs = readRuns(messages.flatMap(({ tool_calls }) => tool_calls));
  const failed = new Set([...runs.values()].filter(({ result }) => result === 'failed').map(({ call }) => call));
  const from = messages.findIndex(({ tool_calls }) => tool_calls.some((call) => failed.has(call)));
  if (from === -1) return [];
  for (const later of messages.slice(from).reverse()) {
    if (later.role !== 'assistant') continue;
    const claim = splitMessage(later).findLast(({ plain }) => {
      const run = findContradictingRun(plain, runs);
      return run !== undefined && messages.findIndex(({ tool_calls }) => tool_calls.includes(run.call)) <= later.index;
    });
    if (claim === undefined) continue;
    const content = `The agent says “${shorten(claim.plain, 200)}”, but the last run of that check failed.`;
    return [{ kind: 'contradicted', content, evidence: { message: later.index, quote: claim.text } }];
  }
  return [];
}

/** The agent's list of tasks as it is at the end. */
function readTasks({ messages }: Conversation): StateFact[] {
  let tasks: TodoItem[] = [];
  const changes = messages.flatMap(({ tool_calls, index }) =>
    tool_calls.flatMap(({ todos }) => (todos === undefined ? [] : [{ todos, index }])),
  );
  for (const { todos } of changes) {
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
  const done =
    isOld(messages, changes.at(-1)?.index) && tasks.every(({ state }) => state === 'done') ? [] : named('done');
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

/** The files that were written since the last commit and are still there, the newest first. */
function readChanged(calls: readonly ToolCall[], cwd: string | undefined): StateFact[] {
  const all = findChanged(calls, cwd);
  if (all.length === 0) return [];
  const folder = folderOf(all);
  const named = all
    .slice(-changedMax)
    .reverse()
    .map((path) => path.slice(folder.length));
  const more = all.length > changedMax ? ` and ${all.length - changedMax} more` : '';
  const within = folder === '' ? '' : ` (in ${folder})`;
  const isCommitted = calls.some(({ command = '' }) => makesCommit.test(command));
  const since = isCommitted ? 'since the last commit' : '(no commit seen)';
  return [{ kind: 'changed', content: `Written ${since}: ${named.join(', ')}${more}${within}` }];
}

/** The folder that all of several absolute paths are in, with its last slash; empty for none. */
function folderOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  if (paths.length < 2 || !/^(?:\/|[A-Za-z]:[\\/])/.test(first)) return '';
  let length = first.length;
  for (const path of paths) while (!path.startsWith(first.slice(0, length))) length -= 1;
  return /^(?:.*[\\/])?/.exec(first.slice(0, length))?.[0] ?? '';
}

/** After more requests of the person a summary's list of what is pending is old, and a list of tasks that are all done. */
export const pendingRequestsMax = 3;

function isOld(messages: readonly Message[], from = 0): boolean {
  const since = messages.filter(({ role, index, text }) => role === 'user' && text !== '' && index > from);
  return since.length > pendingRequestsMax;
}

/** A line that introduces the list, a task that is ticked, or a sentence that nothing is pending. */
const isNoTask = /[:：]$|^(?:[✅✓✔☑]|\[x\])|^(?:there (?:is|are) )?no(?:ne|thing)?\b.*\b(?:pending|remain|left)/iu;

/** What the host's last summary of a compacted part lists as pending. */
function readPending({ messages }: Conversation): StateFact[] {
  const summary = messages.findLast(({ role }) => role === 'system');
  if (summary === undefined) return [];
  if (isOld(messages, summary.index)) return [];
  const part =
    /^\W*(?:\d+\. )?\W*(?:Pending Tasks|Optional Next Step)\W*\n(?<list>(?:(?!\n\W*\d+\. )[\s\S]){1,1500})/m.exec(
      summary.text,
    )?.groups?.list;
  const lines =
    part
      ?.split('\n')
      .map((line) => line.replace(/^[\s*\-–•]+/, '').trim())
      .filter((line) => line !== '' && !isNoTask.test(line)) ?? [];
  return lines.slice(0, 6).map((line) => ({
    kind: 'pending' as const,
    content: shorten(line, 300),
    evidence: { message: summary.index, quote: line },
  }));
}
