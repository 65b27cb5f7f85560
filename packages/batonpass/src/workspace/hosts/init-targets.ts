import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Workspace } from '../project-identity.ts';
import { type HostFile, readHostFile } from './host-file.ts';
import { registerHooks, removeHooks } from './host-hooks.ts';
import { registerServer, removeServer } from './host-servers.ts';
import { planDocuments } from './init-documents.ts';
import { placeOfRecord } from './init-record.ts';
import type { Launcher } from './launcher.ts';
import { removeBlock } from './marked-block.ts';

/** What `init` registers: the MCP server, the hooks, the facts for agents. */
export const initParts = ['mcp', 'hooks', 'docs'] as const;

export type InitPart = (typeof initParts)[number];

/** Whose settings hold the hooks: the project's, one user's in this project, one user's everywhere. */
export const initScopes = ['project', 'local', 'user'] as const;

export type InitScope = (typeof initScopes)[number];

/** One file that `init` writes into, as it is now, and how. */
export interface InitTarget {
  part: InitPart;
  file: HostFile;
  /** Where the record of what was written lies. */
  record: string;
  /** The permissions of a file that is made. */
  mode: number;
  /** The text with Baton's entries. */
  register: (text: string) => string;
  /** The text without them; lists that `former` had stay. */
  remove: (text: string, former: string) => string;
}

/** What targets are chosen by. */
export interface TargetSurroundings {
  workspace: Workspace;
  environment: NodeJS.ProcessEnv;
  launcher: Launcher;
  parts: readonly InitPart[];
  /** Several where something is taken back: wherever it may have been written. */
  scopes: readonly InitScope[];
}

/**
 * The files that `init` works on, in the order of writing. All are read, and seen to be writable, before anything is done.
 *
 * @throws HandoffError as `readHostFile`, and for a document whose markers are torn.
 */
export function readTargets(surroundings: TargetSurroundings): InitTarget[] {
  const { parts, scopes } = surroundings;
  const isShared = scopes.some((scope) => scope !== 'user');
  return [
    ...(parts.includes('mcp') && isShared ? [serverTarget(surroundings)] : []),
    ...(parts.includes('hooks') ? scopes.map((scope) => hooksTarget(surroundings, scope)) : []),
    ...(parts.includes('docs') ? documentTargets(surroundings) : []),
  ];
}

/** The settings file of a scope. `CLAUDE_CONFIG_DIR` moves the user's, as it does for the host. */
export function settingsPath(scope: InitScope, root: string, environment: NodeJS.ProcessEnv): string {
  if (scope === 'user') return join(configFolder(environment), 'settings.json');
  return join(root, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
}

function serverTarget({ workspace, environment, launcher }: TargetSurroundings): InitTarget {
  const path = join(workspace.root, '.mcp.json');
  const file = readHostFile(path, [workspace.root]);
  return {
    part: 'mcp',
    file,
    record: placeOfRecord(file.target, workspace, environment),
    mode: 0o666,
    register: (text) => registerServer(text, path, launcher),
    remove: (text, former) => removeServer(text, path, former),
  };
}

function hooksTarget({ workspace, environment, launcher }: TargetSurroundings, scope: InitScope): InitTarget {
  const path = settingsPath(scope, workspace.root, environment);
  const isUsers = scope === 'user';
  const file = readHostFile(path, isUsers ? boundsOfUser(environment) : [workspace.root]);
  return {
    part: 'hooks',
    file,
    record: placeOfRecord(file.target, isUsers ? null : workspace, environment),
    // Settings of one user may come to hold a secret; those of a project are for everybody.
    mode: scope === 'project' ? 0o666 : 0o600,
    register: (text) => registerHooks(text, path, launcher),
    remove: (text, former) => removeHooks(text, path, former),
  };
}

function documentTargets({ workspace, environment }: TargetSurroundings): InitTarget[] {
  const [claude, agents] = ['CLAUDE.md', 'AGENTS.md'].map((name) =>
    readHostFile(join(workspace.root, name), [workspace.root]),
  );
  if (claude === undefined || agents === undefined) throw new Error('A document is missing.');
  return planDocuments(claude, agents).map(({ document: file, register }) => ({
    part: 'docs',
    file,
    record: placeOfRecord(file.target, workspace, environment),
    mode: 0o666,
    register,
    remove: (text) => removeBlock(text, file.path),
  }));
}

/** A user's settings may be links into a folder of theirs that is kept elsewhere, as long as it is theirs. */
function boundsOfUser(environment: NodeJS.ProcessEnv): string[] {
  return [homeFolder(environment), configFolder(environment)];
}

function configFolder(environment: NodeJS.ProcessEnv): string {
  return environment.CLAUDE_CONFIG_DIR || join(homeFolder(environment), '.claude');
}

function homeFolder(environment: NodeJS.ProcessEnv): string {
  return environment.HOME || homedir();
}
