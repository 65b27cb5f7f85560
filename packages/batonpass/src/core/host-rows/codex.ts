import type { Host } from '../host.ts';
import { limits } from '../limits.ts';
import {
  compaction,
  end,
  entry,
  helper,
  helperStop,
  nested,
  payload,
  prompt,
  start,
  stop,
  stopped,
} from './claude-hooks.ts';

const ofCodex = { model: 'gpt-5.1-codex', permission_mode: 'bypassPermissions' };
const turn = { ...ofCodex, turn_id: '00000000-0000-7000-8000-000000000001' };

/** Codex. */
export const codex: Host = {
  title: 'Codex',
  command: 'codex',
  version_min: '0.169.0',
  version_seen: '0.169.0',
  folder: { variable: 'CODEX_HOME', name: '.codex' },
  hook_files: { form: 'json', project: '.codex/hooks.json', user: 'hooks.json' },
  hook_entry: { ...entry, command_form: 'line' },
  server_files: { form: 'toml', project: '.codex/config.toml', user: 'config.toml' },
  server_entry: { list: 'mcp_servers' },
  payload,
  answer: nested,
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^$/,
  variables: {},
  headless: {
    words: ['exec', 'e'],
    example: 'baton run -- codex exec "Go on with this."',
    is_certain: false,
    // The rollout's first row records what started the session: `codex exec`, the SDK, a server of tools.
    transcript: /"originator":"codex_(?:exec|sdk|mcp)|"source":"(?:exec|mcp)"/,
  },
  server_word: 'app-server',
  call_session: ['x-codex-turn-metadata', 'session_id'],
  after_init: {
    hooks:
      'In Codex: start codex in the project once, and choose "Trust and continue" and "Trust all and continue" (later: /hooks). It runs no hook before.',
  },
  has_trust: true,
  events: [
    { ...start, payload: { ...ofCodex, source: 'startup' } },
    { ...prompt, payload: { ...turn, prompt: 'Go on.' } },
    { ...compaction, can_block: false, payload: { ...turn, trigger: 'manual' } },
    { ...stop, payload: { ...stopped, ...turn } },
    { ...helperStop, payload: { ...stopped, ...turn, ...helper } },
    // The host shortens a longer time-out to three seconds.
    { ...end, timeout_s: 3, timeout_ms: 3_000 },
  ],
};
