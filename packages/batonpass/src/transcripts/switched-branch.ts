import type { Conversation } from '../core/conversation.ts';
import { readSwitchReport } from '../core/git-reports.ts';
import { relativePath } from './tool-calls.ts';

/** A command that may switch the branch. */
const switches = /\bgit\b[^|;&\n]*\b(?:checkout|switch)\b|\bgh pr checkout\b/;
/** A command of another repository, where the folder is not the session's. */
const elsewhere = /(?:^|[;&|\n(])\s*cd\s|\bgit\s+-C\b/;

/**
 * The branch that git reported to have switched to last, by a command of the session in its own folder; absent where it
 * reported none. A commit that is checked out without a branch, `HEAD`, is none.
 */
export function readSwitchedBranch({ cwd, messages }: Pick<Conversation, 'cwd' | 'messages'>): string | undefined {
  for (const { tool_calls } of messages.toReversed()) {
    for (const { command = '', cwd: folder = cwd, outcome } of tool_calls.toReversed()) {
      if (outcome === undefined || !switches.test(command) || folder !== cwd) continue;
      const branch = elsewhere.test(withoutOwn(command, cwd)) ? undefined : readSwitchReport(outcome.text);
      if (branch !== undefined) return branch;
    }
  }
  return undefined;
}

/** The command without a `cd` to the session's own folder, or a folder below it. */
function withoutOwn(command: string, cwd: string | undefined): string {
  const { to = '' } = /^\s*cd\s+["']?(?<to>[^"'\s;&|]+)["']?\s*&&/.exec(command)?.groups ?? {};
  const isOwn = cwd !== undefined && to !== '' && (to === cwd || relativePath(to, cwd) !== to);
  return isOwn ? command.slice(command.indexOf('&&')) : command;
}

/** A branch as a host names it; `HEAD` is none. */
export function toBranch(name: string | undefined): string | undefined {
  return name === 'HEAD' ? undefined : name;
}
