import { isOwnCommand } from './launcher.ts';

/**
 * How a registered command runs a hook of Baton's. `own`: as `init` registers it, by whatever launcher. `line`: among
 * other words, as `echo hello; baton hook Stop`. `script`: a program of another name that is given `hook EVENT`, which may
 * be a wrapper of Baton's, or another tool altogether.
 */
export type HookForm = 'own' | 'line' | 'script';

/**
 * How a registered command relates to Baton; nothing where it does not.
 *
 * @param args - the words after the command where no shell runs it.
 */
export function formOf(event: string, command: string, args: readonly string[] | undefined): HookForm | undefined {
  const words = withoutHost(args === undefined ? splitWords(command) : [command, ...args]);
  if (isOwnCommand(words, [/^hook$/, /^[A-Za-z]+$/])) return 'own';
  if (runsBaton([command, ...(args ?? [])].join(' '))) return 'line';
  const [program, ...rest] = words.filter((word) => !/^\d*[<>]/.test(word));
  return program !== undefined && rest.at(-2) === 'hook' && rest.at(-1) === event ? 'script' : undefined;
}

/** What makes a shell line succeed whatever its command does, on each system. */
export const goodEnd = '|| exit 0';

/** The host's name is the last word of a command of Baton; after it comes only the end of the line. */
function withoutHost(words: string[]): string[] {
  const end = goodEnd.split(' ');
  const own = words.slice(-end.length).join(' ') === goodEnd ? words.slice(0, -end.length) : words;
  return own.at(-2) === '--host' ? own.slice(0, -2) : own;
}

/** A command that a shell would read: its words, without simple quotes. */
function splitWords(command: string): string[] {
  return (command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

const hookOfOurs =
  /(?:(?<![\w-])(?:baton|batonpass)(?:@[\w.-]+|\.cmd|\.exe|\.ps1)?|batonpass\/bin\/baton\.js)["']?\s+hook\s+[A-Za-z]/g;

/** Whether a hook of Baton is anywhere in a line as a command, not as printed words or a comment. */
function runsBaton(line: string): boolean {
  return [...line.replaceAll('\\', '/').matchAll(hookOfOurs)].some(({ index }) => {
    const before =
      line
        .slice(0, index)
        .split(/[;&|\n(`]/)
        .at(-1) ?? '';
    return !/^\s*(?:echo\b|printf\b|#)/.test(before);
  });
}
