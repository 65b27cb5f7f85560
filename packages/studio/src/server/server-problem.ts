import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';

/** A refusal or failure that the server told of, or that there is no server: `code` is `unreachable` then. */
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

/** Any failure in words for a person: what happened, and what to do next where that is known. */
export function describeProblem(error: unknown): string {
  if (error instanceof ServerProblem) return showHidden([error.message, ...error.alternatives.slice(0, 2)].join(' '));
  return showHidden(error instanceof Error ? error.message : String(error));
}

/** Whether a failure is no more than that somebody left. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Nobody answers there. */
export function unreachable(cause: unknown): ServerProblem {
  return new ServerProblem('unreachable', 'The server does not answer.', {
    cause,
    alternatives: ['Start it again in the same folder: baton studio'],
  });
}

/** The problem that an answer without success tells of, also where something else than the server gave it. */
export async function readProblem(answer: Response): Promise<ServerProblem> {
  const text = await answer.text().catch(() => '');
  const { code, detail, details, alternatives } = parseObject(text);
  if (typeof code !== 'string' || typeof detail !== 'string') {
    return new ServerProblem('no_answer', `The answer is not Baton's: ${answer.status} ${answer.statusText}`.trim());
  }
  return new ServerProblem(code, detail, {
    details: (details ?? {}) as Readonly<Record<string, unknown>>,
    alternatives: Array.isArray(alternatives) ? alternatives.map(String) : [],
  });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    // Whatever it is, it is no problem of the server's own.
    return {};
  }
}
