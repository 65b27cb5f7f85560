import type { Conversation, ToolCall } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import type { ExtractedResult } from './extraction.ts';
import { toProjectPath } from './file-path.ts';

const resultsMax = 40;
const outcomeCharactersMax = 200;

/** Commands that only look; that they ran proves nothing about the work. */
const looking =
  /^(?:cd|ls|cat|head|tail|less|pwd|echo|which|find|grep|rg|sed -n|wc|tree|git (?:status|diff|log|show|branch|blame)|sleep|env|date)\b/;

/** What the tool calls prove: the files that were written, and each command's last outcome. */
export function extractResults(conversation: Conversation): ExtractedResult[] {
  const calls = conversation.messages.flatMap((message) => message.tool_calls);
  const written = new Set(
    calls.flatMap((call) =>
      call.effect === 'write' && !call.outcome?.is_error ? (toProjectPath(call.path ?? '') ?? []) : [],
    ),
  );
  const results: ExtractedResult[] = [];
  if (written.size > 0) results.push(toWritten([...written]));
  for (const [command, call] of lastRuns(calls)) results.push(toResult(command, call));
  return results.slice(0, resultsMax);
}

/** A path that is cut names another file, so that a longer one is counted instead, as is what a list cannot hold. */
function toWritten(paths: readonly string[]): ExtractedResult {
  const artifacts = paths.filter((path) => path.length <= limits.name_characters_max).slice(0, limits.entries_max);
  const unnamed = paths.length - artifacts.length;
  const description = `Wrote ${paths.length} ${paths.length === 1 ? 'file' : 'files'}`;
  return {
    description: unnamed === 0 ? `${description}.` : `${description}, ${unnamed} of them not named here.`,
    status: 'completed',
    artifacts,
  };
}

/** The last run of each command, in the order of those runs. */
function lastRuns(calls: readonly ToolCall[]): Map<string, ToolCall> {
  const runs = new Map<string, ToolCall>();
  for (const call of calls) {
    const command = shorten(call.command);
    if (command === '' || call.outcome === undefined || looking.test(command)) continue;
    runs.delete(command);
    runs.set(command, call);
  }
  return runs;
}

function toResult(command: string, call: ToolCall): ExtractedResult {
  const failed = call.outcome?.is_error === true || (call.outcome?.exit_code ?? 0) !== 0;
  const code = call.outcome?.exit_code ?? (failed ? undefined : 0);
  const exit = code === undefined ? 'failed' : `exit code ${code}`;
  return { description: `\`${command}\`: ${exit}.`, status: failed ? 'failed' : 'completed' };
}

/** Commands that failed and were never run again with success: what was tried and abandoned. */
export function extractTried(conversation: Conversation): { what: string; outcome: string }[] {
  const calls = conversation.messages.flatMap((message) => message.tool_calls);
  return [...lastRuns(calls)].flatMap(([command, call], index, runs) => {
    const { outcome } = call;
    if (outcome === undefined || !(outcome.is_error || (outcome.exit_code ?? 0) !== 0)) return [];
    if (/doesn't want to (?:proceed|take this action)|user rejected/i.test(outcome.text)) return [];
    // Abandoned only where other commands of the work followed; the last failure is the present state.
    if (index === runs.length - 1) return [];
    const program = command.split(' ').slice(0, 2).join(' ');
    const retried = runs
      .slice(index + 1)
      .some(([other, next]) => other.startsWith(program) && next.outcome?.is_error !== true);
    return retried ? [] : [{ what: `\`${command}\``, outcome: readReason(outcome.text) }];
  });
}

/** The line that names the error, or the first one. */
function readReason(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Exit code \d+$/i.test(line));
  const reason = lines.find((line) => /error|fail|cannot|not found|denied/i.test(line)) ?? lines[0] ?? 'It failed.';
  return reason.slice(0, outcomeCharactersMax).toWellFormed();
}

/** The first line of a command, without a leading `cd … &&`. */
function shorten(command: string | undefined): string {
  const line = (command ?? '').trim().split('\n')[0] ?? '';
  return line
    .replace(/^cd \S+ && /, '')
    .slice(0, outcomeCharactersMax)
    .toWellFormed();
}
