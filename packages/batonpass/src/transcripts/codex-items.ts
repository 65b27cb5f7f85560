import type { ToolCall, ToolOutcome } from '../core/conversation.ts';
import { tagged } from './claude-code-text.ts';
import { readCodeCalls } from './codex-code-mode.ts';
import { asObject, asObjects, asText, type JsonObject, parseLine } from './json-value.ts';
import { readCommand, readOutcome, readPatch, readToolCall } from './tool-calls.ts';

/** How texts begin that Codex writes in the user's name. */
const scaffolding = [
  '<environment_context>',
  '<user_instructions>',
  '<INSTRUCTIONS>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<turn_aborted>',
  '<skill>',
  '<apps_instructions>',
  '<skills_instructions>',
  '<plugins_instructions>',
  '<model_switch>',
  '<subagent_notification>',
  '<user_shell_command>',
  '# AGENTS.md instructions for ',
] as const;

/** The text before the user's own words where an editor added what it shows. */
const editorRequest = '## My request for Codex:';

/** A message's text without what Codex added to it. */
export function readSpokenText(item: JsonObject): string {
  const isUser = item.role === 'user';
  const texts = asObjects(item.content).flatMap((part) => {
    const text = (asText(part.text) ?? '').trim();
    const isScaffolding = isUser && scaffolding.some((opening) => text.startsWith(opening));
    return text === '' || isScaffolding ? [] : [isUser ? afterEditorContext(text) : text];
  });
  return texts.join('\n\n');
}

/** The command that the person ran in the shell mode of the host, if a message is one. */
export function readShellMode(item: JsonObject, cwd: string | undefined): ToolCall[] {
  const text = item.role === 'user' ? readOutputText(item.content).trim() : '';
  const command = text.startsWith('<user_shell_command>') ? tagged(text, 'command') : '';
  if (command === '') return [];
  return [{ ...readCommand('shell', command, cwd), outcome: readCallOutcome(tagged(text, 'result')) }];
}

function afterEditorContext(text: string): string {
  if (!text.startsWith('# Context from my IDE setup:')) return text;
  const at = text.indexOf(editorRequest);
  return at === -1 ? '' : text.slice(at + editorRequest.length).trim();
}

/** What a call was given. */
export function readInput(item: JsonObject): JsonObject {
  return asObject(parseLine(asText(item.arguments) ?? asText(item.input) ?? '')) ?? asObject(item.action) ?? {};
}

/** Whether a call runs code that calls other tools. */
export function isCodeMode(item: JsonObject): boolean {
  return item.type === 'custom_tool_call' && item.name === 'exec' && Object.keys(readInput(item)).length === 0;
}

/** A call with the files or the command that it names; a patch is a call for each of its files. */
export function readCall(item: JsonObject, cwd: string | undefined): ToolCall[] {
  const name = asText(item.name) ?? (asText(item.type) ?? 'unknown').replace(/_call$/, '');
  const given = asText(item.arguments) ?? asText(item.input) ?? '';
  if (!isCodeMode(item)) return readNamedCall({ name, input: readInput(item), given }, cwd);
  const calls = readCode(given, cwd);
  return calls.length > 0 ? calls : [{ name, effect: 'none' }];
}

/** The calls that are written out in the code of the tool `exec`. */
export function readCode(code: string, cwd: string | undefined): ToolCall[] {
  return readCodeCalls(code).flatMap((call) => readNamedCall({ ...call, given: '' }, cwd));
}

/** @param call - `given` is its input as it was written. */
function readNamedCall(call: { name: string; input: JsonObject; given: string }, cwd: string | undefined): ToolCall[] {
  const { name, input, given } = call;
  const command = readCommandLine(input.command ?? input.cmd);
  const patch = findPatch([given, asText(input.input) ?? '', command ?? '']);
  const files = patch === undefined ? [] : readPatch('apply_patch', patch, cwd);
  if (files.length > 0) return files;
  if (command !== undefined) {
    const folder = asText(input.workdir) ?? cwd;
    return [{ ...readCommand(name, command, folder), ...(folder !== cwd && { cwd: folder }) }];
  }
  return [readToolCall(name, input, cwd)];
}

function findPatch(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const at = text.indexOf('*** Begin Patch');
    // In arguments that are JSON the line feeds are still escaped; the parsed text follows.
    if (at !== -1 && text.slice(at).includes('\n')) return text.slice(at);
  }
  return undefined;
}

/** A command line, or the words of one; a shell that only runs a line is left out, one that runs a script is not. */
export function readCommandLine(command: unknown): string | undefined {
  if (typeof command === 'string') return command === '' ? undefined : command;
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === 'string');
  const isShell = /(?:^|[/\\])(?:bash|zsh|sh|fish|dash|powershell|pwsh|cmd)(?:\.exe)?$/i.test(words[0] ?? '');
  const runsLine = isShell && /^(?:-[a-z]*c|-Command|\/[ck])$/i.test(words.at(-2) ?? '');
  const line = runsLine ? words.at(-1) : words.map(quoteWord).join(' ');
  return line === '' ? undefined : line;
}

/** A word as it is typed: between quotes where a shell would split or fill it in. A patch stays as it is. */
function quoteWord(word: string): string {
  if (!/[\s$;&|<>()]/.test(word) || word.includes('\n')) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}

/** What a call gave, from its output item: a text, parts, or JSON with an exit code. */
export function readCallOutcome(output: unknown): ToolOutcome {
  const text = readOutputText(output);
  const parsed = text.startsWith('{') ? asObject(parseLine(text)) : undefined;
  const code = asObject(parsed?.metadata)?.exit_code;
  const shown = asText(parsed?.output) ?? text;
  if (typeof code === 'number') return withCode(shown, code);
  const head = /^(?:Exit code: |Process exited with code )(?<code>\d{1,3})$/m.exec(text.slice(0, 500))?.groups?.code;
  const body = text.slice(0, 500).indexOf('Output:\n');
  if (head !== undefined) return withCode(body === -1 ? text : text.slice(body + 'Output:\n'.length), Number(head));
  return readOutcome(shown, asObject(output)?.success === false);
}

/** The text of a call's output: a text alone, or that of its parts. */
export function readOutputText(output: unknown): string {
  if (typeof output === 'string') return output;
  const parts = Array.isArray(output) ? output : asObject(output)?.content;
  if (typeof parts === 'string') return parts;
  return asObjects(parts)
    .flatMap((part) => asText(part.text) ?? [])
    .join('\n');
}

/** What a command gave, from the event that ended it. */
export function readExecOutcome(event: JsonObject): ToolOutcome {
  const spoken = [asText(event.stdout), asText(event.stderr)].flatMap((text) => text ?? []).join('\n');
  const text = asText(event.aggregated_output) ?? spoken;
  return typeof event.exit_code === 'number' ? withCode(text, event.exit_code) : readOutcome(text, false);
}

function withCode(text: string, exit_code: number): ToolOutcome {
  return { ...readOutcome(text, exit_code !== 0), exit_code };
}
