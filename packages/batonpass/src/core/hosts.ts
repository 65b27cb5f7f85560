import { limits } from './limits.ts';

/** The hosts whose hooks Baton answers. */
export const hostNames = ['claude-code', 'codex'] as const;

/** A host by the name that its handoffs carry. */
export type HostName = (typeof hostNames)[number];

/** The host that a registered command is of which names none, and that `init` registers with wherever it runs. */
export const defaultHost: HostName = 'claude-code';

/** One event of a host that Baton listens to: how it is registered, and what the host does with it. */
export interface HostEvent {
  event: string;
  /**
   * What happens then: the session starts, the person sends a prompt, there is something to save, the session loses its
   * past to a summary, or it ends.
   */
  moment: 'start' | 'prompt' | 'save' | 'compaction' | 'end';
  /** The occasions that the hook is registered for; absent for all. */
  matcher?: string;
  /** The occasions at which a missing hook costs a handoff, as the payload names them. */
  occasions: readonly string[];
  /** Registered with the hook. */
  timeout_s: number;
  /** Whether the text that the hook gives reaches the model. */
  takes_context: boolean;
  /** Whether exit code 2 or a decision to block stops what the host was about to do. */
  can_block: boolean;
  /** Of a hook that registers no time-out of its own. */
  timeout_ms: number;
  /** Above it a person notices, or the host cuts the hook off. */
  slow_ms: number;
  /** What its payload holds besides the fields of every event, as `doctor` sends it to the hook. */
  payload: Readonly<Record<string, unknown>>;
}

/** What Baton knows of a host. Hooks, `init`, `doctor`, readers and the tests with real programs use nothing else. */
export interface Host {
  /** As people call it. */
  title: string;
  /** What starts it in a shell. */
  command: string;
  /** The lowest version in which all of it was seen to work. */
  version_min: string;
  /** The version in which the rules below were read or seen; a newer host may have others. */
  version_seen: string;
  /** The user's folder of the host: a variable that names it, and its name in the home folder. */
  folder: {
    variable: string;
    name: string;
    /** Whether the variable names the folder that the host's own is in, as another home. */
    is_home?: boolean;
  };
  /** The files that hold hooks: in the project, in the project for one user alone, and in the user's folder. */
  hook_files: HostFiles & { form: 'json' };
  /** How these files write a hook. */
  hook_entry: HookEntry;
  /** The files that hold MCP servers, and how they are written. They may be the ones that hold hooks. */
  server_files: HostFiles & { form: 'json' | 'toml' };
  /** How a file of JSON writes a server: the member that lists all servers, and what each says besides its command. */
  server_entry: { list: string; fixed?: Readonly<Record<string, unknown>> };
  /** The document that the host reads for agents, where it is not AGENTS.md. */
  document?: string;
  /** The members of the payload that the host gives to hooks. */
  payload: {
    session: string;
    transcript: string;
    /** What the agent said last. */
    last_words: string;
  };
  /** Where in a hook's answer the host finds what: names of members, the outermost first. */
  answer: {
    /** The text for the model. */
    context: readonly string[];
    /** The event's name, without which the text is dropped; absent where the host asks for none. */
    event?: readonly string[];
    /** The line for the person. */
    notice: readonly string[];
  };
  /** What the model gets at the most of one hook; a longer text does not reach it whole. */
  context_characters_max: number;
  /** The exit code that blocks; every other one but 0 is an error that the host goes on after. */
  block_exit_code: number;
  /** What the host removes from the environment of hooks and servers. */
  hidden_variables: RegExp;
  /** The variables by which the host tells its hooks something. */
  variables: {
    /** The project's folder; the host puts it into the words of a registered command too. */
    project?: string;
    /** The process id of the host. */
    process?: string;
    /** What a person sets as the time-out of the hooks at a session's end, in milliseconds. */
    end_timeout?: string;
    /** What started the session; `interactive` where a person did. */
    entrypoint?: { name: string; interactive: string };
  };
  /** How it runs without a person before it. */
  headless: {
    /** One of them among the words of its command. */
    words: readonly string[];
    example: string;
    /** Whether these words mean nothing else, so that a process that has one surely has nobody before it. */
    is_certain: boolean;
    /** The entrypoints of such sessions. */
    entrypoints?: RegExp;
    /** What the beginning of their transcripts holds. */
    transcript?: RegExp;
  };
  /** A word in the command of the server in which the host runs a person's sessions, and which outlives what the person sees. */
  server_word?: string;
  /** What a person does once after `init`. */
  after_init: {
    /** Before the host runs hooks that are new. */
    hooks: string;
    /** Before it starts a server that the project registers. */
    server?: string;
  };
  /** Whether it passes over hooks that no person has trusted. */
  has_trust: boolean;
  events: readonly HostEvent[];
}

/** How a host's file writes a hook: what `init` puts there, and `doctor` finds. */
export interface HookEntry {
  /** Whether an event has a list of groups, each with a matcher and its hooks, or a list of hooks. */
  in_groups: boolean;
  /** `words`: the host starts a command with its arguments, without a shell. `line`: a shell reads it. */
  command_form: 'words' | 'line';
  /** The member that holds the command. */
  command: string;
  /** The member that holds the time-out, and its unit. */
  timeout: { name: string; unit_ms: number };
  /** Members that are alike in every hook. */
  fixed: Readonly<Record<string, unknown>>;
  /** Members that the file needs besides its hooks. */
  file: Readonly<Record<string, unknown>>;
}

/** Files by whose settings they are: for everybody in the project, one user's in the project, one user's everywhere. */
export interface HostFiles {
  project?: string;
  local?: string;
  user?: string;
}

const said = 'The limiter counts in Redis now; its tests pass. Next is the documentation of the headers.';

/** What an answer's end tells in all hosts that have Claude Code's hooks. */
const stopped = { permission_mode: 'default', stop_hook_active: false, last_assistant_message: said };
const helper = { agent_id: 'a1b2c3d4', agent_type: 'Explore' };

const usual = { timeout_s: 10, timeout_ms: 600_000, slow_ms: 2_000, occasions: [], takes_context: false } as const;

/** The events of Claude Code, by which other hosts have named theirs. */
const start = {
  ...usual,
  event: 'SessionStart',
  moment: 'start',
  // A session that forks off another brings its context along, so that a matcher may leave `fork` out.
  occasions: ['startup', 'resume', 'clear', 'compact'],
  takes_context: true,
  can_block: false,
} as const;
const prompt = {
  ...usual,
  event: 'UserPromptSubmit',
  moment: 'prompt',
  takes_context: true,
  can_block: true,
  timeout_ms: 30_000,
} as const;
const compaction = {
  ...usual,
  event: 'PreCompact',
  moment: 'compaction',
  occasions: ['manual', 'auto'],
} as const;
const stop = { ...usual, event: 'Stop', moment: 'save', can_block: true } as const;
const helperStop = { ...usual, event: 'SubagentStop', moment: 'save', can_block: true } as const;
const end = { ...usual, event: 'SessionEnd', moment: 'end', can_block: false, payload: { reason: 'other' } } as const;

/** How hosts that took over the hooks of Claude Code write one. */
const entry = {
  in_groups: true,
  command: 'command',
  timeout: { name: 'timeout', unit_ms: 1_000 },
  fixed: { type: 'command' },
  file: {},
} as const;

const payload = {
  session: 'session_id',
  transcript: 'transcript_path',
  last_words: 'last_assistant_message',
} as const;

/** The answer of a hook in Claude Code, and in hosts that took it over. */
const nested = {
  context: ['hookSpecificOutput', 'additionalContext'],
  event: ['hookSpecificOutput', 'hookEventName'],
  notice: ['systemMessage'],
} as const;

const claudeCode: Host = {
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

const ofCodex = { model: 'gpt-5.1-codex', permission_mode: 'bypassPermissions' };
const turn = { ...ofCodex, turn_id: '00000000-0000-7000-8000-000000000001' };

const codex: Host = {
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
    // The rollout's first row says what the session was started for: `codex exec`, the SDK, a server of tools.
    transcript: /"originator":"codex_(?:exec|sdk|mcp)|"source":"(?:exec|mcp)"/,
  },
  server_word: 'app-server',
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

/** The one table of hosts. What is code of a room and belongs to a host is in a table of that room, keyed by these names. */
export const hosts: Readonly<Record<HostName, Host>> = { 'claude-code': claudeCode, codex };

/** All hosts as people call them, for a list that goes on. */
export const hostTitles = hostNames.map((host) => hosts[host].title).join(', ');

/** Whether a word names a host. */
export function isHostName(word: string): word is HostName {
  return (hostNames as readonly string[]).includes(word);
}

/** What a host does at an event; nothing where Baton does not listen to it. */
export function eventOf(host: HostName, event: string): HostEvent | undefined {
  return hosts[host].events.find((each) => each.event === event);
}

/** What happens at an event, whichever host calls it so; nothing for a word that is no event's. */
export function momentOf(host: string, event: string): HostEvent['moment'] | undefined {
  return isHostName(host) ? eventOf(host, event)?.moment : undefined;
}

/** Whether the host takes a text of the hook at an event for the model's context, and Baton gives one. */
export function isGiving(host: HostName, event: string): boolean {
  const moment = momentOf(host, event);
  return moment === 'start' || moment === 'prompt';
}

/** The row of a host; nothing for any other program that calls itself a host. */
export function hostOf(name: string): Host | undefined {
  return isHostName(name) ? hosts[name] : undefined;
}
