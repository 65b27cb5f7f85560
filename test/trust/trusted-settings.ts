import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBaton } from '../../packages/batonpass/src/index.ts';

/** A folder and its user's surroundings. */
interface Place {
  folder: string;
  environment: NodeJS.ProcessEnv;
}

/** Writes a repository's settings; a text is written as it is. */
export function writeSettings({ folder }: Place, settings: object | string): void {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  writeFileSync(join(folder, 'baton.config.json'), text);
}

/** Writes a repository's settings and agrees to them, as its user does at a terminal. */
export async function writeTrusted(place: Place, settings: object): Promise<void> {
  writeSettings(place, settings);
  const baton = await openBaton({ cwd: place.folder, environment: place.environment });
  const { values_sha256 } = await baton.run('project.trust', {});
  await baton.run('project.trust', { values_sha256: values_sha256 ?? '' });
  await baton.close();
}
