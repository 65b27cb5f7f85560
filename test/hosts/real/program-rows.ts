import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copilotCli } from './copilot-program.ts';
import { openCode } from './opencode-program.ts';
import type { HostName } from './programs.ts';
import type { ProgramRow } from './real-host.ts';
import type { RealStage } from './real-stage.ts';

const key = 'sk-ant-api03-a-dummy-key-for-a-model-on-loopback';

/** Nobody is asked anything at its first start, because its settings say that all of it was answered. */
const claudeCode: ProgramRow = {
  settle: (stage, url) => {
    const answered = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: { [stage.project]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['baton'] } },
    };
    writeFileSync(join(stage.home, '.claude.json'), JSON.stringify(answered));
    mkdirSync(join(stage.home, '.claude'));
    const allowed = { permissions: { allow: ['Bash', 'Write', 'Edit', 'mcp__baton'] } };
    writeFileSync(join(stage.home, '.claude/settings.json'), JSON.stringify(allowed));
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    };
  },
  settleAccess: (stage, url) => {
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
    change(stage, '.claude/settings.json', (text) => JSON.stringify({ ...JSON.parse(text), env }));
  },
  headless: ['-p'],
  compact: '/compact',
  resume: ['--continue'],
  plugin: ['plugin', 'install'],
  own_tools: [],
  leave: '/exit',
  prompt: /❯/,
  // The last one: a session that goes on shows what was said in it before.
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
  settle: (stage, url) => {
    mkdirSync(join(stage.home, '.codex'));
    const lines = [
      'model = "gpt-5.1-codex"',
      'model_provider = "rig"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'check_for_update_on_startup = false',
      '[model_providers.rig]',
      'name = "rig"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "RIG_KEY"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      '[analytics]',
      'enabled = false',
    ];
    writeFileSync(join(stage.home, '.codex/config.toml'), `${lines.join('\n')}\n`);
    return { RIG_KEY: 'dummy' };
  },
  settleAccess: (stage) =>
    change(stage, '.codex/config.toml', (text) =>
      text.replace('env_key = "RIG_KEY"', 'experimental_bearer_token = "dummy"'),
    ),
  headless: ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check'],
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
  settle: (stage, url) => {
    mkdirSync(join(stage.home, '.gemini'));
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      // Without a name the host asks a model which model to ask.
      model: { name: 'gemini-2.5-pro' },
      general: { enableAutoUpdate: false, defaultApprovalMode: 'auto_edit' },
      tools: { allowed: ['run_shell_command'] },
      privacy: { usageStatisticsEnabled: false },
    };
    writeFileSync(join(stage.home, '.gemini/settings.json'), JSON.stringify(settings));
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy', GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  },
  headless: ['-p'],
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
