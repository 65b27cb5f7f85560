import type { ToolCall } from '../core/conversation.ts';
import { isTurnedDown, questionTool, readSpokenResult, withoutSpoken } from './claude-code-text.ts';
import { readCode } from './codex-items.ts';
import { describeAnswer } from './question-tool.ts';
import { readTodos } from './todo-lists.ts';
import { readCommand, readOutcome, readPrinted, relativePath } from './tool-calls.ts';

/** What SpecStory calls the kinds of tools, and older exports the tools. */
const effects: ReadonlyMap<string, ToolCall['effect']> = new Map([
  ['read', 'read'],
  ['write', 'write'],
  ['edit', 'write'],
  ['NotebookEdit', 'write'],
  ['read_file', 'read'],
  ['code_edit', 'write'],
  ['edit_file', 'write'],
  ['search_replace', 'write'],
  ['create_file', 'write'],
  ['delete_file', 'delete'],
  ['apply_patch', 'write'],
  // VS Code
  ['replace_string_in_file', 'write'],
  ['multi_replace_string_in_file', 'write'],
  ['insert_edit_into_file', 'write'],
  ['edit_notebook_file', 'write'],
]);

const shells: ReadonlySet<string> = new Set(['shell', 'bash', 'command', 'run_terminal_cmd', 'run_in_terminal']);

/** A tool's block in an export of SpecStory as calls: code has as many as it makes. @param cwd - paths below it become relative. */
export function readToolBlock(block: string, cwd: string | undefined): ToolCall[] {
  const todos = block.startsWith('## Todo List') ? readTodos('update_todo_list', { todos: block }) : undefined;
  if (todos !== undefined) return [{ name: 'todo_write', effect: 'none', todos }];
  const kind = /data-tool-type="([^"]{1,40})"/.exec(block)?.[1] ?? '';
  const label = /Tool use: \*\*([^*\n]{1,80})\*\*/.exec(block)?.[1];
  const name = /data-tool-name="([^"]{1,80})"/.exec(block)?.[1] ?? label ?? 'unknown';
  const ran =
    name === 'exec' ? /^Input(?<cut> \(truncated\))?: ```\n(?<code>[\s\S]*?)\n```/m.exec(block)?.groups : undefined;
  const made = ran?.code === undefined ? [] : readCode(ran.code, cwd);
  // Of code that is cut, the commands alone: a list of tasks or of files would not be the last.
  const known = ran?.cut === undefined ? made : made.filter(({ command: run }) => run !== undefined);
  if (known.length > 0) return known;
  const command = shells.has(kind) || shells.has(name) || shells.has(label ?? '') ? readCommandOf(block) : undefined;
  const call = command === undefined ? readFile({ block, name, kind, label }, cwd) : readCommand(name, command, cwd);
  const result = lastFence(block);
  if (result === undefined || result === command) return [call];
  const isError = /^\s*(?:<tool_use_error>|(?:Error: )?Exit code [1-9])/.test(result) || isTurnedDown(result);
  // Claude Code reports each failure; other hosts' exports only what a command printed.
  const read = command !== undefined && name !== 'Bash' ? readPrinted : readOutcome;
  if (command !== undefined || isError) call.outcome = read(withoutSpoken(result), isError);
  return [call];
}

/** What was asked and answered in a block of the host's own question tool, in the order of speech; else why a call was turned down. */
export function readSpoken(name: string, block: string): { role: 'assistant' | 'user'; text: string }[] {
  if (name !== questionTool) {
    const text = readSpokenResult(lastFence(block) ?? '', name);
    return text === '' ? [] : [{ role: 'user', text }];
  }
  const body = block.replace(/<\/?(?:tool-use|details)\b[^>]{0,200}>|<summary>[^\n]{0,500}<\/summary>/g, '');
  const [first = '', ...rest] = body.split(/^\*\*Answer:\*\*[ \t]*/m);
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

interface NamedBlock {
  block: string;
  name: string;
  kind: string;
  label: string | undefined;
}

function readFile({ block, name, kind, label }: NamedBlock, cwd: string | undefined): ToolCall {
  const said = /(?<what>Read|Edit|Create|Delete) file: (?<path>[^\n<•]{1,500})/.exec(block)?.groups;
  const spoken =
    said?.what === undefined ? undefined : (({ Read: 'read', Delete: 'delete' } as const)[said.what] ?? 'write');
  const effect = spoken ?? effects.get(kind) ?? effects.get(name) ?? effects.get(label ?? '') ?? 'none';
  const written =
    /File created successfully at: (?<path>[^\n]{1,500}?)(?: \(file state is current[^\n]*)?$/m.exec(block)?.groups
      ?.path ?? /The file (?<path>[^\n]{1,500}?) has been updated/.exec(block)?.groups?.path;
  const parameter =
    /^[ \t]*"(?:file_path|notebook_path|path|target_file|relativeWorkspacePath)": "(?<path>[^"\n]{1,500})"/m.exec(block)
      ?.groups?.path ??
    /^- (?:filePath|file_path|notebook_path|path): `(?<path>[^`\n]{1,500})`$/m.exec(block)?.groups?.path;
  const named =
    effect === 'none'
      ? undefined
      : (said?.path ?? written ?? parameter ?? /^[ \t]*`(?<path>[^`\n]{1,500})`[ \t]*$/m.exec(block)?.groups?.path);
  const path = named?.trim().replace(/^\.\//, '');
  if (path === undefined || path === '' || path === 'undefined') return { name, effect: 'none' };
  return { name, effect, path: relativePath(path, cwd) };
}

/** The command in its summary, among its parameters, in a block of a shell, or alone between backticks. */
function readCommandOf(block: string): string | undefined {
  const given = /^- command: `(?<command>[^`\n]{1,4000})`$/m.exec(block)?.groups?.command;
  if (given !== undefined) return given;
  const fenced = /^```(?:bash|sh|shell|zsh)\n(?<command>[\s\S]*?)\n```$/m.exec(block)?.groups?.command;
  const [beforeFence = ''] = block.split('\n```');
  const inline = /^[ \t]*`(?<command>[^`\n]{1,4000})`[ \t]*$/m.exec(beforeFence)?.groups?.command;
  const command = (fenced ?? inline ?? '').trim();
  return command === '' ? undefined : command;
}

/** The text of the last fenced block, by search: a pattern over a long block would be slow. */
function lastFence(block: string): string | undefined {
  const end = block.lastIndexOf('\n```');
  const start = end === -1 ? -1 : block.lastIndexOf('\n```', end - 1);
  if (start === -1) return undefined;
  const textStart = block.indexOf('\n', start + 1) + 1;
  return textStart > end ? '' : block.slice(textStart, end);
}
