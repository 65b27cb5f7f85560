import type { ModelServer } from './model-server.ts';
import type { HostName } from './programs.ts';
import type { RealStage } from './real-stage.ts';
import type { Terminal } from './terminal.ts';

/** A host's real program on a stage, with the model on loopback. */
export interface RealHost {
  readonly name: HostName;
  /** The words and variables of a run without a person. */
  headless(prompt: string): { words: string[]; environment: Record<string, string> };
  /** Opens an interactive session, and says the first words, which some hosts wait for before they start anything. */
  open(first: Opening): Promise<RealSession>;
  /** Ends what the program leaves behind in this home. */
  close(): Promise<void>;
}

/** How a session begins. */
export interface Opening {
  /** What the person says. */
  prompt: string;
  /** What the model ends its answer with: the turn is over once the screen shows it. */
  answer: string;
  /** The words of the host's own command, as `--continue`. */
  words?: readonly string[];
}

/** A session with a person before it. */
export interface RealSession {
  readonly terminal: Terminal;
  say(prompt: string, answer: string): Promise<void>;
  /** Types one of the host's own commands, as `/clear`. */
  command(text: string): Promise<void>;
  /** Leaves it as a person does. */
  quit(): Promise<void>;
}

/** What a host is made of. */
export interface HostParts {
  stage: RealStage;
  model: ModelServer;
  /** The model's address. */
  url: string;
}
