import type { TodoChange, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { isTurnedDown, withoutSpoken } from './claude-code-text.ts';
import { readCodeOutcome } from './codex-code-mode.ts';
import { readCallOutcome, readCode } from './codex-items.ts';
import { firstFence, lastFence, readBlock, readResult, type SpecStoryBlock } from './specstory-blocks.ts';
import { readRun } from './specstory-commands.ts';
import { readTodos } from './todo-lists.ts';
import { readCommand, readOutcome, readPatch, readPrinted, relativePath } from './tool-calls.ts';

/** The tools of all hosts by what they do to their file; SpecStory's word for a tool's kind stands for all others. */
const toolsByEffect: Readonly<Record<ToolCall['effect'], readonly string[]>> = {
  read: ['read', 'read_file', 'view_image'],
  write: [
    ...['write', 'edit', 'NotebookEdit', 'apply_patch'],
    ...['code_edit', 'edit_file', 'search_replace', 'create_file'],
    // Gemini CLI and Factory's Droid
    ...['replace', 'smart_edit', 'Create', 'Edit'],
    // VS Code
    ...['replace_string_in_file', 'multi_replace_string_in_file', 'insert_edit_into_file', 'edit_notebook_file'],
    'copilot_createFile',
  ],
  delete: ['delete_file', 'Delete'],
  // These list a folder or fetch a page.
  none: ['LS', 'ls', 'list_dir', 'list_directory', 'read_directory', 'WebFetch', 'web_fetch'],
};

const effects: ReadonlyMap<string, ToolCall['effect']> = new Map(
  (['read', 'write', 'delete', 'none'] as const).flatMap((effect) =>
    toolsByEffect[effect].map((name) => [name, effect] as const),
  ),
);

const shells: ReadonlySet<string> = new Set([
  ...['shell', 'bash', 'command', 'run_terminal_cmd', 'run_in_terminal', 'shell_command', 'exec_command'],
  ...['run_shell_command', 'Execute', 'powershell'],
]);

/**
 * A tool's block in an export of SpecStory as calls: code and a patch have several.
 *
 * @param cwd - paths below it become relative.
 */
export function readToolBlock(text: string, cwd: string | undefined): ToolCall[] {
  const isList = text.startsWith('## Todo List');
  const block = isList ? { kind: '', name: 'todo_write', summary: '', body: text } : readBlock(text);
  return readTodoList(block) ?? readCodeCalls(block, cwd) ?? readShell(block, cwd) ?? readFiles(text, block, cwd);
}

/** How a result begins that is a failure, and what the exports write above one. */
const failedResult =
  /^\s*(?:<tool_use_error>|(?:Error: )?Exit code:? [1-9]|apply_patch verification failed|Failed to find expected lines)/;
const reportedFailure = /^(?:\*\*Error:\*\*|\*\*Apply failed\*\*|Status: \*\*error\*\*|Output \(error\):)/m;

const todoTools = /^(?:todo_?write|update_plan|write_todos|manage_todo_list|create_plan)$/i;

function readTodoList({ name, body }: SpecStoryBlock): ToolCall[] | undefined {
  const todos = todoTools.test(name) ? readTicked(body) : undefined;
  return todos && [{ name, effect: 'none', todos }];
}

/** The first list of tasks with boxes; a lightning marks the one in progress, other signs its priority. */
function readTicked(text: string): TodoChange | undefined {
  const from = text.search(/^[ \t]*- \[/m);
  const [list = ''] = from === -1 ? [] : text.slice(from).split('\n\n', 1);
  const todos = list
    .replace(/^([ \t]*- )\[⚡\] /gm, '$1[-] ')
    .replace(/^([ \t]*- )\[ \] ([^\n]{1,500}) _\(in progress\)_$/gm, '$1[-] $2')
    .replace(/^([ \t]*- \[.\]) (?:🔥|🌡️|❄️) /gm, '$1 ');
  return todos === '' ? undefined : readTodos('update_todo_list', { todos });
}

/** The calls that are written out in the code of Codex's tool `exec`. */
function readCodeCalls({ name, body }: SpecStoryBlock, cwd: string | undefined): ToolCall[] | undefined {
  const given = name === 'exec' ? /^Input(?<cut> \(truncated\))?:\s(?=`{3})/m.exec(body) : null;
  if (given === null) return undefined;
  const text = body.slice(given.index + given[0].length);
  const code = firstFence(text);
  const made = readCode(code?.text ?? '', cwd);
  // Of code that is cut, the commands alone: a list of tasks or of files would not be the last.
  const calls = given.groups?.cut === undefined ? made : made.filter(({ command }) => command !== undefined);
  if (calls.length === 0) return undefined;
  const result = readResult(text.slice(code?.end));
  const outcome = result === undefined ? undefined : readCodeOutcome(result);
  return outcome === undefined ? calls : calls.map((call) => ({ ...call, outcome }));
}

/** A command that applies a patch is a call for each of the patch's files. */
function readShell(block: SpecStoryBlock, cwd: string | undefined): ToolCall[] | undefined {
  const { kind, name } = block;
  const isShell = (shells.has(kind) || shells.has(name)) && effects.get(name) !== 'none';
  const run = isShell ? readRun(block) : undefined;
  if (run === undefined) return undefined;
  const { command, rest } = run;
  const files = command.includes('*** Begin Patch') ? readPatch('apply_patch', command, cwd) : [];
  const calls = files.length > 0 ? files : [readCommand(name, command, cwd)];
  const result = readResult(rest);
  if (result === undefined) return calls;
  const outcome = readRunOutcome(name, result, reportedFailure.test(rest.slice(0, rest.indexOf(result))));
  for (const call of calls) call.outcome = outcome;
  return calls;
}

function readRunOutcome(name: string, text: string, isError: boolean): ToolOutcome {
  // Codex and Cursor's agent report before what a command printed, Gemini CLI and Copilot CLI after it.
  if (/^(?:Chunk ID: |Wall time: |Exit code: )/.test(text)) return readCallOutcome(text.replace(/\nOutput:$/, '$&\n'));
  const failed = isError || failedResult.test(text) || isTurnedDown(text);
  // Claude Code reports each failure; other hosts' exports only what a command printed.
  if (name === 'Bash') return readOutcome(withoutSpoken(text), failed);
  const code = endReport.exec(text.slice(-500))?.groups?.code;
  const outcome = readPrinted(withoutSpoken(text), failed);
  return code === undefined ? outcome : { ...outcome, is_error: failed || code !== '0', exit_code: Number(code) };
}

const endReport = /^(?:Exit Code: |<(?:exited|shellId: \S{1,80} completed) with exit code )(?<code>\d{1,3})>?$/m;

/** What a tool did to its file, or a patch to each of its files. */
function readFiles(text: string, block: SpecStoryBlock, cwd: string | undefined): ToolCall[] {
  const { name, body } = block;
  const patched = /apply_?patch$/i.test(name) ? readPatch(name, asPatch(body), cwd) : [];
  const calls = patched.length > 0 ? patched : [readFile(text, block, cwd)];
  const result = lastFence(body);
  if (result === undefined) return calls;
  const isError =
    failedResult.test(result) || isTurnedDown(result) || reportedFailure.test(body.slice(0, body.lastIndexOf(result)));
  if (isError) for (const call of calls) call.outcome = readOutcome(withoutSpoken(result), true);
  return calls;
}

function readFile(text: string, { name, kind, summary, body }: SpecStoryBlock, cwd: string | undefined): ToolCall {
  const said = /(?<what>Read|Edit|Create|Delete) file: (?<path>[^\n<•]{1,500})/.exec(text)?.groups;
  const spoken =
    said?.what === undefined ? undefined : (({ Read: 'read', Delete: 'delete' } as const)[said.what] ?? 'write');
  const effect = spoken ?? effects.get(name) ?? effects.get(kind) ?? 'none';
  const found = effect === 'none' ? undefined : (said?.path ?? findPath(summary, body, name));
  const path = found?.trim().replace(/^\.\//, '');
  if (path === undefined || path === '' || path === 'undefined') return { name, effect: 'none' };
  return { name, effect, path: relativePath(path, cwd) };
}

/** How the exports name a file, the surest first. */
const pathForms = [
  /File created successfully at: (?<path>[^\n]{1,500}?)(?: \(file state is current[^\n]*)?$/m,
  /The file (?<path>[^\n]{1,500}?) has been updated/,
  /^[ \t]*"(?:file_path|notebook_path|path|target_file|relativeWorkspacePath)": "(?<path>[^"\n]{1,500})"/m,
  /^- (?:filePath|file_path|notebook_path|path): `(?<path>[^`\n]{1,500})`$/m,
  /^(?:\*\*Path:\*\*\n```text\n|Path: `)(?<path>[^`\n]{1,500})(?:\n```|`)$/m,
  /^[ \t]*`(?<path>[^`\n]{1,500})`[ \t]*$/m,
  /^```diff\n--- (?<path>[^\n]{1,500})\n\+\+\+ /m,
];

function findPath(summary: string, body: string, name: string): string | undefined {
  const shown = /^(?:`(?<path>[^`\n]{1,500})`|• Apply patch for (?<patched>[^\n]{1,500})$)/.exec(summary)?.groups;
  // VS Code shows a link without a text.
  const link = /\[\]\(file:\/\/(?<path>\/[^)\s#]{1,500})/.exec(summary)?.groups?.path;
  const alone = name === 'view_image' ? /^[ \t]*(?<path>\/[^\n]{1,500})$/m.exec(body)?.groups?.path : undefined;
  for (const form of pathForms) {
    const path = form.exec(body)?.groups?.path;
    if (path !== undefined) return path;
  }
  return shown?.path ?? shown?.patched ?? (link === undefined ? alone : decodePath(link));
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign may be the name's own.
    return path;
  }
}

/** What a block says of a patch, as a patch: the headings of its files, or what the host reported of them. */
function asPatch(body: string): string {
  const headed = body.replace(
    /^\*\*(Update|Modify|Add|Delete): `([^`\n]{1,500})`\*\*$/gm,
    (_, what: string, path: string) => `*** ${what === 'Modify' ? 'Update' : what} File: ${path}`,
  );
  const reported = body.indexOf('Success. Updated the following files:');
  if (headed.includes('\n*** ') || reported === -1) return headed;
  const effect: Readonly<Record<string, string>> = { A: 'Add', M: 'Update', D: 'Delete' };
  return body
    .slice(reported)
    .replace(/^([AMD]) ([^\n]{1,500})$/gm, (_, what: string, path: string) => `*** ${effect[what]} File: ${path}`);
}
