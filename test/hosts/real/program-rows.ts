import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostName } from './programs.ts';
import type { ProgramRow } from './real-host.ts';
import type { RealStage } from './real-stage.ts';
import { escapePattern } from './terminal.ts';

/** Its first start asks no question, because its settings contain all answers. */
const claudeCode: ProgramRow = {
  settleAccess: (stage, { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY }) => {
    const env = { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY };
    change(stage, '.claude/settings.json', (text) => JSON.stringify({ ...JSON.parse(text), env }));
  },
  compact: '/compact',
  resume: ['--continue'],
  plugin: ['plugin', 'install'],
  own_tools: [],
  leave: '/exit',
  prompt: /❯/,
  // The last one: a resumed session shows what was said in it before.
  typed: (words) => new RegExp(`❯[^\\n❯]*${words}[^❯]*$`),
  isSent: (screen, words) =>
    screen
      .split('\n')
      .findLast((line) => line.startsWith('❯'))
      ?.includes(words) !== true,
  mayPress: () => true,
  answered: (words) => new RegExp(words),
  questions: [],
};

const trustFolder = /Trust and continue/;
const trustHooks = /Hooks need review/;
const emptyPrompt = /^› Ask Codex to do anything/m;

/** Its questions about the folder and the hooks are answered at the keys, as a person does once. */
const codex: ProgramRow = {
  settleAccess: (stage) =>
    change(stage, '.codex/config.toml', (text) =>
      text.replace('env_key = "RIG_KEY"', 'experimental_bearer_token = "dummy"'),
    ),
  compact: '/compact',
  resume: ['resume', '--last'],
  plugin: ['plugin', 'add'],
  own_tools: ['request_user_input', 'multi_agent_v1'],
  leave: '/quit',
  prompt: emptyPrompt,
  typed: (words) => new RegExp(`^›.*${words}`, 'm'),
  isSent: (screen) => [emptyPrompt, trustFolder, trustHooks].some((each) => each.test(screen)),
  mayPress: (screen) => /^› /m.test(screen),
  answered: (words) => new RegExp(`^[•\\s].*${words}`, 'm'),
  questions: [
    { question: trustFolder, choice: '1', chosen: /› 1\./ },
    { question: trustHooks, choice: '2', chosen: /› 2\./ },
  ],
};

const emptyLine = /Type your message or @path/;

/** Its question about the folder is answered by a variable, as where a person trusted a folder above. */
const geminiCli: ProgramRow = {
  compact: '/compress',
  resume: ['--resume', 'latest'],
  own_tools: [],
  leave: '/quit',
  prompt: emptyLine,
  typed: (words) => new RegExp(`^ [>*] .*${words}`, 'm'),
  isSent: (screen) => emptyLine.test(screen),
  mayPress: () => true,
  answered: (words) => new RegExp(`✦.*${words}`),
  questions: [],
};

/** Copilot CLI without an account, as a person has it who trusts the folder. */
const copilotCli: ProgramRow = {
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

/** The box for words is the one that ends with the agent's name. */
const typed = (words: string): RegExp => new RegExp(`┃ +${words}(?:[^\\n]*\\n *┃){1,6} +Build`);

/** OpenCode with a provider of the person's own settings. */
const openCode: ProgramRow = {
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

/** Every host whose real program the rig runs. */
export const programRows: Readonly<Record<HostName, ProgramRow>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode: openCode,
};

function change({ home }: RealStage, name: string, to: (text: string) => string): void {
  const path = join(home, name);
  writeFileSync(path, to(readFileSync(path, 'utf8')));
}
