import type { Actor } from '../core/actor.ts';
import type { Call, Store } from '../core/store.ts';
import type { FoundSoFar } from '../extraction/extraction-progress.ts';
import type { Configuration, RepositorySettings } from '../workspace/configuration.ts';
import type { Workspace } from '../workspace/project-identity.ts';
import type { BackgroundRuns } from './planning/background-runs.ts';

/** How far a long operation has come. */
export interface Progress {
  /** What is done, as `handoffs copied`. */
  what: string;
  done: number;
  /** How many there are in all, where that is known. */
  total?: number;
  /** How far it is in words, where they tell more than the numbers: `50 of 230 messages read, 12 items found`. */
  now?: string;
  /** Of an extraction: the items that were found so far. */
  found?: FoundSoFar;
}

/** A part of an answer that is being made, in the form of the AI SDK's UI message stream: JSON with a `type`. */
export interface AnswerChunk {
  type: string;
}

/** What a door gives an operation: who asks, for which project, and where handoffs are kept. */
export interface OperationContext {
  actor: Actor;
  workspace: Workspace;
  /** The project's identity. */
  project: string;
  /**
   * Set where a door serves somebody who may see this project alone: `here` where it is the folder's, `elsewhere` where
   * it is another, about which the folder says nothing. Absent for the folder's own user.
   */
  confined?: 'here' | 'elsewhere';
  configuration: Configuration;
  /** What became of the settings that the repository brings: the user did not agree to all of them. */
  repository: RepositorySettings;
  environment: NodeJS.ProcessEnv;
  /** The store's URL, for messages. */
  store_url: string;
  /** Opens the store at the first call; operations that only read files never open it. */
  openStore: () => Promise<Store>;
  /** The planning runs that go on behind their callers; they end with the Baton. */
  background: BackgroundRuns;
  now: () => number;
  /** Whether the door saw a person agree to this very call: at a terminal, or in a browser's session. */
  is_confirmed?: boolean;
  /** The host's session that asks, where the client names it. Nobody proved it: it serves to find what belongs together, and gives no right. */
  session?: string;
  idempotency_key?: string;
  /** The operation's input as it was checked: what a retry with the same key is compared by. */
  request?: unknown;
  /** The script of this very command, by which hosts and workers start it again; absent where a program uses the library. */
  program?: string;
  /** Aborted when the caller leaves; long operations stop then. */
  signal: AbortSignal;
  /** Told now and then by long operations; absent where nobody looks. */
  onProgress?: (progress: Progress) => void;
  /** Told of each part of what a model answers, as it comes; absent where nobody looks. It must not throw. */
  onChunk?: (chunk: AnswerChunk) => void;
}

/** The store's view of the caller, for one operation. */
export function callOf(context: OperationContext, operation: string): Call {
  const { actor, project, idempotency_key, request } = context;
  return { actor, project, operation, idempotency_key, request };
}
