import type { Host } from '../host.ts';
import { entry, nested, payload } from './claude-hooks.ts';

/** VS Code, by its documents and not run: it gets the server and the block for agents. */
export const vsCode: Host = {
  title: 'VS Code',
  command: 'code',
  folder: { variable: 'VSCODE_PORTABLE', name: '.vscode' },
  hook_files: { form: 'json' },
  hook_entry: { ...entry, command_form: 'line' },
  server_files: { form: 'json', project: '.vscode/mcp.json' },
  server_entry: { list: 'servers', fixed: { type: 'stdio' } },
  payload,
  answer: nested,
  keeps_no_record: true,
  context_characters_max: 0,
  block_exit_code: 2,
  hidden_variables: /^$/,
  variables: {},
  headless: { words: [], example: 'baton claim', is_certain: false },
  after_init: { hooks: '', server: 'In VS Code: open .vscode/mcp.json, start the server "baton", and trust it.' },
  has_trust: false,
  events: [],
};
