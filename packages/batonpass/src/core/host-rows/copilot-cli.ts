import type { Host } from '../host.ts';
import { limits } from '../limits.ts';
import { compaction, end, entry, payload, prompt, start, stop } from './claude-hooks.ts';

/**
 * Copilot CLI. It takes the names of Claude Code's events as well as its own, and gives payloads in the same form then. What a
 * hook gives at a session's start leaves no trace of whether the model got it; what it gives with a prompt does.
 */
export const copilotCli: Host = {
  title: 'Copilot CLI',
  command: 'copilot',
  version_min: '1.0.102',
  version_seen: '1.0.102',
  folder: { variable: 'COPILOT_HOME', name: '.copilot' },
  sessions: { variable: 'COPILOT_HOME', folder: '.copilot', file: 'session-state/SESSION/events.jsonl' },
  hook_files: { form: 'json', project: '.github/hooks/baton.json', user: 'hooks/baton.json' },
  hook_entry: {
    ...entry,
    in_groups: false,
    command_form: 'line',
    timeout: { name: 'timeoutSec', unit_ms: 1_000 },
    file: { version: 1 },
  },
  server_files: { form: 'json', project: '.mcp.json', user: 'mcp-config.json' },
  server_entry: { list: 'mcpServers' },
  payload,
  answer: { context: ['additionalContext'], notice: [] },
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^$/,
  variables: { project: 'COPILOT_PROJECT_DIR', own: 'COPILOT_PROJECT_DIR' },
  headless: {
    words: ['-p', '--prompt'],
    example: 'baton run -- copilot -p "Go on with this."',
    has_prompt: true,
    is_certain: true,
  },
  after_init: {
    hooks: 'Restart Copilot CLI, and trust the folder when it asks: it runs no hook of a project before.',
  },
  has_trust: false,
  events: [
    { ...start, event: prompt.event, comes_again: true, occasions: [], can_block: true, payload: { prompt: 'Go on.' } },
    {
      ...compaction,
      defers: ['manual', 'auto'],
      can_block: false,
      payload: { trigger: 'manual', custom_instructions: '' },
    },
    { ...stop, payload: { stop_reason: 'end_turn', stop_hook_active: false } },
    { ...end, payload: { reason: 'user_exit' } },
  ],
};
