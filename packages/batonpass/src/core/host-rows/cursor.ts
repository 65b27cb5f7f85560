import type { Host } from '../host.ts';
import { limits } from '../limits.ts';
import { compaction, end, entry, payload, start, stop } from './claude-hooks.ts';

const told = { generation_id: '00000000-0000-4000-8000-000000000002', cursor_version: '2.4.0', user_email: null };

/**
 * Cursor, from its documentation and not tried. It does not state that the transcript shows what the model got from a
 * hook, so the session is only notified of a handoff, and claims and acknowledges it itself.
 */
export const cursor: Host = {
  title: 'Cursor',
  command: 'cursor-agent',
  folder: { variable: 'CURSOR_CONFIG_DIR', name: '.cursor' },
  hook_files: { form: 'json', project: '.cursor/hooks.json', user: 'hooks.json' },
  hook_entry: { ...entry, in_groups: false, command_form: 'line', fixed: {}, file: { version: 1 } },
  server_files: { form: 'json', project: '.cursor/mcp.json', user: 'mcp.json' },
  server_entry: { list: 'mcpServers' },
  payload: { ...payload, session: 'conversation_id' },
  answer: { context: ['additional_context'], notice: [] },
  keeps_no_record: true,
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^$/,
  // Cursor can run the hooks of Claude Code's files as well.
  variables: { project: 'CURSOR_PROJECT_DIR', own: 'CURSOR_VERSION' },
  headless: {
    words: ['-p', '--print'],
    example: 'baton run -- cursor-agent -p "Go on with this."',
    is_certain: true,
  },
  after_init: {
    hooks: 'In Cursor: trust the workspace, and see that the hooks are listed under Customize.',
    server: 'In Cursor: turn on the server "baton".',
  },
  has_trust: false,
  events: [
    { ...start, event: 'sessionStart', occasions: [], payload: { ...told, composer_mode: 'agent' } },
    { ...compaction, event: 'preCompact', can_block: false, payload: { ...told, trigger: 'manual' } },
    { ...stop, event: 'stop', payload: { ...told, status: 'completed', loop_count: 0 } },
    { ...end, event: 'sessionEnd', payload: { ...told, reason: 'completed', final_status: 'completed' } },
  ],
};
