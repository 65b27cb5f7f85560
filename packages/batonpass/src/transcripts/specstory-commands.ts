import { asText, parseLine } from './json-value.ts';
import { type Fence, firstFence, type SpecStoryBlock } from './specstory-blocks.ts';

/** A command, and the text of its block below it. */
interface SpecStoryRun {
  command: string;
  rest: string;
}

/** The command of a shell's block: in a fence of its own, among the parameters, in the summary, or alone between backticks. */
export function readRun({ name, summary, body }: SpecStoryBlock): SpecStoryRun | undefined {
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
function readParameter(body: string, fence: Fence | undefined): SpecStoryRun | undefined {
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
function readInline(summary: string, body: string, fence: Fence | undefined): SpecStoryRun | undefined {
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
