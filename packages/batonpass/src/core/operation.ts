import type { z } from 'zod';
import type { Role } from './access-token.ts';
import type { HandoffErrorCode } from './errors.ts';

/** Who may ask for an operation over HTTP and `/mcp`. */
export interface Access {
  /** The least role of a token. */
  role: Role;
  /** Set where it reads the server's working folder: then it is for that folder's project alone. */
  folder?: true;
}

/** The doors of an operation in addition to the library and the command line, which have all. */
export type Doors =
  | {
      /** Local: it acts on this machine or reads any of its files. */
      http: false;
      mcp?: undefined;
    }
  | {
      /** The HTTP API has it, for these callers. */
      http: Access;
      /** The MCP tool and the action of it; absent where no tool has it. */
      mcp?: { tool: string; action?: string };
    };

/**
 * One thing that Baton can do, declared once for every door: name, form of input and output, the errors it may answer
 * with, and the doors it has. Doors translate; they add no rule.
 */
export interface Operation<Context, Input extends z.ZodType, Output extends z.ZodType> {
  /** Noun first, as `handoff.claim`. */
  name: string;
  /** One sentence: what it does, for help pages and tool lists. */
  summary: string;
  /** Whether it changes anything; a door never mixes reads with writes. */
  mutates: boolean;
  /** Whether it streams its answer through `onChunk`, so that a door can pass it on. Default: no. */
  streams?: boolean;
  /**
   * Set where it writes files and so keeps nothing in the store by itself: whether an answer is one that a retry with the
   * same idempotency key gets again. One that changed nothing, as a question, is not.
   */
  keepsAnswer?: (output: z.input<Output>) => boolean;
  doors: Doors;
  input: Input;
  /** Loaded late: only a door that publishes it needs it, and every start of the command would pay for it. */
  output: () => Promise<Output>;
  errors: readonly HandoffErrorCode[];
  run: (input: z.output<Input>, context: Context) => Promise<z.input<Output>>;
}

/** Declares an operation; the types of input and output follow from its schemas. */
export function defineOperation<Context, Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Context, Input, Output>,
): Operation<Context, Input, Output> {
  return operation;
}
