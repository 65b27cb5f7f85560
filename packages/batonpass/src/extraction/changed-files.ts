import type { ToolCall } from '../core/conversation.ts';

/**
 * The files that tool calls, none of them failed, wrote and that are still there and not committed: the newest last.
 *
 * @param cwd - the folder that relative paths are in.
 */
export function findChanged(calls: readonly ToolCall[], cwd: string | undefined): string[] {
  const paths = new Set<string>();
  for (const { path, effect, command } of calls) {
    const relative = cwd === undefined ? command : command?.replaceAll(`${cwd.replace(/[\\/]$/, '')}/`, './');
    for (const part of relative?.split(/&&|\|\||[;|\n]/) ?? []) apply(part.trim(), paths);
    if (path === undefined) continue;
    if (effect === 'write') paths.add(path);
    if (effect === 'delete') paths.delete(path);
  }
  return [...paths];
}

/** Commits or throws away what was written; a wrapper may come before it (`sudo git`, `rtk git`). */
const clears =
  /^(?:(?!echo|grep|rg|man)[\w=./-]+ ){0,2}git\b.*\b(?:commit|reset --hard|clean -\w*f|checkout (?:-f\b|-- \.|\.)|restore (?:--\S+ )*\.)/;
const moves = /^(?:git )?mv (?:-\S+ )*(?<from>\S+) (?<to>\S+)$/;
const removes = /^(?:sudo )?(?:(?:git )?rm|unlink|del|Remove-Item)\b(?<what>.*)$/i;
/** Throws away what was written to the files that it names. */
const restores = /^git (?:checkout (?:\S+ )?--|restore)(?<what> .*)$/;

function apply(command: string, paths: Set<string>): void {
  if (clears.test(command)) paths.clear();
  const { from, to } = moves.exec(command)?.groups ?? {};
  if (from !== undefined && to !== undefined) {
    for (const path of [...paths]) {
      const at = isWithin(path, from) ? path.indexOf(bare(from)) : -1;
      if (at === -1) continue;
      paths.delete(path);
      paths.add(path.slice(0, at) + bare(to) + path.slice(at + bare(from).length));
    }
  }
  const { what } = (removes.exec(command) ?? restores.exec(command))?.groups ?? {};
  const gone = what?.split(/[\s,]+/).filter((word) => word !== '' && !word.startsWith('-')) ?? [];
  for (const path of [...paths]) if (gone.some((each) => isNamed(path, each))) paths.delete(path);
}

/** Whether a command's argument names a path: the path itself, a folder above it, or a pattern with `*`. */
function isNamed(path: string, word: string): boolean {
  if (!word.includes('*')) return isWithin(path, word);
  // A `*` alone names everything in a folder that is not known here.
  if (!/\w/.test(word)) return false;
  const patterns = bare(word).split('/');
  const names = bare(path).split('/');
  return names.some((_, from) => patterns.every((pattern, at) => matches(names[from + at] ?? '', pattern)));
}

/** Whether a name matches a pattern in which `*` is any text, in linear time for any pattern. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length >= at + last.length && name.endsWith(last);
}

/** Whether a path is the named one or below it; either may be spelt from another folder. */
function isWithin(path: string, named: string): boolean {
  const name = bare(named);
  return name.length > 1 && `/${bare(path)}/`.includes(`/${name.replace(/^\//, '')}/`);
}

function bare(path: string): string {
  return path.replace(/^["']|["']$/g, '').replace(/^\.\/|\/$/g, '');
}
