import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The README's five-minute guide as commands and what they print, so that both can be held against the truth. */

const root = join(import.meta.dirname, '..');
const program = join(root, 'packages/batonpass/bin/baton.js');

/** One command of the guide and the output that the README shows for it. */
export interface GuideStep {
  /** Without the prompt. */
  line: string;
  output: string;
}

const block = /```console\n([\s\S]*?)```/g;

/** The commands of a document's `console` blocks that call `baton`. */
export function parseGuide(document: string): GuideStep[] {
  return [...document.matchAll(block)].flatMap(([, text = '']) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [line = '', ...output] = part.split('\n');
        return { line, output: output.join('\n').trimEnd() };
      })
      .filter(({ line }) => line.startsWith('baton ')),
  );
}

/** The document with its commands' outputs replaced, in order. */
export function replaceOutputs(document: string, steps: readonly GuideStep[]): string {
  const left = [...steps];
  return document.replace(block, (whole, text: string) => {
    const lines = text.match(/^\$ baton .*$/gm) ?? [];
    if (lines.length === 0) return whole;
    const parts = lines.map(() => left.shift()).filter((step) => step !== undefined);
    return `\`\`\`console\n${parts.map(({ line, output }) => `$ ${line}\n${output}`).join('\n\n')}\n\`\`\``;
  });
}

/**
 * Runs the guide's commands in a repository of their own. The document's ids and tokens replace those of
 * the run in its outputs, and the user is called sam.
 */
export function runGuide(steps: readonly GuideStep[]): GuideStep[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-readme-')));
  try {
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/tidepool/api.git'], { cwd: folder });
    cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
    const names = new Map<string, string>();
    return steps.map((step) => {
      const words = splitWords(translate(step.line, names));
      const output = runOnce(words.slice(1), folder);
      learn(step.output, output, names);
      return { line: step.line, output: asShown(output, names) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What may differ between two runs: instants, ages, hashes, ids, and the widths that follow from them. */
export function withoutChance(output: string): string {
  return output
    .replace(/(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'INSTANT')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/\b(content|rendered) [0-9a-f]{8}\b/g, '$1 HASH')
    .replace(/\b\d+ (?:s|min)( ago)?\b/g, 'AGE$1')
    .replace(/ +/g, ' ');
}

/** Words after `<` name the file that comes on standard input. */
function runOnce(given: readonly string[], folder: string): string {
  const place = given.indexOf('<');
  const words = place === -1 ? given : given.slice(0, place);
  const input = place === -1 ? '' : readFileSync(join(folder, given[place + 1] ?? ''), 'utf8');
  const own = Object.entries(process.env).filter(([name]) => !/^(BATON_|GIT_|FORCE_COLOR)/.test(name));
  const environment = { ...Object.fromEntries(own), HOME: folder, NO_COLOR: '1' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    input,
  });
  if (status !== 0) throw new Error(`baton ${words.join(' ')} ended with ${status}: ${stderr}`);
  return `${stdout}${stderr}`.trimEnd();
}

/** Pairs the ids and tokens of the shown output with those of the real one, in order of appearance. */
function learn(shown: string, real: string, names: Map<string, string>): void {
  for (const form of [/^[0-9A-HJKMNP-TV-Z]{8}(?= )/gm, /\b[0-9a-f]{48}\b/g]) {
    const left = shown.match(form) ?? [];
    for (const [index, name] of (real.match(form) ?? []).entries()) names.set(left[index] ?? name, name);
  }
}

function translate(line: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((text, [shown, real]) => text.replaceAll(shown, real), line);
}

function asShown(output: string, names: ReadonlyMap<string, string>): string {
  const text = [...names].reduce((shown, [name, real]) => shown.replaceAll(real, name), output);
  const { username } = userInfo();
  // In a table the cell keeps its width.
  return text.replace(new RegExp(`\\b${username}\\b( {2,})?`, 'g'), (_, gap = '') =>
    gap === '' ? 'sam' : 'sam'.padEnd(username.length + gap.length),
  );
}

/** Words of a shell line with double quotes, as far as the guide uses them. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
