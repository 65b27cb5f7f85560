import type { Host } from '../host.ts';
import { limits } from '../limits.ts';
import { entry, payload, start, stop, usual } from './claude-hooks.ts';

/**
 * OpenCode. It runs no commands as hooks, but plugins within itself: the file that `init` writes calls the command for each
 * of these events, and gives a prompt what it answers. What is added to a prompt is kept in the host's own database with it.
 */
export const openCode: Host = {
  title: 'OpenCode',
  command: 'opencode',
  version_min: '1.18.33',
  version_seen: '1.18.33',
  folder: { variable: 'OPENCODE_CONFIG_DIR', name: '.config/opencode' },
  sessions: { variable: 'XDG_DATA_HOME', folder: '.local/share', file: 'opencode/opencode.db/SESSION' },
  hook_files: { form: 'plugin', project: '.opencode/plugin/baton.js', user: 'plugin/baton.js' },
  hook_entry: { ...entry, in_groups: false, command_form: 'words' },
  server_files: { form: 'json', project: 'opencode.json', user: 'opencode.json' },
  server_entry: { list: 'mcp', fixed: { type: 'local' }, is_one_list: true },
  payload,
  answer: { context: ['additionalContext'], notice: ['systemMessage'] },
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^$/,
  variables: {},
  headless: { words: ['run'], example: 'baton run -- opencode run "Go on with this."', is_certain: true },
  after_init: { hooks: 'Restart OpenCode: it reads its plugins when it starts.' },
  has_trust: false,
  events: [
    { ...start, event: 'ChatMessage', comes_again: true, occasions: [], payload: {} },
    {
      ...usual,
      event: 'Compacting',
      moment: 'compaction',
      defers: ['manual'],
      can_block: false,
      payload: { trigger: 'manual' },
    },
    { ...stop, event: 'SessionIdle', can_block: false, payload: {} },
  ],
};
