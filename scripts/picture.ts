import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Captures the running command as an SVG for the README: real output of real commands, in its colours. */

const root = join(import.meta.dirname, '..');
const program = join(root, 'packages/batonpass/bin/baton.js');
const rowsShown = 38;
const row = { height: 19, width: 8.43, left: 18, top: 34 };

const colours: Record<string, string> = {
  '30': '#6e7681',
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '35': '#d2a8ff',
  '36': '#76e3ea',
  '90': '#8b949e',
};

function capture(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'baton-picture-'));
  const environment = { ...process.env, FORCE_COLOR: '1', HOME: folder, NO_COLOR: undefined };
  try {
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/tidepool/api'], { cwd: folder });
    copyFileSync(join(root, 'examples/sessions/claude-code-rate-limit.jsonl'), join(folder, 'session.jsonl'));
    const run = (...words: string[]) =>
      execFileSync(process.execPath, [program, ...words], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const imported = run('import', 'session.jsonl');
    const id = stripVTControlCharacters(imported).trim().slice(0, 8);
    const prompt = (line: string) => `\u001b[90m$\u001b[39m \u001b[1m${line}\u001b[22m`;
    const lines = [prompt('baton import session.jsonl'), imported, prompt(`baton show ${id}`), run('show', id)];
    return lines.join('\n').split('\n').slice(0, rowsShown);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line of a terminal as spans of text; only colours and bold are used by the command. */
function toSpans(line: string): string {
  let colour = '';
  let bold = false;
  let spans = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of a terminal are what is read
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of a terminal are what is read
    const codes = part.match(/^\u001b\[([0-9;]*)m$/)?.[1];
    if (codes === undefined) {
      if (part === '') continue;
      const attributes = `${colour === '' ? '' : ` fill="${colour}"`}${bold ? ' font-weight="700"' : ''}`;
      spans += `<tspan${attributes}>${escapeXml(part)}</tspan>`;
      continue;
    }
    for (const code of codes.split(';')) {
      if (code in colours) colour = colours[code] ?? '';
      if (code === '39' || code === '0' || code === '') colour = '';
      if (code === '1') bold = true;
      if (code === '22' || code === '0' || code === '') bold = false;
    }
  }
  return spans;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function draw(lines: readonly string[]): string {
  const width = Math.ceil(row.left * 2 + row.width * 100);
  const height = row.top + row.height * lines.length + 16;
  const texts = lines.map(
    (line, index) =>
      `<text x="${row.left}" y="${row.top + row.height * (index + 0.8)}" xml:space="preserve">${toSpans(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal: baton import and baton show with the decisions of a session and their quotes">
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${texts.join('\n')}
</g>
</svg>
`;
}

mkdirSync(join(root, 'docs/images'), { recursive: true });
writeFileSync(join(root, 'docs/images/baton.svg'), draw(capture()));
