/** One event of a host that Baton listens to: how it is registered, and what the host does with it. */
export interface HostEvent {
  event: string;
  /**
   * What happens then: the session starts, the person sends a prompt, there is something to save, the session loses its
   * past to a summary, or it ends.
   */
  moment: 'start' | 'prompt' | 'save' | 'compaction' | 'end';
  /** Of a start: whether it comes with every prompt, of which only the first starts the session. */
  comes_again?: boolean;
  /** The occasions that the hook is registered for; absent for all. */
  matcher?: string;
  /** The occasions at which a missing hook costs a handoff, as the payload names them. */
  occasions: readonly string[];
  /** Of a compaction: the occasions after which the host takes no text of a hook before the person's next prompt. */
  defers?: readonly string[];
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
  /** What its payload has in addition to the fields of every event, as `doctor` sends it to the hook. */
  payload: Readonly<Record<string, unknown>>;
}

/** What Baton knows of a host. Hooks, `init`, `doctor`, readers and the tests with real programs use nothing else. */
export interface Host {
  /** As people call it. */
  title: string;
  /** What starts it in a shell. */
  command: string;
  /** The lowest version in which all of it was seen to work; absent where its row is by its documents alone. */
  version_min?: string;
  /** The version in which the rules below were read or seen; a newer host may have others. */
  version_seen?: string;
  /** The user's folder of the host: a variable that names it, and its name in the home folder. */
  folder: {
    variable: string;
    name: string;
    /** Whether the variable names the folder that the host's own is in, as another home. */
    is_home?: boolean;
  };
  /**
   * Where its sessions are, if not every hook gets the path: a variable that names a folder, that folder's usual place in the
   * home, and the transcript in it, `SESSION` for the id.
   */
  sessions?: { variable: string; folder: string; file: string };
  /** The files that hold hooks: in the project, in the project for one user alone, and in the user's folder. */
  hook_files: HostFiles & { form: 'json' | 'plugin' };
  /** How these files write a hook. */
  hook_entry: HookEntry;
  /** The files that hold MCP servers, and how they are written. They may be the ones that hold hooks. */
  server_files: HostFiles & { form: 'json' | 'toml' };
  /** How a JSON file describes a server: the member that lists all servers, each server's further fields, and whether its command is one list of all its words. */
  server_entry: { list: string; fixed?: Readonly<Record<string, unknown>>; is_one_list?: boolean };
  /** The document that the host reads for agents, where it is not AGENTS.md. */
  document?: string;
  /** The members of the payload that the host gives to hooks. */
  payload: {
    session: string;
    transcript: string;
    /** The agent's last message. */
    last_words: string;
  };
  /** Where in a hook's answer the host finds what: names of members, the outermost first. */
  answer: {
    /** The text for the model. */
    context: readonly string[];
    /** The event's name, without which the text is dropped; absent where the host asks for none. */
    event?: readonly string[];
    /** The line for the person; empty where the host shows none. */
    notice: readonly string[];
    /** Whether the model gets `<` and `>` of a text as entities. */
    escapes_tags?: boolean;
  };
  /** Whether its own record does not show what the model got: the session is only notified of a handoff, and claims it itself. */
  keeps_no_record?: boolean;
  /** The size of a hook's text that certainly reaches the model whole. */
  context_characters_max: number;
  /** The exit code that blocks; the host continues after every other one; all but 0 are errors. */
  block_exit_code: number;
  /** What the host removes from the environment of hooks and servers. */
  hidden_variables: RegExp;
  /** The variables that the host sets for its hooks. */
  variables: {
    /** The project's folder; the host puts it into the words of a registered command too. */
    project?: string;
    /** What this host alone sets for hooks: it and others run the hooks of each other's files. */
    own?: string;
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
    /** Whether the prompt is the word after one of them, and standard input is read only without. */
    has_prompt?: boolean;
    /** Whether these words mean nothing else, so that a process that has one surely has nobody before it. */
    is_certain: boolean;
    /** The entrypoints of such sessions. */
    entrypoints?: RegExp;
    /** What the beginning of their transcripts holds. */
    transcript?: RegExp;
  };
  /** A word in the command of the server in which the host runs a person's sessions, and which outlives what the person sees. */
  server_word?: string;
  /** Where the `_meta` of a tool's call names the session that calls: names of members, the outermost first. */
  call_session?: readonly string[];
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
  /** Whether a command that fails blocks what the person does, so that its line must always end with success. */
  ends_well?: boolean;
  /** The member that holds the command. */
  command: string;
  /** The member that holds the time-out, and its unit. */
  timeout: { name: string; unit_ms: number };
  /** Members that are alike in every hook. */
  fixed: Readonly<Record<string, unknown>>;
  /** Members that the file needs in addition to its hooks. */
  file: Readonly<Record<string, unknown>>;
}

/** Files by whose settings they are: for everybody in the project, one user's in the project, one user's everywhere. */
export interface HostFiles {
  project?: string;
  local?: string;
  user?: string;
}
