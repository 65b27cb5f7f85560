import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';

/** A refusal or failure that the server reported; without a server `code` is `unreachable`. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly alternatives: readonly string[];

  constructor(
    code: string,
    message: string,
    {
      details = {},
      alternatives = [],
      cause,
    }: { details?: Readonly<Record<string, unknown>>; alternatives?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.alternatives = alternatives;
  }
}

/** Any failure as a message for the user: what happened, and what to do next where that is known. */
export function describeProblem(error: unknown): string {
  if (error instanceof ServerProblem) return showHidden([error.message, ...error.alternatives.slice(0, 2)].join(' '));
  return showHidden(error instanceof Error ? error.message : String(error));
}

/** Whether a failure is only an abort. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** No server answers at the address. */
export function unreachable(cause: unknown): ServerProblem {
  return new ServerProblem('unreachable', 'The server does not answer.', {
    cause,
    alternatives: ['Start it again in the same folder: baton studio'],
  });
}

/** The problem in an unsuccessful response, also where a proxy sent it instead of the server. */
export async function readProblem(answer: Response): Promise<ServerProblem> {
  const value: unknown = await answer.json().catch(() => null);
  const without = `The answer is not Baton's: ${answer.status} ${answer.statusText}`.trim();
  return toProblem(value) ?? new ServerProblem('no_answer', without);
}

/** The problem in a value of the server; undefined where it is none. */
export function toProblem(value: unknown): ServerProblem | undefined {
  const { code, detail, details, alternatives } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof detail !== 'string') return undefined;
  return new ServerProblem(code, detail, {
    details: (details ?? {}) as Readonly<Record<string, unknown>>,
    alternatives: Array.isArray(alternatives) ? alternatives.map(String) : [],
  });
}
