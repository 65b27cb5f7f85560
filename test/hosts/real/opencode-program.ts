import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from './programs.ts';
import type { ProgramRow } from './real-host.ts';
import { escapePattern } from './terminal.ts';

/** The box for words is the one that ends with the agent's name. */
const typed = (words: string): RegExp => new RegExp(`┃ +${words}(?:[^\\n]*\\n *┃){1,6} +Build`);

/** OpenCode with a provider of the person's own settings. */
export const openCode: ProgramRow = {
  settle: (stage, url) => {
    const folder = join(stage.home, '.config/opencode');
    mkdirSync(folder, { recursive: true });
    const rig = {
      npm: '@ai-sdk/openai-compatible',
      name: 'rig',
      options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
      models: { m: { name: 'm', limit: { context: 100_000, output: 8_000 } } },
    };
    const settings = { model: 'rig/m', small_model: 'rig/m', autoupdate: false, share: 'disabled', provider: { rig } };
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(settings));
    for (const place of [folder, join(stage.project, '.opencode')]) markHelperInstalled(place);
    return {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_TERMINAL_TITLE: '1',
    };
  },
  headless: ['run'],
  resume: ['--continue'],
  compact: '/compact',
  own_tools: [],
  leave: '/exit',
  prompt: /┃ +Build · m/,
  typed,
  isSent: (screen, words) => !typed(escapePattern(words)).test(screen),
  mayPress: () => true,
  answered: (words) => new RegExp(`^ +${words}`, 'm'),
  questions: [],
};

/**
 * Before its first prompt OpenCode installs a helper for plugins from the registry, in each folder of settings where it is not
 * yet: a minute, or a failure where there is no registry. Baton's plugin imports nothing of it.
 */
function markHelperInstalled(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const dependencies = { '@opencode-ai/plugin': programs.opencode.version };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': { dependencies } } }));
}
