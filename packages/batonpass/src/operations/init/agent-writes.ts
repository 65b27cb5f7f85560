import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../../disk/replace-file.ts';
import { userSettingsFile } from '../../workspace/place.ts';
import { parseSettings } from '../../workspace/repository-settings.ts';

/**
 * Keeps in the user's own settings whether the agents of sessions write their handoffs; everything else there stays.
 *
 * @returns the file.
 * @throws ParseError or HandoffError `invalid_structure` for settings that cannot be read; nothing is written then.
 */
export function keepAgentWrites(isWanted: boolean, environment: NodeJS.ProcessEnv): string {
  const path = userSettingsFile(environment);
  const before = existsSync(path) ? parseSettings(path, readFileSync(path, 'utf8')) : {};
  const { extractor: _extractor, ...others } = before;
  // To take it back is no reason to change another choice.
  const kept = isWanted ? { ...others, extractor: 'host' } : before.extractor === 'host' ? others : before;
  replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, 0o600);
  return path;
}
