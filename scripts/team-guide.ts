import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { withoutChance } from './readme-guide.ts';

/** The guide for teams as commands of a shell and what they print, so that both can be held against the truth. */

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');

/** The server of the guide, and the repository that its reader works in. */
const SERVER = 'db.tidepool.dev';
const FOLDER = '/srv/tidepool';

/** Where the guide's commands run. */
export interface TeamPlace {
  /** Of a server whose user `postgres` may do anything: the socket's folder. */
  socket: string;
  /** Of Postgres's own programs: psql, pg_dump, pg_restore. */
  programs: string;
}

const block = /```console\n([\s\S]*?)```/g;

/**
 * Runs every command of a document's `console` blocks, one after the other in one folder, and puts what they print in
 * place of what it shows, unless only random parts differ.
 */
export function runTeamGuide(document: string, place: TeamPlace): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-team-')));
  try {
    const run = createShell(folder, place);
    return document.replace(block, (_, text: string) => {
      const steps = text.split(/^\$ /m).slice(1);
      return `\`\`\`console\n${steps.map((step) => runStep(step, run)).join('')}\`\`\``;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A command, with lines that continue after a backslash, and its output. */
function runStep(step: string, run: (line: string) => string): string {
  const [, line = '', shown = ''] = /^((?:.*\\\n)*.*\n)([\s\S]*)$/.exec(step) ?? [];
  const output = run(line);
  const isAlike = essence(output) === essence(shown);
  const last = shown.endsWith('\n\n') ? '\n' : '';
  return `$ ${line}${isAlike ? shown : `${output}${last}`}`;
}

/** The parts that are equal in two runs: instants, hashes, short ids, tokens, ages and sizes differ. */
function essence(output: string): string {
  return withoutChance(output)
    .replace(/\b[0-9A-HJKMNP-TV-Z]{8}\b/g, 'ID')
    .replace(/\b[0-9a-f]{48}\b/g, 'TOKEN')
    .replace(/\b(?:just now|AGE ago)\b/g, 'AGO')
    .replace(/\b\d+ [KM]iB\b/g, 'SIZE')
    .replace(/\| \d+$/gm, '| N')
    .replace(/^ \d+ \|/gm, ' N |')
    .trimEnd();
}

/** A shell for lines of which each has what those before it exported. @throws where a command fails. */
function createShell(folder: string, { socket, programs }: TeamPlace): (line: string) => string {
  const repository = join(folder, 'tidepool');
  mkdirSync(repository);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: repository });
  execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/tidepool/api.git'], { cwd: repository });
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'baton'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, 'baton'), 0o755);
  const own = Object.entries(process.env).filter(([name]) => !/^(BATON_|GIT_|PG|FORCE_COLOR)/.test(name));
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(own),
    HOME: folder,
    NO_COLOR: '1',
    PATH: `${bin}:${programs}:${process.env.PATH}`,
  };
  const real = (text: string) =>
    text.replace(new RegExp(`@${SERVER}/(\\w+)`, 'g'), `@localhost/$1?host=${encodeURIComponent(socket)}`);
  const shown = (text: string) =>
    text
      .replace(/@localhost\/(\w+)\?host=[^\s'"&]+/g, `@${SERVER}/$1`)
      .replaceAll(repository, FOLDER)
      .replace(new RegExp(`\\b${userInfo().username}\\b`, 'g'), 'ada')
      .replace(/[ \t]+$/gm, '');
  return (line) => {
    const [, name, value = ''] = /^export (\w+)=(.*)\n$/.exec(line) ?? [];
    if (name !== undefined) {
      environment[name] = real(value);
      return '';
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', real(line)], {
      cwd: repository,
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${line} ended with ${status}: ${stdout}${stderr}`);
    const output = shown(`${stdout}${stderr}`).trimEnd();
    return output === '' ? '' : `${output}\n`;
  };
}
