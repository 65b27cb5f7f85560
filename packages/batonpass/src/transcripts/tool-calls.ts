import type { ToolCall, ToolOutcome } from '../core/conversation.ts';
import { asText, type JsonObject } from './json-value.ts';

/**
 * The beginning of a tool's answer that is looked at. More than is kept in the end: a secret must be seen whole to be
 * masked, and is masked before the text is cut.
 */
const outcomeCharactersRead = 4_096;

/** What the tools of Claude Code do to the file that they name; tools not named here do nothing to files. */
const effects: Readonly<Record<string, ToolCall['effect']>> = {
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'write',
  MultiEdit: 'write',
  Write: 'write',
  NotebookEdit: 'write',
};

/** A tool call from its name and input. @param cwd - paths below it become relative. */
export function readToolCall(name: string, input: JsonObject, cwd: string | undefined): ToolCall {
  const command = asText(input.command);
  if (command !== undefined) return readCommand(name, command, cwd);
  const effect = effects[name] ?? 'none';
  const path = asText(input.file_path) ?? asText(input.notebook_path) ?? asText(input.path) ?? asText(input.filePath);
  // The path of a search is a place to look, not a file that was worked on.
  if (path === undefined || effect === 'none') return { name, effect };
  return { name, effect, path: relativePath(path, cwd) };
}

function readCommand(name: string, command: string, cwd: string | undefined): ToolCall {
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
  const outcome: ToolOutcome = { is_error: isError, text: text.slice(0, outcomeCharactersRead).toWellFormed() };
  if (code !== undefined) outcome.exit_code = Number(code);
  return outcome;
}

/** A path below the session's folder, relative to it and with `/`; any other path as it is spelt. */
function relativePath(path: string, cwd: string | undefined): string {
  const isWindows = /^[A-Za-z]:\\|^\\\\/.test(path);
  const spelt = isWindows ? path.replaceAll('\\', '/') : path;
  const root = cwd?.replaceAll('\\', '/').replace(/\/+$/, '');
  if (root === undefined || root === '' || !spelt.startsWith(`${root}/`)) return path;
  return spelt.slice(root.length + 1);
}
