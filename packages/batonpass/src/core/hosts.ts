import { limits } from './limits.ts';

/** The hosts whose hooks Baton answers. */
export const hostNames = ['claude-code', 'codex'] as const;

/** A host by the name that its handoffs carry. */
export type HostName = (typeof hostNames)[number];

/** One event of a host that Baton listens to: how it is registered, and what the host does with it. */
export interface HostEvent {
  event: string;
  /** What a session does at it: begins, goes on with something to save, or ends. */
  moment: 'start' | 'save' | 'end';
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
}

/** What Baton knows of a host. Hooks, `init`, `doctor`, readers and the tests with real programs use nothing else. */
export interface Host {
  /** As people call it. */
  title: string;
  /** What starts it in a shell. */
  command: string;
  /** The lowest version in which all of it was seen to work. */
  version_min: string;
  /** What the rules below were read from or seen in; a newer host may have others. */
  read_from: string;
  /** The user's folder of the host: a variable that names it, and its name in the home folder. */
  folder: { variable: string; name: string };
  /** The files that hold hooks: in the project, in the project for one user alone, and in the user's folder. */
  hook_files: { project: string; local?: string; user: string };
  /** `words`: the host starts a command with its arguments, without a shell. `line`: a shell reads it. */
  hook_form: 'words' | 'line';
  /** What the model gets at the most of one hook; a longer text does not reach it whole. */
  context_characters_max: number;
  /** The exit code that blocks; every other one but 0 is an error that the host goes on after. */
  block_exit_code: number;
  /** What the host removes from the environment of hooks and servers. */
  hidden_variables: RegExp;
  /** Whether a person's sessions run in a server that outlives the program that the person sees. */
  has_server: boolean;
  /** What a person does before the host runs hooks that are new; absent where nothing. */
  trust?: string;
  events: readonly HostEvent[];
}

const usual = { timeout_s: 10, timeout_ms: 600_000, slow_ms: 2_000, occasions: [] } as const;

const claudeCode: Host = {
  title: 'Claude Code',
  command: 'claude',
  version_min: '2.1.197',
  read_from: 'Claude Code 2.1.233',
  folder: { variable: 'CLAUDE_CONFIG_DIR', name: '.claude' },
  hook_files: {
    project: '.claude/settings.json',
    local: '.claude/settings.local.json',
    user: 'settings.json',
  },
  hook_form: 'words',
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^OTEL_/,
  has_server: false,
  events: [
    {
      ...usual,
      event: 'SessionStart',
      moment: 'start',
      // Every way in which a session begins: each has a context that a handoff can go into.
      matcher: 'startup|resume|clear|compact|fork',
      // A session that forks off another brings its context along, so that a matcher may leave `fork` out.
      occasions: ['startup', 'resume', 'clear', 'compact'],
      takes_context: true,
      can_block: false,
    },
    {
      ...usual,
      event: 'PreCompact',
      moment: 'save',
      occasions: ['manual', 'auto'],
      takes_context: false,
      can_block: true,
    },
    { ...usual, event: 'Stop', moment: 'save', takes_context: true, can_block: true },
    { ...usual, event: 'SubagentStop', moment: 'save', takes_context: true, can_block: true },
    {
      ...usual,
      event: 'SessionEnd',
      moment: 'end',
      // The host waits less than two seconds unless it is configured otherwise; the hook returns long before.
      timeout_s: 5,
      takes_context: false,
      can_block: false,
      timeout_ms: limits.session_end_ms,
      slow_ms: limits.session_end_ms,
    },
  ],
};

const codex: Host = {
  title: 'Codex',
  command: 'codex',
  version_min: '0.169.0',
  read_from: 'Codex 0.169.0',
  folder: { variable: 'CODEX_HOME', name: '.codex' },
  hook_files: { project: '.codex/hooks.json', user: 'hooks.json' },
  hook_form: 'line',
  context_characters_max: limits.hook_characters_max,
  block_exit_code: 2,
  hidden_variables: /^$/,
  has_server: true,
  trust:
    'start codex in the project once, and choose "Trust and continue" and "Trust all and continue" (later: /hooks)',
  events: [
    {
      ...usual,
      event: 'SessionStart',
      moment: 'start',
      occasions: ['startup', 'resume', 'clear', 'compact'],
      takes_context: true,
      can_block: false,
    },
    {
      ...usual,
      event: 'PreCompact',
      moment: 'save',
      occasions: ['manual', 'auto'],
      takes_context: false,
      can_block: false,
    },
    { ...usual, event: 'Stop', moment: 'save', takes_context: false, can_block: true },
    { ...usual, event: 'SubagentStop', moment: 'save', takes_context: false, can_block: true },
    // The host shortens a longer time-out to three seconds.
    {
      ...usual,
      event: 'SessionEnd',
      moment: 'end',
      timeout_s: 3,
      takes_context: false,
      can_block: false,
      timeout_ms: 3_000,
      slow_ms: 2_000,
    },
  ],
};

/** The one table of hosts. */
export const hosts: Readonly<Record<HostName, Host>> = { 'claude-code': claudeCode, codex };

/** Whether a word names a host. */
export function isHostName(word: string): word is HostName {
  return (hostNames as readonly string[]).includes(word);
}

/** What a host does at an event; nothing where Baton does not listen to it. */
export function eventOf(host: HostName, event: string): HostEvent | undefined {
  return hosts[host].events.find((each) => each.event === event);
}

/** Whether a host runs a person's sessions in a server of its own; no other program than those of the table is known to. */
export function hasServer(host: string): boolean {
  return isHostName(host) && hosts[host].has_server;
}
