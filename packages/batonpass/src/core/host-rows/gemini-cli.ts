import type { Host } from '../host.ts';
import { limits } from '../limits.ts';
import { compaction, end, entry, nested, payload, start, stop, stopped } from './claude-hooks.ts';

/**
 * Gemini CLI, as seen in 0.61. It does not wait for its hook of a session's start: a first prompt that is sent meanwhile, as
 * with `gemini -i`, reaches the model without the hook's text. The hook of a prompt is waited for.
 */
export const geminiCli: Host = {
  title: 'Gemini CLI',
  command: 'gemini',
  version_min: '0.61.0',
  version_seen: '0.61.0',
  folder: { variable: 'GEMINI_CLI_HOME', name: '.gemini', is_home: true },
  hook_files: { form: 'json', project: '.gemini/settings.json', user: 'settings.json' },
  hook_entry: {
    ...entry,
    command_form: 'line',
    // Seen: where the command is missing or its Node is too old, no prompt is answered.
    ends_well: true,
    timeout: { name: 'timeout', unit_ms: 1 },
    fixed: { name: 'baton', type: 'command' },
  },
  server_files: { form: 'json', project: '.gemini/settings.json', user: 'settings.json' },
  server_entry: { list: 'mcpServers' },
  document: 'GEMINI.md',
  payload: { ...payload, last_words: 'prompt_response' },
  // It asks for no name of the event.
  answer: { context: nested.context, notice: nested.notice, escapes_tags: true },
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^$/,
  variables: { project: 'GEMINI_PROJECT_DIR' },
  headless: {
    words: ['-p', '--prompt'],
    example: 'baton run -- gemini -p "Go on with this."',
    is_certain: true,
  },
  after_init: {
    hooks: 'In Gemini CLI: start gemini in the project, and trust the folder when it asks. It runs no hook before.',
  },
  has_trust: false,
  events: [
    {
      ...start,
      event: 'BeforeAgent',
      comes_again: true,
      can_block: true,
      timeout_ms: 60_000,
      occasions: [],
      payload: { prompt: 'Go on.' },
    },
    {
      ...compaction,
      event: 'PreCompress',
      // Before every request the host calls it for `auto`, whether it compresses anything or not.
      matcher: 'manual',
      occasions: ['manual'],
      defers: ['manual'],
      timeout_ms: 60_000,
      can_block: false,
      payload: { trigger: 'manual' },
    },
    {
      ...stop,
      event: 'AfterAgent',
      timeout_ms: 60_000,
      payload: { prompt: 'Go on.', prompt_response: stopped.last_assistant_message, stop_hook_active: false },
    },
    { ...end, timeout_ms: 60_000, payload: { reason: 'exit' } },
  ],
};
