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

/** Claude Code. */
export const claudeCode: Host = {
  title: 'Claude Code',
  command: 'claude',
  version_min: '2.1.197',
  version_seen: '2.1.233',
  folder: { variable: 'CLAUDE_CONFIG_DIR', name: '.claude' },
  hook_files: {
    form: 'json',
    project: '.claude/settings.json',
    local: '.claude/settings.local.json',
    user: 'settings.json',
  },
  hook_entry: { ...entry, command_form: 'words' },
  // What one user has of servers everywhere is the host's own to write.
  server_files: { form: 'json', project: '.mcp.json', local: '.mcp.json' },
  server_entry: { list: 'mcpServers' },
  document: 'CLAUDE.md',
  payload,
  answer: nested,
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^OTEL_/,
  variables: {
    project: 'CLAUDE_PROJECT_DIR',
    process: 'CLAUDE_PID',
    end_timeout: 'CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS',
    entrypoint: { name: 'CLAUDE_CODE_ENTRYPOINT', interactive: 'cli' },
  },
  headless: {
    words: ['-p', '--print'],
    example: 'baton run -- claude -p "Go on with this."',
    is_certain: true,
    // The SDK and `claude -p`, an action of a forge, a server of tools.
    entrypoints: /^sdk|^mcp$|action$/,
  },
  after_init: {
    hooks: 'Restart Claude Code: it reads its hooks when it starts.',
    server: 'Open Claude Code here, and approve the server "baton" when it asks.',
  },
  has_trust: false,
  events: [
    // Every way in which a session begins: each has a context that a handoff can go into.
    {
      ...start,
      matcher: 'startup|resume|clear|compact|fork',
      payload: { source: 'startup', model: 'claude-sonnet-4-5' },
    },
    { ...prompt, payload: { permission_mode: 'default', prompt: 'Go on.' } },
    { ...compaction, can_block: true, payload: { trigger: 'manual', custom_instructions: '' } },
    { ...stop, takes_context: true, payload: stopped },
    { ...helperStop, takes_context: true, payload: { ...stopped, ...helper } },
    // The host waits less than two seconds unless it is configured otherwise; the hook returns long before.
    { ...end, timeout_s: 5, timeout_ms: limits.session_end_ms, slow_ms: limits.session_end_ms },
  ],
};
