import type { ToolOutcome } from '../core/conversation.ts';
import { asObject, asObjects, asText, type JsonObject, parseLine } from './json-value.ts';
import { readOutcome } from './tool-calls.ts';

/** A call that the code of Codex' tool `exec` makes: the tool's name and its input. */
export interface CodeCall {
  name: string;
  input: JsonObject;
}

/** A text of the code, and what stands right before it. */
interface Literal {
  text: string;
  before: string;
}

/** More code than this is data. */
const codeCharactersMax = 400_000;

/** A comment, or a text in quotes; one that the file's writer cut has no end. */
const literal =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)|`(?:[^`\\]|\\[\s\S])*(?:`|$)/g;

/**
 * The commands, the patches and the list of tasks in the JavaScript that newer versions of Codex give their tool
 * `exec`: `await tools.exec_command({cmd: "npm test"})`. Nothing is run or evaluated: only texts that are written out count.
 */
export function readCodeCalls(code: string): CodeCall[] {
  const literals = readLiterals(code.slice(0, codeCharactersMax));
  const calls: CodeCall[] = [];
  const steps: JsonObject[] = [];
  let open: JsonObject | undefined;
  for (const { text, before } of literals) {
    const key = /(?:^|[\s{,"'])(?<key>cmd|command|workdir|step|status)["']?\s*:\s*$/.exec(before)?.groups?.key;
    if (key === 'cmd' || key === 'command') {
      open = { command: text };
      calls.push({ name: 'exec_command', input: open });
    } else if (key === 'workdir' && open !== undefined) open.workdir = text;
    else if (key === 'step') steps.push({ step: text });
    else if (key === 'status') Object.assign(steps.at(-1) ?? {}, { status: text });
    else if (text.startsWith('*** Begin Patch\n')) calls.push({ name: 'apply_patch', input: { input: text } });
  }
  if (steps.length > 0) calls.push({ name: 'update_plan', input: { plan: steps } });
  return calls;
}

/**
 * How the commands of one `exec` ended, from the results that its code printed whole. Undefined where it printed none, or
 * where some of several failed: which, is not known.
 */
export function readCodeOutcome(printed: string): ToolOutcome | undefined {
  if (/^Script failed\b/.test(printed)) return readOutcome(printed, true);
  const results = printed.split('\n').flatMap((line) => {
    const value = /^\s*[[{]/.test(line) ? parseLine(line) : undefined;
    return (Array.isArray(value) ? asObjects(value) : [asObject(value) ?? {}]).filter(
      ({ exit_code }) => typeof exit_code === 'number',
    );
  });
  const failed = results.filter(({ exit_code }) => exit_code !== 0);
  if (results.length === 0 || (failed.length > 0 && results.length > 1)) return undefined;
  const exit_code = Number(failed[0]?.exit_code ?? 0);
  const text = results.map(({ output }) => asText(output) ?? '').join('\n');
  return { ...readOutcome(text, exit_code !== 0), exit_code };
}

function readLiterals(code: string): Literal[] {
  return [...code.matchAll(literal)].flatMap(({ 0: written, index }) =>
    written.startsWith('/') ? [] : { text: unquote(written), before: code.slice(Math.max(0, index - 40), index) },
  );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** What a text in quotes stands for. */
function unquote(written: string): string {
  const isClosed = written.length > 1 && written.at(-1) === written.charAt(0);
  return written
    .slice(1, isClosed ? -1 : undefined)
    .replace(
      /\\(?:u\{(?<point>[0-9a-f]{1,6})\}|u(?<unit>[0-9a-f]{4})|x(?<byte>[0-9a-f]{2})|(?<other>[\s\S]))/gi,
      (...found) => {
        const { point, unit, byte, other = '' } = found.at(-1) as Record<string, string | undefined>;
        const code = Number.parseInt(point ?? unit ?? byte ?? '', 16);
        if (Number.isNaN(code)) return other === '\n' ? '' : (escapes[other] ?? other);
        return code > 0x10ffff ? '' : String.fromCodePoint(code);
      },
    )
    .toWellFormed();
}
