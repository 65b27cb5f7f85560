import type { TodoChange, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { isTurnedDown, questionTool, readSpokenResult, withoutSpoken } from './claude-code-text.ts';
import { readCodeOutcome } from './codex-code-mode.ts';
import { readCallOutcome, readCode } from './codex-items.ts';
import { asText, parseLine } from './json-value.ts';
import { describeAnswer } from './question-tool.ts';
import { type Fence, firstFence, readBlock, readResult, type SpecStoryBlock } from './specstory-blocks.ts';
import { readTodos } from './todo-lists.ts';
import { readCommand, readOutcome, readPatch, readPrinted, relativePath } from './tool-calls.ts';

/** What tools do to their file, by their name; SpecStory's word for their kind stands for all others. */
const effects: ReadonlyMap<string, ToolCall['effect']> = new Map([
  ['read', 'read'],
  ['write', 'write'],
  ['edit', 'write'],
  ['NotebookEdit', 'write'],
  ['read_file', 'read'],
  ['view_image', 'read'],
  ['code_edit', 'write'],
  ['edit_file', 'write'],
  ['search_replace', 'write'],
  ['create_file', 'write'],
  ['delete_file', 'delete'],
  ['Delete', 'delete'],
  ['apply_patch', 'write'],
  // Gemini CLI and Factory's Droid
  ['replace', 'write'],
  ['smart_edit', 'write'],
  ['Create', 'write'],
  ['Edit', 'write'],
  // VS Code
  ['replace_string_in_file', 'write'],
  ['multi_replace_string_in_file', 'write'],
  ['insert_edit_into_file', 'write'],
  ['edit_notebook_file', 'write'],
  ['copilot_createFile', 'write'],
  // These list a folder or fetch a page.
  ...['LS', 'ls', 'list_dir', 'list_directory', 'read_directory', 'WebFetch', 'web_fetch'].map(
    (name) => [name, 'none'] as const,
  ),
]);

const shells: ReadonlySet<string> = new Set([
  ...['shell', 'bash', 'command', 'run_terminal_cmd', 'run_in_terminal', 'shell_command', 'exec_command'],
  ...['run_shell_command', 'Execute', 'powershell'],
]);

/** A tool's block in an export of SpecStory as calls: code and a patch have several. @param cwd - paths below it become relative. */
export function readToolBlock(text: string, cwd: string | undefined): ToolCall[] {
  const isList = text.startsWith('## Todo List');
  const block = isList ? { kind: '', name: 'todo_write', summary: '', body: text } : readBlock(text);
  const { name, body } = block;
  const todos = todoTools.test(name) ? readTicked(body) : undefined;
  if (todos !== undefined) return [{ name, effect: 'none', todos }];
  const made = name === 'exec' ? readCodeOf(body, cwd) : [];
  if (made.length > 0) return made;
  const isShell = (shells.has(block.kind) || shells.has(name)) && effects.get(name) !== 'none';
  const run = isShell ? readCommandOf(block) : undefined;
  if (run !== undefined) return runCalls(name, run, cwd);
  const patched = /apply_?patch$/i.test(name) ? readPatch(name, asPatch(body), cwd) : [];
  const calls = patched.length > 0 ? patched : [readFile(text, block, cwd)];
  const result = lastFence(body);
  if (result === undefined) return calls;
  const isError =
    failedResult.test(result) || isTurnedDown(result) || reportedFailure.test(body.slice(0, body.lastIndexOf(result)));
  if (isError) for (const call of calls) call.outcome = readOutcome(withoutSpoken(result), true);
  return calls;
}

/** How a result begins that is a failure, and what the exports write above one. */
const failedResult =
  /^\s*(?:<tool_use_error>|(?:Error: )?Exit code:? [1-9]|apply_patch verification failed|Failed to find expected lines)/;
const reportedFailure = /^(?:\*\*Error:\*\*|\*\*Apply failed\*\*|Status: \*\*error\*\*|Output \(error\):)/m;

const todoTools = /^(?:todo_?write|update_plan|write_todos|manage_todo_list|create_plan)$/i;

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
function readCodeOf(body: string, cwd: string | undefined): ToolCall[] {
  const given = /^Input(?<cut> \(truncated\))?:\s(?=`{3})/m.exec(body);
  if (given === null) return [];
  const text = body.slice(given.index + given[0].length);
  const code = firstFence(text);
  const made = readCode(code?.text ?? '', cwd);
  // Of code that is cut, the commands alone: a list of tasks or of files would not be the last.
  const calls = given.groups?.cut === undefined ? made : made.filter(({ command }) => command !== undefined);
  const result = readResult(text.slice(code?.end));
  if (result === undefined) return calls;
  const outcome = readCodeOutcome(result);
  return outcome === undefined ? calls : calls.map((call) => ({ ...call, outcome }));
}

/** A command, and the text of its block below it. */
interface Run {
  command: string;
  rest: string;
}

/** A command that applies a patch is a call for each of the patch's files. */
function runCalls(name: string, { command, rest }: Run, cwd: string | undefined): ToolCall[] {
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

/** What was asked and answered in a block of the host's own question tool, in the order of speech; else why a call was turned down. */
export function readSpoken(name: string, block: string): { role: 'assistant' | 'user'; text: string }[] {
  const { body } = readBlock(block);
  if (!questionTools.has(name)) {
    const text = readSpokenResult(lastFence(body) ?? '', name);
    return text === '' ? [] : [{ role: 'user', text }];
  }
  const [first = '', ...rest] = withAnswer(body).split(/^\*\*Answer:\*\*[ \t]*/m);
  let asked = first;
  const parts = rest.flatMap((part) => {
    const next = part.search(/^\*\*/m);
    const question = /^\*\*(?<question>[^\n]{1,1000}?)\*\*$/m.exec(asked)?.groups?.question;
    const said = (next === -1 ? part : part.slice(0, next)).trim();
    asked = next === -1 ? '' : part.slice(next);
    return [
      { role: 'user' as const, text: question === undefined ? said : describeAnswer(question, said) },
      { role: 'assistant' as const, text: asked.trim() },
    ];
  });
  return [{ role: 'assistant' as const, text: first.trim() }, ...parts].filter(({ text }) => text !== '');
}

/** The tools that ask the person: of Claude Code, Factory's Droid and Antigravity. */
const questionTools: ReadonlySet<string> = new Set([questionTool, 'AskUser', 'ask_question']);

/** What the person answered to Antigravity's questions is the tool's output. */
function withAnswer(body: string): string {
  const at = body.search(/^Output:(?: |$)/m);
  return at === -1 ? body : `${body.slice(0, at)}**Answer:** ${readResult(body.slice(at)) ?? ''}`;
}

/** The plan that the person approved, which Claude Code repeats in what its tool gave. */
export function readApprovedPlan(block: string): string {
  const { name, body } = readBlock(block);
  const result = name === 'ExitPlanMode' ? (readResult(body) ?? '') : '';
  const plan = /^## Approved Plan[^\n]{0,40}\n/m.exec(result);
  return plan === null || !result.startsWith('User has approved')
    ? ''
    : result.slice(plan.index + plan[0].length).trim();
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

/** The command of a shell's block: in a fence of its own, among the parameters, in the summary, or alone between backticks. */
function readCommandOf({ name, summary, body }: SpecStoryBlock): Run | undefined {
  const fence = firstFence(body);
  const run =
    fence !== undefined && /^(?:ba|z)?sh$|^shell$|^powershell$/.test(fence.language)
      ? { command: fence.text, rest: body.slice(fence.end) }
      : (readParameter(body, fence) ?? readInline(summary, body, fence));
  const command = (name === 'shell' ? withoutShell(run?.command ?? '') : (run?.command ?? '')).trim();
  if (run === undefined || command === '') return undefined;
  return { command, rest: run.rest.replace(timeout, '') };
}

/** What pi's exports write between a command and its output. */
const timeout = /^\s*\*\*Timeout \(seconds\):\*\*\n```text\n\d{1,9}\n```/;

/** `- command: …` in one line or several, in a fence below it, or `"command": "…"`. */
function readParameter(body: string, fence: Fence | undefined): Run | undefined {
  const head = body.slice(0, fence?.start);
  const named = /^- command:[ \t]*(?<mark>`\[?)?/m.exec(head);
  if (named !== null) {
    const { mark } = named.groups ?? {};
    if (mark === undefined) return fence && { command: fence.text, rest: body.slice(fence.end) };
    const from = named.index + named[0].lastIndexOf('`') + 1;
    const end = body.indexOf(mark === '`[' && body.includes(']`\n', from) ? ']`\n' : '`\n', from);
    const command = body.slice(from, end === -1 ? undefined : mark === '`[' && body[end] === ']' ? end + 1 : end);
    return { command, rest: end === -1 ? '' : body.slice(end) };
  }
  if (fence?.language !== 'json') return undefined;
  const written = /^[ \t]*"(?:command|original)": (?<text>"(?:[^"\\\n]|\\.){1,4000}")/m.exec(fence.text)?.groups?.text;
  const command = written === undefined ? undefined : asText(parseLine(written));
  // Any other result below parameters in JSON is JSON of the host's own.
  const error = body.indexOf('\n**Error:**', fence.end);
  return command === undefined ? undefined : { command, rest: error === -1 ? '' : body.slice(error) };
}

/** A command between backticks: in the summary, else in the lines above the output. */
function readInline(summary: string, body: string, fence: Fence | undefined): Run | undefined {
  if (/^`[\s\S]*`$/.test(summary)) return { command: summary.replace(/^`+|`+$/g, ''), rest: body };
  const output = body.search(/^(?:Output|Output \(error\)|Result|\*\*Result|\*\*Error):/m);
  const head = body.slice(0, Math.min(fence?.start ?? body.length, output === -1 ? body.length : output));
  const from = head.search(/^[ \t]*`/m);
  const end = head.trimEnd().length - 1;
  if (from === -1 || head[end] !== '`' || head.indexOf('`', from) === end) return undefined;
  return { command: head.slice(head.indexOf('`', from) + 1, end), rest: body.slice(end + 1) };
}

/** The line that a shell is given, from the words of a call, which may stand between brackets. */
function withoutShell(command: string): string {
  const words = /^\[[\s\S]*\]$/.test(command) ? command.slice(1, -1) : command;
  return words.replace(/^(?:\/\S{0,80}\/)?(?:bash|zsh|sh) -[a-z]{0,3}c (?!["'])/, '');
}

/** The text of the last fenced block, by search: a pattern over a long block would be slow. */
function lastFence(block: string): string | undefined {
  const end = block.lastIndexOf('\n```');
  const start = end === -1 ? -1 : block.lastIndexOf('\n```', end - 1);
  if (start === -1) return undefined;
  const textStart = block.indexOf('\n', start + 1) + 1;
  return textStart > end ? '' : block.slice(textStart, end);
}
