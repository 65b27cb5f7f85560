import { realpath } from 'node:fs/promises';
import type { HostName, TranscribedHost } from '../core/hosts.ts';
import { findClaudeCodeSessions } from './find-claude-code-sessions.ts';
import { findCodexSessions } from './find-codex-sessions.ts';
import { findCopilotSessions } from './find-copilot-sessions.ts';
import { findGeminiSessions } from './find-gemini-sessions.ts';
import { findOpenCodeSessions } from './find-opencode-sessions.ts';
import { findAiderSessions, findSpecStorySessions } from './find-project-files.ts';
import { transcribedHosts } from './host-transcripts.ts';
import type { FoundSession } from './session-head.ts';

/** Where to look, and for whose sessions. */
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
