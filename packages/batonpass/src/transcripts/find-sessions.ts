import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findClaudeCodeSessions } from './find-claude-code-sessions.ts';
import { findCodexSessions } from './find-codex-sessions.ts';
import { findAiderSessions, findSpecStorySessions } from './find-project-files.ts';
import type { FoundSession } from './session-head.ts';

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
  /** Codex' folder, as `CODEX_HOME` names it; default `.codex` in the home folder. */
  codexFolder?: string;
}

/**
 * The transcripts of a project by every host that is known, newest first. Where a host never ran there are none; files
 * that cannot be read are left out, and so is the export of a session whose own transcript is here.
 */
export async function findSessions(options: FindSessionsOptions): Promise<FoundSession[]> {
  const { home, project, worktrees = [] } = options;
  const folders = [...new Set([project, ...worktrees].map(trimSeparators))];
  const roots = await resolveRoots(folders);
  const own = [
    ...(await findClaudeCodeSessions(options.configFolder || join(home, '.claude'), roots)),
    ...(await findCodexSessions(options.codexFolder || join(home, '.codex'), roots)),
  ];
  const ids = new Set(own.map(({ session }) => session));
  const exported: FoundSession[] = [];
  for (const folder of folders) {
    const found = [...(await findSpecStorySessions(folder)), ...(await findAiderSessions(folder))];
    exported.push(...found.filter(({ session }) => !ids.has(session)));
  }
  const sessions = [...own, ...exported];
  return sessions.sort((a, b) => b.modified_at.localeCompare(a.modified_at) || a.path.localeCompare(b.path));
}

/** Each folder as given and as the disk resolves it: hosts record either. */
async function resolveRoots(folders: readonly string[]): Promise<string[]> {
  const resolved = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...resolved].map(trimSeparators))];
}

function trimSeparators(folder: string): string {
  return folder.replace(/[/\\]+$/, '');
}
