import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TranscribedHost } from '../core/hosts.ts';

/** The environment of a trial: folders of its own, and a model that costs nothing. */
export interface TrialPlace {
  home: string;
  project: string;
  /** The model's address, without a slash at its end. */
  url: string;
  /** The program's version, as it reports it. */
  version: string;
  /** The folder for what programs unpack; kept from one trial to the next. */
  cache: string;
}

/** How a host's program is run against a model on loopback, without an account. */
export interface TrialProgram {
  /** Writes the settings of a person who has answered all of the program's questions. @returns the variables that it needs. */
  settle: (place: TrialPlace) => Record<string, string>;
  /** The words before the prompt of a run without a person. */
  headless: readonly string[];
}

const key = 'sk-ant-api03-a-dummy-key-for-a-model-on-loopback';

const claudeCode: TrialProgram = {
  settle: ({ home, project, url }) => {
    const answered = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['baton'] } },
    };
    writeJson(join(home, '.claude.json'), answered);
    writeJson(join(home, '.claude/settings.json'), {
      permissions: { allow: ['Bash', 'Write', 'Edit', 'mcp__baton'] },
    });
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    };
  },
  headless: ['-p'],
};

const codex: TrialProgram = {
  settle: ({ home, url }) => {
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
    writeText(join(home, '.codex/config.toml'), `${lines.join('\n')}\n`);
    return { RIG_KEY: 'dummy' };
  },
  headless: ['exec', '--trust', '--dangerously-bypass-hook-trust', '--skip-git-repo-check'],
};

const geminiCli: TrialProgram = {
  settle: ({ home, url }) => {
    writeJson(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      // Without a name the host asks a model which model to use.
      model: { name: 'gemini-2.5-pro' },
      general: { enableAutoUpdate: false, defaultApprovalMode: 'auto_edit' },
      tools: { allowed: ['run_shell_command'] },
      privacy: { usageStatisticsEnabled: false },
    });
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy', GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  },
  headless: ['-p'],
};

const copilotCli: TrialProgram = {
  settle: ({ home, project, url, cache }) => {
    writeJson(join(home, '.copilot/config.json'), { trustedFolders: [project] });
    return {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_AUTO_UPDATE: 'false',
      // Any other word than "true" allows only tools.
      COPILOT_ALLOW_ALL: '1',
      // It unpacks itself there, 235 MB.
      XDG_CACHE_HOME: cache,
    };
  },
  headless: ['-p'],
};

const openCode: TrialProgram = {
  settle: ({ home, project, url, version }) => {
    const folder = join(home, '.config/opencode');
    const rig = {
      npm: '@ai-sdk/openai-compatible',
      name: 'rig',
      options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
      models: { m: { name: 'm', limit: { context: 100_000, output: 8_000 } } },
    };
    const settings = { model: 'rig/m', small_model: 'rig/m', autoupdate: false, share: 'disabled', provider: { rig } };
    writeJson(join(folder, 'opencode.json'), settings);
    for (const place of [folder, join(project, '.opencode')]) markHelperInstalled(place, version);
    return {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_TERMINAL_TITLE: '1',
    };
  },
  headless: ['run'],
};

/** Every host whose real program can be tried in this way. */
export const trialPrograms: Readonly<Record<TranscribedHost, TrialProgram>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode: openCode,
};

/**
 * Before its first prompt OpenCode installs a helper for plugins from the registry, in each folder of settings where it is
 * missing: this takes a minute, or fails where there is no registry. Baton's plugin imports nothing of it.
 */
function markHelperInstalled(folder: string, version: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const dependencies = { '@opencode-ai/plugin': version };
  writeJson(join(folder, 'package-lock.json'), { packages: { '': { dependencies } } });
}

function writeJson(path: string, value: object): void {
  writeText(path, JSON.stringify(value));
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
