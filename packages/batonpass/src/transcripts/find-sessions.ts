import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type HostName, type TranscribedHost, transcribedHosts } from '../core/hosts.ts';
import { limits } from '../core/limits.ts';
import { findClaudeCodeSessions } from './find-claude-code-sessions.ts';
import { findGeminiSessions } from './find-gemini-sessions.ts';
import { findOpenCodeSessions } from './find-opencode-sessions.ts';
import { asObject, asText } from './json-value.ts';
import {
  type FoundSession,
  isInside,
  listNames,
  lookAt,
  readFirstRow,
  readHeadConversation,
  readTail,
  readText,
  titleOf,
} from './session-head.ts';

/** Where to search, and for whose sessions. */
export interface FindSessionsOptions {
  /** The project's folder, absolute; sessions of folders below it are found too. */
  project: string;
  /** Worktrees of the project elsewhere, absolute; default none. */
  worktrees?: readonly string[];
  /** The user's folder of each host. */
  folders: Readonly<Record<HostName, string>>;
}

/**
 * The transcripts of a project by every host that is known, newest first. Where a host never ran there are none; files
 * that cannot be read are left out, and so is the export of a session whose own transcript is here.
 */
export async function findSessions(options: FindSessionsOptions): Promise<FoundSession[]> {
  const { project, worktrees = [] } = options;
  const folders = [...new Set([project, ...worktrees].map(trimSeparators))];
  const roots = await resolveRoots(folders);
  const own: FoundSession[] = [];
  for (const host of transcribedHosts) own.push(...(await finders[host](options.folders[host], roots)));
  const ids = new Set(own.map(({ session }) => session));
  const exported: FoundSession[] = [];
  for (const folder of folders) {
    const found = [...(await findSpecStorySessions(folder)), ...(await findAiderSessions(folder))];
    exported.push(...found.filter(({ session }) => !ids.has(session)));
  }
  const sessions = [...own, ...exported];
  return sessions.sort((a, b) => b.modified_at.localeCompare(a.modified_at) || a.path.localeCompare(b.path));
}

/** Finds the sessions of a host in its folder, of the projects with these top folders. */
type Finder = (folder: string, roots: readonly string[]) => Promise<FoundSession[]>;

const finders: Readonly<Record<TranscribedHost, Finder>> = {
  'claude-code': findClaudeCodeSessions,
  codex: findCodexSessions,
  'gemini-cli': findGeminiSessions,
  'copilot-cli': findCopilotSessions,
  opencode: findOpenCodeSessions,
};

/** Each folder as given and as the disk resolves it: hosts record either. */
async function resolveRoots(folders: readonly string[]): Promise<string[]> {
  const resolved = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...resolved].map(trimSeparators))];
}

function trimSeparators(folder: string): string {
  return folder.replace(/[/\\]+$/, '');
}

/**
 * The exports of SpecStory in a folder of the project. Their time is read from their headings: the time
 * of a file that came with a clone is that of the clone.
 */
async function findSpecStorySessions(root: string): Promise<FoundSession[]> {
  const folder = join(root, '.specstory', 'history');
  const sessions: FoundSession[] = [];
  for (const name of await listNames(folder)) {
    const file = name.endsWith('.md') ? await lookAt(join(folder, name)) : undefined;
    const conversation = file === undefined ? undefined : await readHeadConversation(file);
    if (file === undefined || conversation === undefined) continue;
    const last = await readText(await readTail(file, /^_\*\*/m), name);
    const { started_at } = conversation;
    sessions.push({
      ...file,
      modified_at: last?.ended_at ?? conversation.ended_at ?? file.modified_at,
      host: conversation.host,
      session: conversation.session ?? basename(name, '.md'),
      cwd: root,
      ...(started_at !== undefined && { started_at }),
      title: titleOf(conversation),
    });
  }
  return sessions;
}

/** aider's history in a folder of the project: one file of all its runs, of which the last counts. */
async function findAiderSessions(root: string): Promise<FoundSession[]> {
  const file = await lookAt(join(root, '.aider.chat.history.md'));
  if (file === undefined) return [];
  const conversation = await readText(await readTail(file, /^# aider chat started at /m), file.path);
  const session = conversation?.session ?? 'aider';
  return [{ ...file, host: 'aider', session, cwd: root, title: titleOf(conversation) }];
}

/**
 * The sessions of Copilot CLI in a project: those whose first event names its folder.
 *
 * @param folder - the host's folder, `~/.copilot`.
 */
async function findCopilotSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const states = join(folder, 'session-state');
  const sessions: FoundSession[] = [];
  for (const name of await listNames(states)) {
    const file = await lookAt(join(states, name, 'events.jsonl'));
    const conversation = file && (await readHeadConversation(file));
    const cwd = conversation?.cwd;
    if (file === undefined || cwd === undefined || !isInside(cwd, roots)) continue;
    const { started_at, session = basename(dirname(file.path)) } = conversation ?? {};
    const title = titleOf(conversation);
    sessions.push({
      ...file,
      host: 'copilot-cli',
      session,
      cwd,
      ...(started_at !== undefined && { started_at }),
      title,
    });
  }
  return sessions;
}

/**
 * The Codex rollouts of a project: those whose own facts name its folder. They are stored by days, for all projects together; the
 * newest `limits.codex_rollouts_max` are read.
 *
 * @param folder - the host's folder, `~/.codex`.
 */
async function findCodexSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const sessions: FoundSession[] = [];
  for (const path of await listRollouts(join(folder, 'sessions'))) {
    const meta = asObject((await readFirstRow(path))?.payload);
    const cwd = asText(meta?.cwd);
    // What a helper of another session did is that session's.
    const isHelper = asObject(asObject(meta?.source)?.subagent) !== undefined || meta?.thread_source === 'subagent';
    const file = cwd === undefined || isHelper || !isInside(cwd, roots) ? undefined : await lookAt(path);
    if (cwd === undefined || file === undefined) continue;
    const conversation = await readHeadConversation(file);
    const started_at = conversation?.started_at;
    sessions.push({
      ...file,
      host: 'codex',
      session: asText(meta?.id) ?? basename(path, '.jsonl'),
      cwd,
      ...(started_at !== undefined && { started_at }),
      title: titleOf(conversation),
    });
  }
  return sessions;
}

/** Files at `YYYY/MM/DD`, the newest first. */
async function listRollouts(folder: string): Promise<string[]> {
  const rollouts: string[] = [];
  const descending = async (path: string, pattern: RegExp) =>
    (await listNames(path))
      .filter((name) => pattern.test(name))
      .sort()
      .reverse();
  for (const year of await descending(folder, /^\d{4}$/)) {
    for (const month of await descending(join(folder, year), /^\d\d$/)) {
      for (const day of await descending(join(folder, year, month), /^\d\d$/)) {
        const names = await descending(join(folder, year, month, day), /^rollout-.*\.jsonl$/);
        rollouts.push(...names.map((name) => join(folder, year, month, day, name)));
        if (rollouts.length >= limits.codex_rollouts_max) return rollouts.slice(0, limits.codex_rollouts_max);
      }
    }
  }
  return rollouts;
}
