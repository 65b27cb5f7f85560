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
const removes = /^(?:git )?rm (?:-\S+ )*(?<what>[^-].*)$/;

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
  const removed = removes.exec(command)?.groups?.what?.split(/\s+/) ?? [];
  for (const path of [...paths]) if (removed.some((each) => isWithin(path, each))) paths.delete(path);
}

/** Whether a path is the named one or below it; either may be spelt from another folder. */
function isWithin(path: string, named: string): boolean {
  const name = bare(named);
  return name.length > 1 && `/${bare(path)}/`.includes(`/${name.replace(/^\//, '')}/`);
}

function bare(path: string): string {
  return path.replace(/^["']|["']$/g, '').replace(/^\.\/|\/$/g, '');
}
