/**
 * A conversation as every transcript reader gives it and every extractor takes it: messages in order, free of
 * a host's own boilerplate, secrets already masked.
 */

/** What a tool call did, as far as the transcript records it. */
export interface ToolOutcome {
  is_error: boolean;
  /** Of a command, where the transcript names it. */
  exit_code?: number;
  /** The beginning of what the tool answered. */
  text: string;
  /** The host's name of a command that ran on in the background: how it ended is not known. */
  background?: string;
}

/** One use of a tool by the assistant. */
export interface ToolCall {
  /** The host's name of the tool: `Read`, `Edit`, `Bash`, … */
  name: string;
  /** The file it worked on, as the transcript spells it. */
  path?: string;
  /** The command line it ran. */
  command?: string;
  /** The folder that the command ran in; absent where it is the session's, or not known. */
  cwd?: string;
  /** The helper agent that made it, by its kind or id; absent for the assistant itself. */
  agent?: string;
  /** What it does to a file: `none` for commands, searches and all else. */
  effect: 'read' | 'write' | 'delete' | 'none';
  outcome?: ToolOutcome;
  /** What it made of the agent's own list of tasks. */
  todos?: TodoChange;
  /** Where it shows the person a plan, which is all of its message's text: what the person said to it. */
  plan?: 'proposed' | 'approved' | 'rejected';
}

/** One task of the list that an agent keeps for itself. */
export interface TodoItem {
  /** Absent where the host names none: then a list is always given whole. */
  id?: string;
  /** Absent where a change names the task by its id alone. */
  text?: string;
  state: 'open' | 'doing' | 'done' | 'dropped';
}

/** A whole new list, or tasks that were added or changed. */
export interface TodoChange {
  items: TodoItem[];
  replaces: boolean;
}

/** The text of one side in one turn, with the tools it used. */
export interface Message {
  /** Position in the conversation, from 0; evidence points here. */
  index: number;
  role: 'user' | 'assistant' | 'system';
  text: string;
  tool_calls: ToolCall[];
  /** ISO 8601, where the transcript has it. */
  at?: string;
}

/** A whole conversation, in order. */
export interface Conversation {
  /** Who wrote the transcript: `claude-code`, `messages`, … */
  host: string;
  session?: string;
  branch?: string;
  /** The folder that the session worked in; paths below it become relative. */
  cwd?: string;
  /** The agent's program, version and model, where the transcript begins with them as aider's does. */
  program?: string;
  /** The name that the person, else the host, gave the session. */
  title?: string;
  /** What the host wrote of the session for a person who came back, and how many requests followed. */
  recap?: { text: string; requests_since: number };
  /** Whether the person stopped the agent's last answer and no message followed. */
  interrupted?: boolean;
  started_at?: string;
  ended_at?: string;
  messages: Message[];
  /** What could not be read: never silently dropped, always counted. */
  unread: { lines: number; reasons: Record<string, number> };
  /** Secrets masked while reading, by kind. */
  masked: Record<string, number>;
  /** How many conversations its file holds; absent where it is the only one. */
  among?: number;
}
