import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { encodeCanonicalJson, sha256Hex } from '../core/canonical-json.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { stateFolder } from './place.ts';
import type { Workspace } from './project-identity.ts';
import type { RawSettings } from './repository-settings.ts';

/**
 * The file in which the user's own folder keeps what was agreed to for a repository: one file for each, so that two
 * agreements at once cannot lose one another. All worktrees of a repository share it. Removing it revokes the trust.
 */
export function trustFile(workspace: Workspace, environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), 'trusted', `${sha256Hex(placeOf(workspace)).slice(0, 32)}.json`);
}

/** The hash of exactly these values; layout and order of the file do not count. */
export function hashSettings(settings: RawSettings): string {
  return sha256Hex(encodeCanonicalJson(settings));
}

/** Whether the user agreed to exactly these values for this repository. What cannot be read was not agreed to. */
export function isTrusted(workspace: Workspace, environment: NodeJS.ProcessEnv, settings: RawSettings): boolean {
  try {
    const kept: unknown = JSON.parse(readFileSync(trustFile(workspace, environment), 'utf8'));
    const { place, values_sha256 } = kept as { place?: unknown; values_sha256?: unknown };
    return place === placeOf(workspace) && values_sha256 === hashSettings(settings);
  } catch {
    return false;
  }
}

/**
 * Keeps that the user agreed to values of this hash; an earlier agreement for the repository ends. A crash leaves the
 * earlier one or this one.
 *
 * @throws the system's error where the user's folder cannot be written.
 */
export function keepTrust(workspace: Workspace, environment: NodeJS.ProcessEnv, values_sha256: string): void {
  const text = `${JSON.stringify({ place: placeOf(workspace), values_sha256 }, null, 2)}\n`;
  replaceFile(trustFile(workspace, environment), text, 0o600);
}

function placeOf({ root, git_common_dir }: Workspace): string {
  return realpathSync(git_common_dir ?? root);
}
