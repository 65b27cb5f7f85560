import type { Message, ToolCall } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { failureOf, hasFailed, hasWorked, isCheck, isConclusive, wasRefused } from './checks.ts';
import {
  changesFile,
  folderOf,
  isFailedAttempt,
  isLooking,
  namesCommand,
  shortenCommand,
  slips,
} from './command-runs.ts';
import type { ExtractedAttempt, ExtractedCommand, ExtractedResult } from './extraction.ts';
import { toProjectPath } from './file-path.ts';
import { shorten } from './plain-text.ts';

const checksMax = 8;
const workedMax = 40;

/** Characters of a refused command that say what it was. */
const refusedMax = 200;

/** A command that replaced another follows soon, and has most of its words. */
const replacedWithin = 6;
const replacedLikeness = 0.6;

/** Different commands that are remembered; of more, those that ran last. */
const commandsMax = 5_000;

/** Housekeeping commands: nobody needs to know how to run them again. */
const housekeeping =
  /^(?:git (?:add|commit|push|pull|fetch|stash|checkout|switch|reset|revert|merge|rebase|cherry-pick|rm|mv)|mkdir|rm|mv|cp|touch|chmod|kill|pkill|del|copy|move|xcopy|taskkill|(?:Remove|New|Copy|Move|Rename)-Item|Stop-Process)\b|^(?:for|while|until|if)\s.*(?:;|\n)\s*(?:do|then)\b/i;

/** Words with which a program reports a failure, for a run whose exit code is not known. */
const saysFailed = /(?:error|exception|\b(?:fatal|traceback|denied|cannot))\b|not[ _]found|npm ERR!/i;
const saysNone = /\b(?:0|no) (?:errors?|exceptions?)\b/gi;

/**
 * Errors of the file system, and edits that aider was not allowed. Other failed writes, such as an edit whose text is not in
 * the file, say nothing about the work.
 */
const forbidsWriting =
  /permission denied|access is denied|read-only file system|\bE(?:ACCES|PERM|ROFS)\b|^Skipping edits to /i;

/** Collects what the tool calls of a dialogue prove: the files that were written, and each command's last outcome. */
export class ToolFacts {
  readonly #written = new Set<string>();
  /** The last run of each command, in the order of those runs. */
  readonly #runs = new Map<string, ToolCall>();
  /** Those of them that no change of a file followed. */
  readonly #fresh = new Set<string>();

  /** Files that the system did not let be written, as they are spelt. */
  readonly #unwritten = new Map<string, ToolCall>();

  /** What the person did not let the agent do, by the command or the file. */
  readonly #refused = new Set<string>();

  /** The last run before the last request; absent where there was none. */
  #before: string | undefined;

  readonly #cwd: string | undefined;

  /** @param cwd - the session's folder, where it is known. */
  constructor(cwd?: string) {
    this.#cwd = cwd;
  }

  add({ role, text, tool_calls }: Message): void {
    if (role === 'user' && text !== '') this.#before = [...this.#runs.keys()].at(-1);
    for (const call of tool_calls) {
      if (changesFile(call)) {
        this.#fresh.clear();
        if (call.effect === 'write') this.#addWritten(call.path);
      } else if (call.effect === 'write' && call.path !== undefined && forbidsWriting.test(call.outcome?.text ?? '')) {
        this.#unwritten.set(call.path, call);
      }
      this.#noteRefusal(call);
      const command = shortenCommand(call.command);
      if (isLooking(command) || call.outcome === undefined || wasRefused(call)) continue;
      this.#runs.delete(command);
      this.#runs.set(command, call);
      this.#fresh.add(command);
      if (this.#runs.size > commandsMax) this.#forgetOldest();
    }
  }

  /** Files written and how the newest checks ended, without judgement; none whose own result is not known. */
  results(): ExtractedResult[] {
    const isKnown = ([command, call]: [string, ToolCall]) => isCheck(command) && isConclusive(call);
    const outcomes = [...this.#runs].filter(isKnown).slice(-checksMax);
    const written = this.#written.size > 0 ? [toWritten([...this.#written])] : [];
    return [...written, ...outcomes.map(([command, call]) => toResult(command, call, this.#fresh.has(command)))];
  }

  /**
   * Commands that worked when they ran last, or run on as a server does, the newest first.
   *
   * @param bans - sentences in which the person forbids something. A command that one of them names is left out.
   */
  commands(bans: readonly string[]): ExtractedCommand[] {
    const isBanned = (command: string) => bans.some((ban) => namesCommand(ban, command));
    const worked = [...this.#runs]
      .filter(([command, call]) => isWorthKnowing(command, call) && !isBanned(command))
      .slice(-workedMax);
    return worked.reverse().map(([command, call]) => ({
      content: `\`${command}\`${this.#placeOf(call)}${runsOn(call) ? ' (started in the background, result unknown)' : ''}`,
    }));
  }

  /** Commands that failed: those never run again with success, and those that another one like them replaced. */
  attempts(): ExtractedAttempt[] {
    const runs = [...this.#runs];
    const succeeded = new Map<string, number>();
    for (const [index, [, call]] of runs.entries())
      if (hasWorked(call)) for (const program of programsOf(call)) succeeded.set(program, index);
    // Abandoned only where other commands or requests followed; the last failure is the present state.
    const isPresent = runs.at(-1)?.[0] !== this.#before;
    const unwritten = [...this.#unwritten].map(([path, call]) => ({ what: `Write ${path}`, outcome: failureOf(call) }));
    const failed = (isPresent ? runs.slice(0, -1) : runs).flatMap(([command, call], index) => {
      if (!isFailedAttempt(call) || isBlocked(call)) return [];
      const what = `\`${shorten(command, refusedMax)}\``;
      const replaced = findReplacement(command, runs.slice(index + 1, index + 1 + replacedWithin));
      if (replaced !== undefined)
        return [{ what, outcome: `${failureOf(call).replace(/\.$/, '')}. Then this worked: \`${replaced}\`` }];
      // Of several commands the last is the one that failed: those before let it run.
      const ended = succeeded.get(programsOf(call).at(-1) ?? '') ?? -1;
      return ended > index ? [] : [{ what, outcome: failureOf(call) }];
    });
    const refused = [...this.#refused].map((what) => ({ what, outcome: 'The person refused it.' }));
    const [command, blocked] = runs.findLast(([, call]) => isBlocked(call)) ?? [];
    const inSandbox =
      blocked === undefined
        ? []
        : [{ what: `\`${shorten(command ?? '', refusedMax)}\` in the host’s sandbox`, outcome: failureOf(blocked) }];
    return [...refused, ...unwritten, ...inSandbox, ...failed];
  }

  /** The folder that a command ran in, where it is not the session's. */
  #placeOf(call: ToolCall): string {
    const folder = (call.cwd ?? folderOf(call.command))?.replace(/\/$/, '');
    if (this.#cwd === undefined || folder === undefined || folder === this.#cwd) return '';
    const within = folder.startsWith(`${this.#cwd}/`) ? folder.slice(this.#cwd.length + 1) : folder;
    return ` (in ${within})`;
  }

  #noteRefusal(call: ToolCall): void {
    const { command, path, effect } = call;
    const isWork = command === undefined ? effect === 'write' : !isLooking(shortenCommand(command));
    if (!isWork) return;
    const what =
      command === undefined ? `Write ${path}` : `\`${shorten(command.trim().replace(/\s+/g, ' '), refusedMax)}\``;
    if (wasRefused(call)) this.#refused.add(what);
    else this.#refused.delete(what);
  }

  #addWritten(spelt: string | undefined): void {
    if (spelt === undefined) return;
    this.#unwritten.delete(spelt);
    const path = toProjectPath(spelt);
    if (path !== undefined) this.#written.add(path);
  }

  #forgetOldest(): void {
    for (const command of this.#runs.keys()) {
      this.#runs.delete(command);
      return;
    }
  }
}

/** A command that worked, of one line: the first line of several is no command. */
function isWorthKnowing(command: string, call: ToolCall): boolean {
  // The exit code is that of the last of several commands, and some hosts give none: then the output says what failed.
  const isProven = call.outcome?.exit_code === 0 && !/[|;]/.test(command);
  const said = call.outcome?.text ?? '';
  const isRefused = !isProven && (saysFailed.test(said.replace(saysNone, '')) || slips.test(said.slice(0, 500)));
  const keepsHouse = [command, ...command.split(/; */)].some((part) => housekeeping.test(part));
  const isUsable = hasWorked(call) || (runsOn(call) && !isCheck(command));
  // A command that is cut cannot be run.
  const given = (call.command ?? '').trim();
  const isWhole = given.endsWith(command) && !given.includes('\n');
  return isUsable && !isRefused && !keepsHouse && isWhole;
}

function runsOn({ outcome }: ToolCall): boolean {
  return outcome?.background !== undefined;
}

/** The first of these commands that is like the one that failed without being the same, and worked. */
function findReplacement(command: string, later: readonly [string, ToolCall][]): string | undefined {
  const words = new Set(command.split(/\s+/));
  return later.find(([other, call]) => {
    const others = new Set(other.split(/\s+/));
    const shared = [...words].filter((word) => others.has(word)).length;
    return other !== command && hasWorked(call) && shared / Math.max(words.size, others.size) >= replacedLikeness;
  })?.[0];
}

/** Whether the host's sandbox did not let a command run: the command itself was not tried. */
function isBlocked({ outcome }: ToolCall): boolean {
  return outcome !== undefined && hasFailed({ outcome }) && /^(?:bwrap|sandbox-exec): /m.test(outcome.text);
}

/** The program of each of the commands that `&&` joins, with its first word: `npm test`. */
function programsOf({ command = '' }: ToolCall): string[] {
  return command.split('&&').map((part) => part.trim().split(/\s+/).slice(0, 2).join(' '));
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

function toResult(command: string, { outcome }: ToolCall, isFresh: boolean): ExtractedResult {
  const failed = hasFailed({ outcome });
  const exit = outcome?.exit_code === undefined ? (failed ? 'failed' : 'succeeded') : `exit code ${outcome.exit_code}`;
  const when = isFresh ? '' : ', before later changes';
  return { description: `\`${command}\`: ${exit}${when}.`, status: failed ? 'failed' : 'completed' };
}
