import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { type ClaudeCodeRow, isClaudeCodeRow, readRow } from './claude-code-rows.ts';
import { asObject, parseLine } from './json-value.ts';
import { type FoundSession, headBytes, isInside, listNames, lookAt } from './session-head.ts';
import { namesWork, toRequestTitle } from './session-title.ts';
import { readLines } from './transcript-lines.ts';

/** Claude Code cuts longer folder names and adds a hash. */
const folderCharactersMax = 200;

/**
 * The Claude Code transcripts of a project. The folder's name is ambiguous, so that each file's own `cwd` decides.
 *
 * @param folder - the host's folder, `~/.claude`.
 */
export async function findClaudeCodeSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const projects = join(folder, 'projects');
  const names = (await listNames(projects)).filter((name) => roots.some((root) => mayBelong(name, root)));
  const sessions: FoundSession[] = [];
  for (const name of names) {
    for (const file of await listNames(join(projects, name))) {
      const session = file.endsWith('.jsonl') ? await readHead(join(projects, name, file)) : undefined;
      if (session !== undefined && isInside(session.cwd, roots)) sessions.push(session);
    }
  }
  return sessions;
}

function mayBelong(name: string, root: string): boolean {
  const encoded = root.replace(/[^A-Za-z0-9]/g, '-');
  if (encoded.length > folderCharactersMax) return name.startsWith(encoded.slice(0, folderCharactersMax));
  return name === encoded || name.startsWith(`${encoded}-`);
}

async function readHead(path: string): Promise<FoundSession | undefined> {
  const file = await lookAt(path);
  if (file === undefined) return undefined;
  const rows = await readHeadRows(path).catch(() => []);
  const cwd = rows.find((row) => row.cwd !== undefined)?.cwd;
  if (cwd === undefined) return undefined;
  const session: FoundSession = {
    ...file,
    host: 'claude-code',
    session: rows.findLast((row) => row.session !== undefined)?.session ?? basename(path, '.jsonl'),
    cwd,
    title: toRequestTitle(rows.flatMap(({ role, text }) => (role === 'user' ? text : []))),
  };
  const started_at = rows.find((row) => row.at !== undefined)?.at;
  if (started_at !== undefined) session.started_at = started_at;
  return session;
}

/** Rows up to the user's first words that name the work; agents' own transcripts give none. */
async function readHeadRows(path: string): Promise<ClaudeCodeRow[]> {
  const rows: ClaudeCodeRow[] = [];
  for await (const line of readLines(createReadStream(path, { end: headBytes - 1 }))) {
    const value = asObject(parseLine(line.text ?? ''));
    if (value === undefined || !isClaudeCodeRow(value)) continue;
    const reading = readRow(value, undefined);
    if (!('row' in reading) || reading.row.side !== undefined) continue;
    rows.push(reading.row);
    if (reading.row.role === 'user' && namesWork(reading.row.text)) break;
  }
  return rows;
}
