import type { ToolCall } from '../core/conversation.ts';
import { hasFailed, hereDocument, isCheck } from './checks.ts';

const commandCharactersMax = 300;

/** Commands that only look; that they ran proves nothing about the work. */
const looking =
  /^(?:cd|ls|cat|nl|head|tail|less|pwd|echo|which|find|grep|rg|sed -n|jq|sort|strings|xxd|wc|diff|cmp|tree|git (?:status|diff|log|show|branch|blame|remote|tag(?: -l)?(?= *(?:$|\|))|ls-files|rev-parse|stash list|config --(?:get|list))|Get-\w+|Select-String|Test-Path|dir|gh (?:\w+ (?:view|list|status|checks|watch|diff)|auth status)|sleep|env|date|ps|lsof|netstat|ss|pgrep|top|df|du|file|stat|type|uname|whoami|id|printenv)\b|^curl\b.* -o \/dev\/null/;

/** The person or the agent stopped it: nothing was tried. */
const stopped =
  /doesn't want to (?:proceed|take this action)|user rejected|interrupted by user|^The command was stopped/i;

/** A typing error or a wrong path: it says nothing about the work. */
export const slips =
  /no such file or directory|cannot find the path|(?:file|path|directory) (?:does not exist|not found)|syntax error near|unexpected (?:EOF|token|end of)|(?:unrecognized|unknown|invalid|illegal) (?:option|argument|flag|switch)|^usage:|not a git repository|pathspec .{1,200} did not match/im;

/** Whether a call changed or removed a file. */
export function changesFile({ effect, outcome }: ToolCall): boolean {
  return (effect === 'write' || effect === 'delete') && !outcome?.is_error;
}

/** The last command, where it failed and is no check, of which `readRuns` knows more; those that only look do not count. */
export function findFailedLast(calls: readonly ToolCall[]): ToolCall | undefined {
  const last = calls.findLast(({ command, outcome }) => outcome !== undefined && !isLooking(shortenCommand(command)));
  return last !== undefined && isFailedAttempt(last) && !isCheck(last.command ?? '') ? last : undefined;
}

/**
 * The commands that ran when the transcript ended: the last ones, without a result. None where the transcript has no
 * results, or not of all commands before.
 */
export function findRunning(calls: readonly ToolCall[]): ToolCall[] {
  const commands = calls.filter(({ command }) => command !== undefined);
  const ended = commands.findLastIndex(({ outcome }) => outcome !== undefined);
  const isWhole = ended !== -1 && commands.slice(0, ended).every(({ outcome }) => outcome !== undefined);
  return isWhole ? commands.slice(ended + 1) : [];
}

/** What a command does, shortened: its first line that does not only look; empty where each only looks. */
export function workOf(command: string | undefined): string {
  const own = (command ?? '').slice(0, linesCharactersMax).replace(hereDocument, '');
  const lines = own.split('\n').map(shortenCommand);
  return lines.find((line) => !isLooking(line)) ?? '';
}

const linesCharactersMax = 4_000;

/** Whether a command, shortened, is none, a comment, or only looks. */
export function isLooking(command: string): boolean {
  return /^(?:$|#)/.test(command) || looking.test(command.replace(entersFolder, ''));
}

/**
 * Whether a run failed and was an attempt: not without output, as of a `grep` that finds nothing, nor a call that the host
 * stopped with a failed one.
 */
export function isFailedAttempt({ command = '', outcome }: ToolCall): boolean {
  if (outcome === undefined || !hasFailed({ outcome }) || stopped.test(outcome.text)) return false;
  const said = outcome.text.replace(/^exit code \d+$/im, '').trim();
  if (said === '') return isCheck(command);
  return !/^<tool_use_error>[^<]*sibling/i.test(said) && (isCheck(command) || !slips.test(said));
}

/** How a command changes into a folder before it does anything. */
const entersFolder = /^cd (?<folder>"[^"\n]{1,300}"|'[^'\n]{1,300}'|[^\s;&|"']{1,300})(?: &&|;) /;

/** The whole path that a command changes into before it does anything. */
export function folderOf(command = ''): string | undefined {
  const folder = entersFolder.exec(command.trimStart())?.groups?.folder?.replace(/^["']|["']$/g, '');
  return folder !== undefined && /^(?:[/~\\$]|[A-Za-z]:)/.test(folder) ? folder : undefined;
}

/** The first line of a command that does something, without a leading `cd` to a whole path; empty for none. */
export function shortenCommand(command: string | undefined): string {
  const lines = (command ?? '')
    .trimStart()
    .slice(0, 4 * commandCharactersMax)
    .split('\n');
  const first = lines.findIndex((line) => !/^\s*(?:#|$)/.test(line));
  const [line = '', next = ''] = lines.slice(Math.max(0, first));
  // "bash -c '" says nothing without what it opens.
  const given = (/(?:^|\s)["']$/.test(line.trimEnd()) ? `${line.trimEnd()}${next.trim()}` : line).trim();
  const own = folderOf(given) === undefined ? given : given.replace(entersFolder, '');
  return own.slice(0, commandCharactersMax).toWellFormed();
}

/** What runs another program, which the words after it name. */
const launchers = /^(?:sudo|npx|bunx|uvx|pnpm dlx|npm exec|env|\w+=\S*)\s+/;

/** Whether a text names what a command does: its program and the next words, up to three of them without options. */
export function namesCommand(text: string, command: string): boolean {
  let own = command;
  while (launchers.test(own)) own = own.replace(launchers, '');
  const words = own.split(/\s+/).filter((word) => /^[\w@][\w@/.:-]*$/.test(word));
  const named = text.toLowerCase();
  return words.length > 1 && words.slice(0, 3).every((word) => named.includes(word.toLowerCase()));
}
