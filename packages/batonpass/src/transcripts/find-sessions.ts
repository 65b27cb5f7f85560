import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { maskSecrets } from '../core/masking.ts';
import { type ClaudeCodeRow, isClaudeCodeRow, readRow } from './claude-code-rows.ts';
import { asObject, parseLine } from './json-value.ts';
import { readLines } from './transcript-lines.ts';

/** A transcript of a project, as a list shows it. */
export interface FoundSession {
  path: string;
  host: 'claude-code';
  session: string;
  /** The folder that it was held in: the project, a folder below it, or a worktree. */
  cwd: string;
  /** ISO 8601; of the first row that has a time. */
  started_at?: string;
  /** ISO 8601; of the file. */
  modified_at: string;
  bytes: number;
  /** The user's first words in one line, secrets masked; empty where the file's beginning has none. */
  title: string;
}

/** Where to look, and for whose sessions. */
export interface FindSessionsOptions {
  /** The project's folder, absolute; sessions of folders below it are found too. */
  project: string;
  /** Worktrees of the project elsewhere, absolute; default none. */
  worktrees?: readonly string[];
  /** The user's home folder. */
  home: string;
  /** Claude Code's folder, as `CLAUDE_CONFIG_DIR` names it; default `.claude` in the home folder. */
  configFolder?: string;
}

/** Of each file only this much is read: the first rows name the folder and what was asked. */
const headBytes = 256 * 1024;

/** Claude Code cuts longer folder names and adds a hash. */
const folderCharactersMax = 200;

const titleCharactersMax = 100;

/**
 * The Claude Code transcripts of a project, newest first. The folder's name is ambiguous, so that each file's own
 * `cwd` decides. Without a folder of transcripts the list is empty; files that cannot be read are left out.
 */
export async function findSessions(options: FindSessionsOptions): Promise<FoundSession[]> {
  const folder = join(options.configFolder ?? join(options.home, '.claude'), 'projects');
  const roots = await resolveRoots([options.project, ...(options.worktrees ?? [])]);
  const names = (await list(folder)).filter((name) => roots.some((root) => mayBelong(name, root)));
  const sessions: FoundSession[] = [];
  for (const name of names) {
    for (const file of await list(join(folder, name))) {
      const session = file.endsWith('.jsonl') ? await readHead(join(folder, name, file)) : undefined;
      if (session !== undefined && roots.some((root) => isInside(session.cwd, root))) sessions.push(session);
    }
  }
  return sessions.sort((a, b) => b.modified_at.localeCompare(a.modified_at) || a.path.localeCompare(b.path));
}

/** Each folder as given and as the disk resolves it: hosts record either. */
async function resolveRoots(folders: readonly string[]): Promise<string[]> {
  const resolved = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...resolved].map((folder) => folder.replace(/[/\\]+$/, '')))];
}

function mayBelong(name: string, root: string): boolean {
  const encoded = root.replace(/[^A-Za-z0-9]/g, '-');
  if (encoded.length > folderCharactersMax) return name.startsWith(encoded.slice(0, folderCharactersMax));
  return name === encoded || name.startsWith(`${encoded}-`);
}

function isInside(cwd: string, root: string): boolean {
  return cwd === root || cwd.startsWith(`${root}/`) || cwd.startsWith(`${root}\\`);
}

async function list(folder: string): Promise<string[]> {
  // A folder that is not there, or not ours to read, holds no session of this project.
  return await readdir(folder).catch(() => []);
}

async function readHead(path: string): Promise<FoundSession | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (file === undefined || !file.isFile()) return undefined;
  const rows = await readHeadRows(path).catch(() => []);
  const cwd = rows.find((row) => row.cwd !== undefined)?.cwd;
  if (cwd === undefined) return undefined;
  const first = rows.find((row) => row.role === 'user' && row.text !== '');
  const session: FoundSession = {
    path,
    host: 'claude-code',
    session: rows.findLast((row) => row.session !== undefined)?.session ?? basename(path, '.jsonl'),
    cwd,
    modified_at: file.mtime.toISOString(),
    bytes: file.size,
    title: toTitle(first?.text ?? ''),
  };
  const started_at = rows.find((row) => row.at !== undefined)?.at;
  if (started_at !== undefined) session.started_at = started_at;
  return session;
}

/** Rows up to the user's first words; agents' own transcripts give none. */
async function readHeadRows(path: string): Promise<ClaudeCodeRow[]> {
  const rows: ClaudeCodeRow[] = [];
  for await (const line of readLines(createReadStream(path, { end: headBytes - 1 }))) {
    const value = asObject(parseLine(line.text ?? ''));
    if (value === undefined || !isClaudeCodeRow(value)) continue;
    const reading = readRow(value, undefined);
    if (!('row' in reading)) continue;
    rows.push(reading.row);
    if (reading.row.role === 'user' && reading.row.text !== '') break;
  }
  return rows;
}

function toTitle(text: string): string {
  const line = maskSecrets(text).text.replace(/\s+/g, ' ').trim();
  if (line.length <= titleCharactersMax) return line;
  const head = line.slice(0, titleCharactersMax - 1).toWellFormed();
  const space = head.lastIndexOf(' ');
  return `${space > titleCharactersMax / 2 ? head.slice(0, space) : head}…`;
}
