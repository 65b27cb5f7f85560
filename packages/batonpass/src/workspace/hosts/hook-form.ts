import { isOwnCommand } from './launcher.ts';

/**
 * How a registered command runs a hook of Baton's. `own`: as `init` registers it, by whatever launcher. `line`: among
 * other words, as `echo hello; baton hook Stop`. `script`: a program of another name that is given `hook EVENT`, which may
 * be a wrapper of Baton's, or another tool altogether.
 */
export type HookForm = 'own' | 'line' | 'script';

/**
 * Tells what a registered command has to do with Baton; nothing where it has nothing to do with it.
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

/** What lets a line of the shell end well whatever becomes of its command, on each system. */
export const goodEnd = '|| exit 0';

/** Which host asks is the last that a command of ours says; behind it stands only how the line ends. */
function withoutHost(words: string[]): string[] {
  const end = goodEnd.split(' ');
  const own = words.slice(-end.length).join(' ') === goodEnd ? words.slice(0, -end.length) : words;
  return own.at(-2) === '--host' ? own.slice(0, -2) : own;
}

/** A command that a shell would read: words apart, simple quotes taken off. */
function splitWords(command: string): string[] {
  return (command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

const hookOfOurs =
  /(?:(?<![\w-])(?:baton|batonpass)(?:@[\w.-]+|\.cmd|\.exe|\.ps1)?|batonpass\/bin\/baton\.js)["']?\s+hook\s+[A-Za-z]/g;

/** Whether a hook of ours stands anywhere in a line as a command, not as words that are printed or a remark. */
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
