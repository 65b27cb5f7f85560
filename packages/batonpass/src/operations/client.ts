import type { Actor } from '../core/actor.ts';
import { catalogue, type OperationInput, type OperationName, type OperationOutput } from './catalogue.ts';
import type { AnswerChunk, Progress } from './context.ts';

/** The options of one run of an operation. */
export interface RunOptions {
  /** The same key with the same input gives the first answer again. */
  idempotency_key?: string;
  /** Whether a person was seen to agree to this call, at a terminal or in a browser's session. Default: no. */
  is_confirmed?: boolean;
  /** Ends a wait. */
  signal?: AbortSignal;
  /** The caller, where a door serves several callers. Default: the actor of the folder's configuration. */
  actor?: Actor;
  /** The host's session of the caller, as its client reports it. */
  session?: string;
  /**
   * Confines the caller to one project, where a door serves several. For another project than the folder's, the answers
   * contain nothing about the folder. Default: the folder's project, without bounds.
   */
  project?: string;
  /** Called now and then with the progress of a long operation. */
  onProgress?: (progress: Progress) => void;
  /** Called with each part of a model's answer, as it comes. It must not throw. */
  onChunk?: (chunk: AnswerChunk) => void;
}

/**
 * Runs an operation by a name that is known only at run time, as doors do.
 *
 * @throws HandoffError with one of the codes that the operation declares, or `invalid_input`.
 */
export type Run = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options?: RunOptions,
) => Promise<OperationOutput<Name>>;

/** An input whose fields are all optional may be left out. */
type CallArguments<Input> =
  Record<never, never> extends Input ? [input?: Input, options?: RunOptions] : [input: Input, options?: RunOptions];

type Method<Name extends OperationName> = (
  ...given: CallArguments<OperationInput<Name>>
) => Promise<OperationOutput<Name>>;

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

type Noun = OperationName extends infer Name ? (Name extends `${infer First}.${string}` ? First : never) : never;

/** The operations of the catalogue as methods: `handoff.claim` is `baton.handoff.claim(…)`, `plan.read-plan` `baton.plan.readPlan(…)`. */
export type Operations = {
  readonly [First in Noun]: {
    readonly [Name in Extract<OperationName, `${First}.${string}`> as Name extends `${string}.${infer Rest}`
      ? CamelCase<Rest>
      : never]: Method<Name>;
  };
};

/** The methods for every operation of the catalogue; each calls `run`. */
export function createOperations(run: Run): Operations {
  const nouns: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(catalogue) as OperationName[]) {
    const [noun = '', verb = ''] = name.split('.');
    const method = verb.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    nouns[noun] ??= {};
    nouns[noun][method] = (input: OperationInput<typeof name> = {}, options?: RunOptions) => run(name, input, options);
  }
  // The names are built here in the same form as in the type.
  return nouns as unknown as Operations;
}
