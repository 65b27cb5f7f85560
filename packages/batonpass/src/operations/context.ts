import type { Actor } from '../core/actor.ts';
import type { Call, Store } from '../core/store.ts';
import type { FoundSoFar } from '../extraction/extraction-progress.ts';
import type { Configuration, RepositorySettings } from '../workspace/configuration.ts';
import type { Workspace } from '../workspace/project-identity.ts';
import type { BackgroundRuns } from './planning/background-runs.ts';

/** The progress of a long operation. */
export interface Progress {
  /** What is counted, as `handoffs copied`. */
  what: string;
  done: number;
  /** How many there are in all, where that is known. */
  total?: number;
  /** The progress in words, where they say more than the numbers: `50 of 230 messages read, 12 items found`. */
  now?: string;
  /** For an extraction: the items that were found so far. */
  found?: FoundSoFar;
}

/** A part of an answer that is being made, in the form of the AI SDK's UI message stream: JSON with a `type`. */
export interface AnswerChunk {
  type: string;
}

/** What a door gives an operation: the caller, the project, and the place of the handoffs. */
export interface OperationContext {
  actor: Actor;
  workspace: Workspace;
  /** The project's identity. */
  project: string;
  /**
   * Set where a door serves a caller that may see this project alone: `here` where it is the folder's, `elsewhere` where
   * it is another, which the folder has no information about. Absent for the folder's own user.
   */
  confined?: 'here' | 'elsewhere';
  configuration: Configuration;
  /** How the settings that the repository brings are treated: the user may not have agreed to all of them. */
  repository: RepositorySettings;
  environment: NodeJS.ProcessEnv;
  /** The store's URL, for messages. */
  store_url: string;
  /** Opens the store at the first call; operations that only read files never open it. */
  openStore: () => Promise<Store>;
  /** The planning runs that continue in the background; they end with the Baton. */
  background: BackgroundRuns;
  now: () => number;
  /** Whether the door saw a person agree to this very call: at a terminal, or in a browser's session. */
  is_confirmed?: boolean;
  /** The host's session that asks, where the client names it. It is unproved: it only helps to find what belongs together. */
  session?: string;
  idempotency_key?: string;
  /** The operation's checked input: a retry with the same key is compared with it. */
  request?: unknown;
  /** The script of this command, with which hosts and workers start it again; absent where a program uses the library. */
  program?: string;
  /** Aborted when the caller leaves; long operations stop then. */
  signal: AbortSignal;
  /** Called now and then by long operations; absent where nobody listens. */
  onProgress?: (progress: Progress) => void;
  /** Called with each part of a model's answer, as it comes; absent where nobody listens. It must not throw. */
  onChunk?: (chunk: AnswerChunk) => void;
}

/** The store's view of the caller, for one operation. */
export function callOf(context: OperationContext, operation: string): Call {
  const { actor, project, idempotency_key, request } = context;
  return { actor, project, operation, idempotency_key, request };
}
