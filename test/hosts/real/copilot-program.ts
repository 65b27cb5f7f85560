import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './programs.ts';
import type { ProgramRow } from './real-host.ts';

/** Copilot CLI without an account, as a person has it who trusts the folder. */
export const copilotCli: ProgramRow = {
  settle: (stage, url) => {
    mkdirSync(join(stage.home, '.copilot'));
    writeFileSync(join(stage.home, '.copilot/config.json'), JSON.stringify({ trustedFolders: [stage.project] }));
    return {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_AUTO_UPDATE: 'false',
      // Any other word than "true" allows tools alone.
      COPILOT_ALLOW_ALL: '1',
      // It unpacks itself there, 235 MB.
      XDG_CACHE_HOME: join(cacheFolder, '.cache'),
    };
  },
  headless: ['-p'],
  resume: ['--continue'],
  compact: '/compact',
  own_tools: [],
  leave: '/exit',
  prompt: /^❯/m,
  typed: (words) => new RegExp(`^❯ ${words}`, 'm'),
  isSent: (screen, words) =>
    screen
      .split('\n')
      .findLast((line) => line.startsWith('❯'))
      ?.includes(words) !== true,
  mayPress: () => true,
  answered: (words) => new RegExp(`●.*${words}`),
  questions: [],
};
