import type { ToolCall, ToolOutcome } from '../core/conversation.ts';
import { cutBeforeReports } from '../core/git-reports.ts';
import { asText, type JsonObject } from './json-value.ts';
import { readTodos } from './todo-lists.ts';

/**
 * The beginning of a tool's answer that is read. More than is kept in the end: a secret must be seen whole to be
 * masked, and is masked before the text is cut.
 */
const outcomeCharactersRead = 4_096;

/** What the tools of known hosts do to the file that they name; tools not named here do nothing to files. */
const effects: ReadonlyMap<string, ToolCall['effect']> = new Map([
  // Claude Code
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['Edit', 'write'],
  ['MultiEdit', 'write'],
  ['Write', 'write'],
  ['NotebookEdit', 'write'],
  // Cursor, with the versions of its tools
  ['StrReplace', 'write'],
  ['Delete', 'delete'],
  ['read_file', 'read'],
  ['read_file_v2', 'read'],
  ['edit_file', 'write'],
  ['edit_file_v2', 'write'],
  ['search_replace', 'write'],
  ['write', 'write'],
  ['edit_notebook', 'write'],
  ['delete_file', 'delete'],
  // Copilot CLI and OpenCode
  ['create', 'write'],
  ['edit', 'write'],
  ['view', 'read'],
  ['read', 'read'],
  // Codex
  ['view_image', 'read'],
  // Gemini CLI
  ['write_file', 'write'],
  ['replace', 'write'],
  // Cline and Roo Code
  ['write_to_file', 'write'],
  ['replace_in_file', 'write'],
  ['apply_diff', 'write'],
  ['insert_content', 'write'],
  ['search_and_replace', 'write'],
]);

/** The names under which tools are given a file. */
const pathFields = ['file_path', 'notebook_path', 'path', 'filePath', 'target_file', 'relativeWorkspacePath'] as const;

/** A tool call from its name and input. @param cwd - paths below it become relative. */
export function readToolCall(name: string, input: JsonObject, cwd: string | undefined): ToolCall {
  const command = asText(input.command);
  // A helper agent is given a prompt, in OpenCode also the person's words as its `command`.
  if (command !== undefined && input.prompt === undefined) return readCommand(name, command, cwd);
  const todos = readTodos(name, input);
  if (todos !== undefined) return { name, effect: 'none', todos };
  const effect = effects.get(name) ?? 'none';
  const field = pathFields.find((known) => asText(input[known]) !== undefined);
  const path = field === undefined ? undefined : asText(input[field]);
  // The path of a search is where it searched, not a file that was worked on.
  if (path === undefined || effect === 'none') return { name, effect };
  return { name, effect, path: relativePath(path, cwd) };
}

/** A file that a shell writes a text into: `cat > FILE <<'EOF'`, `cat <<EOF > FILE`, `tee FILE <<EOF`. */
const heredocTarget =
  /^(?:(?:cd|mkdir -p) [^\s|;&<>]+ && )*(?:cat\s*>\s*|tee\s+|cat\s*<<-?\s*["']?\w+["']?\s*>\s*)["']?(?!\/dev\/)(?<path>[^\s|;&<>*?$"'`]+)["']?[ \t]*(?:<<|\n)/;

/** So much of a command line is searched for the file that it writes. */
const commandHeadCharacters = 1_000;

/** A call that ran a command line; writing, removing or moving one file is known by the line alone. */
export function readCommand(name: string, command: string, cwd: string | undefined): ToolCall {
  const created = heredocTarget.exec(command.trimStart().slice(0, commandHeadCharacters))?.groups?.path;
  if (created !== undefined && command.includes('<<')) {
    return { name, command, effect: 'write', path: relativePath(created, cwd) };
  }
  const removed = /^(?:git )?rm (?:-[a-zA-Z]+ )*(?<path>[^\s|;&<>*?$"'`]+)$/.exec(command.trim())?.groups?.path;
  const moved = /^git mv (?:-[a-zA-Z]+ )*(?<path>[^\s|;&<>*?$"'`]+) \S+$/.exec(command.trim())?.groups?.path;
  const path = removed ?? moved;
  if (path === undefined) return { name, command, effect: 'none' };
  return { name, command, effect: 'delete', path: relativePath(path, cwd) };
}

/** What a tool answered, not yet masked and cut; the exit code where the text names one. */
export function readOutcome(text: string, isError: boolean): ToolOutcome {
  const code = /^(?:Error: )?(?:Exit code|Command failed with exit code|exit status)[: ]{1,2}(?<code>\d{1,3})\b/i.exec(
    text,
  )?.groups?.code;
  const outcome: ToolOutcome = {
    is_error: isError,
    text: cutBeforeReports(text, outcomeCharactersRead).toWellFormed(),
  };
  if (code !== undefined) outcome.exit_code = Number(code);
  const background = code === undefined ? findBackground(text) : undefined;
  return background === undefined ? outcome : { ...outcome, background };
}

/** How shells, compilers, package managers and test runners report a failure. */
const failureShown =
  /(?:^|: )command not found(?::|$)|is not recognized as (?:an internal|the name|a name)|^\s*\+ (?:FullyQualifiedErrorId|CategoryInfo)\s*:|^npm (?:ERR!|error )|^error(?:\[\w+\])?: |\berror TS\d+: |^fatal: |^(?:make|gmake)(?:\[\d+\])?: \*\*\* |^Traceback \(most recent call last\)|^\s*ELIFECYCLE\b|\bBUILD FAILED\b|^\W*Failed to compile\b|\bE(?:ADDRINUSE|NOSPC)\b|\bno such directory\b|^FAILURE: |^Tests?:? +[1-9]\d* failed|^=+ .*\b[1-9]\d* failed\b|^\s*[1-9]\d* failing$|: No (?:such file or directory|space left on device)$/m;

/** The outcome of a command in a transcript without exit codes: only the output can show that it failed. */
export function readPrinted(text: string, isError: boolean): ToolOutcome {
  const outcome = readOutcome(text, isError);
  const isShown = outcome.exit_code === undefined && failureShown.test(text);
  return isShown ? { ...outcome, is_error: true } : outcome;
}

/** How hosts report that a command runs on: Claude Code and Gemini CLI, Codex, Copilot CLI. */
const backgroundReports = [
  /^Command\b[^\n]{0,200}?\bbackground(?:ed)?\b[^\n]{0,40}?\bP?ID: (?<name>[\w-]{1,80})/,
  /^(?:(?!Output:).*\n){0,6}Process running with session ID (?<name>\d{1,20})$/m,
  /<command (?:started in (?:detached )?background )?with shellId: (?<name>[^\s>]{1,80})(?: is still running|>)/,
];

function findBackground(text: string): string | undefined {
  const sides = [text.slice(0, sideCharactersRead), text.slice(-sideCharactersRead)];
  for (const side of sides) {
    for (const report of backgroundReports) {
      const name = report.exec(side)?.groups?.name;
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

/** Hosts report before what a command printed, or after it. */
const sideCharactersRead = 500;

/** The names under which tools are given a command that runs in the background. */
const backgroundFields = ['task_id', 'bash_id', 'shell_id', 'shellId', 'session_id'] as const;

/** The background command that a call without a command of its own waits for, reads or writes to. */
export function readBackgroundName(input: JsonObject): string | undefined {
  if (input.command !== undefined || input.cmd !== undefined) return undefined;
  const field = backgroundFields.find((known) => /^(?:string|number)$/.test(typeof input[known]));
  return field === undefined ? undefined : String(input[field]);
}

/** The files that a patch in the form of `apply_patch` writes and deletes, each as a call of its own. */
export function readPatch(name: string, patch: string, cwd: string | undefined): ToolCall[] {
  const calls: ToolCall[] = [];
  for (const { groups } of patch.matchAll(
    /^\*\*\* (?<what>Add File|Update File|Delete File|Move to): (?<path>.+)$/gm,
  )) {
    const { what, path = '' } = groups ?? {};
    const effect = what === 'Delete File' ? 'delete' : 'write';
    const moved = what === 'Move to' ? calls.at(-1) : undefined;
    if (moved !== undefined) moved.effect = 'delete';
    calls.push({ name, effect, path: relativePath(path.trim(), cwd) });
  }
  return calls;
}

/** A path below the session's folder, relative to it and with `/`; any other path as it is spelt. */
export function relativePath(path: string, cwd: string | undefined): string {
  const isWindows = /^[A-Za-z]:\\|^\\\\/.test(path);
  const spelt = isWindows ? path.replaceAll('\\', '/') : path;
  const root = cwd?.replaceAll('\\', '/').replace(/\/+$/, '');
  if (root === undefined || root === '' || !spelt.startsWith(`${root}/`)) return path;
  return spelt.slice(root.length + 1);
}
