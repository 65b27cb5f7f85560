import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadCommands } from '../packages/batonpass/src/doors/cli/commands.ts';
import { parseGuide, runGuide, withoutChance } from '../scripts/readme-guide.ts';
import { verifies } from './verifies.ts';

const commands = await loadCommands();

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'docs/planning.md'), 'utf8');

verifies(['PLANDOC.true'], 'the commands of the guide to planning run and print what it shows', () => {
  const steps = parseGuide(document);
  expect(steps.map(({ line }) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'baton import examples/sessions/brainstorm.json',
    'baton review MA5SBRAY',
    'baton plan draft',
    'baton plan show',
  ]);
  for (const [index, { line, output }] of runGuide(steps).entries()) {
    expect(`$ ${line}\n${withoutChance(output)}`).toBe(`$ ${line}\n${withoutChance(steps[index]?.output ?? '')}`);
  }
});

verifies(
  ['PLANDOC.true'],
  'its programs are the examples, its words those of the review, its links lead somewhere',
  () => {
    for (const name of ['brainstorm-app.tsx', 'plan-server.ts', 'review.txt']) {
      expect(document).toContain(`\n${readFileSync(join(root, 'examples/planning', name), 'utf8')}\`\`\``);
    }
    for (const [, name = ''] of document.matchAll(
      /`baton ([a-z-]+(?: (?:run|runs|draft|context|complete|add-decision))?)/g,
    )) {
      expect([name, [...commands.map((command) => command.name), 'review', 'mcp'].includes(name)]).toEqual([
        name,
        true,
      ]);
    }
    for (const [, link = ''] of document.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect([link, existsSync(join(root, 'docs', link))]).toEqual([link, true]);
  },
);
