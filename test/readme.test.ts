import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadCommands } from '../packages/batonpass/src/doors/cli/commands.ts';
import { createRunCommand } from '../packages/batonpass/src/doors/cli/local-commands.ts';
import { parseGuide, runGuide, withoutChance } from '../scripts/readme-guide.ts';
import { verifies } from './verifies.ts';

const commands = await loadCommands();

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'README.md'), 'utf8');

verifies(['CLI.readme'], 'the guide’s commands run and print what the README shows', () => {
  const steps = parseGuide(document);
  expect(steps.length).toBeGreaterThan(5);
  for (const [index, { line, output }] of runGuide(steps).entries()) {
    expect(`$ ${line}\n${withoutChance(output)}`).toBe(`$ ${line}\n${withoutChance(steps[index]?.output ?? '')}`);
  }
});

verifies(['CLI.readme'], 'the scripts that the README names exist, and so do the files that it links', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words = document.replace(/^```console\n\$ baton [\s\S]*?^```$/gm, '');
  const named = [...words.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
  for (const name of named) if (name !== 'ci' && name !== 'install') expect(Object.keys(scripts)).toContain(name);
  for (const [, link = ''] of document.matchAll(/\]\((?!https?:)([^)#]+)/g))
    expect(existsSync(join(root, link))).toBe(true);
});

verifies(['CLI.readme'], 'the README has at most ten links, and docs/README.md one to each document', () => {
  expect([...document.matchAll(/(?<!!)\[[^\]]+\]\([^)]+\)/g)].length).toBeLessThanOrEqual(10);
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(linked.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([]);
  expect(documents.filter((name) => !linked.includes(name))).toEqual([]);
});

verifies(['CLI.readme'], 'the commands, options and links that the guide to hosts names are there', async () => {
  const hosts = readFileSync(join(root, 'docs/hosts.md'), 'utf8');
  const named = [...hosts.matchAll(/(?:`|^\$ |-- )baton ([a-z]+)(?: ([^`\n|]*))?/gm)];
  const locals = ['mcp', 'hook', 'demo', 'completion'];
  const all = [...commands, createRunCommand(new AbortController().signal)];
  for (const [line, name = '', words = ''] of named) {
    const command = all.find((each) => each.name === name);
    expect([line, command !== undefined || locals.includes(name)]).toEqual([line, true]);
    const flags = (command?.options ?? []).map((option) => option.flags).join(' ');
    for (const [flag] of words.matchAll(/--[a-z-]+/g))
      expect([line, flags]).toEqual([line, expect.stringContaining(flag)]);
  }
  expect(named.length).toBeGreaterThan(10);
  for (const [, link = ''] of hosts.matchAll(/\]\((?!https?:)([^)#]+)/g))
    expect(existsSync(join(root, 'docs', link))).toBe(true);
});

verifies(['CLI.readme'], 'each link from one document to another leads to a file', () => {
  const folders = ['.', 'docs', 'docs/agents', 'docs/contributing', 'docs/decisions'];
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder)).filter((each) => each.endsWith('.md'))) {
      const text = readFileSync(join(root, folder, name), 'utf8').replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => link);
      expect([name, links.filter((link) => !existsSync(join(root, folder, link)))]).toEqual([name, []]);
    }
  }
});
