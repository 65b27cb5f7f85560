import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadCommands } from '../packages/batonpass/src/doors/cli/commands.ts';
import { runTeamGuide } from '../scripts/team-guide.ts';
import { findPrograms } from './stores/postgres/programs.ts';
import { createServer } from './stores/postgres/server.ts';
import { verifies } from './verifies.ts';

const commands = await loadCommands();

const path = join(import.meta.dirname, '../docs/team.md');
const document = readFileSync(path, 'utf8');
const server = createServer();

verifies(['PGTEAM.guide'], 'the commands of the guide for teams run and print what it shows', async () => {
  // A server that comes as a package has none of the programs around it.
  const programs = findPrograms();
  if (!server.isOwn || !existsSync(join(programs, 'pg_dump'))) return;
  await server.sql('CREATE ROLE postgres SUPERUSER LOGIN');
  const socket = decodeURIComponent(/host=([^&]+)/.exec(await server.newDatabase())?.[1] ?? '');
  // `vitest --update` writes what they print now.
  await expect(runTeamGuide(document, { socket, programs })).toMatchFileSnapshot(path);
});

verifies(['PGTEAM.guide'], 'the commands and links that it names are there', () => {
  const names = commands.map(({ name }) => name);
  for (const [, group = '', own] of document.matchAll(/`baton ([a-z-]+)(?: ([a-z-]+))?/g))
    expect([group, own, names.includes(group) || names.includes(`${group} ${own}`)]).toEqual([group, own, true]);
  for (const [, link = ''] of document.matchAll(/\]\((?!https?:)([^)#]+)/g))
    expect([link, existsSync(join(path, '..', link))]).toEqual([link, true]);
});
