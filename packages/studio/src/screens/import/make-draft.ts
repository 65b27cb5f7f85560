import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { type ProblemData, readParts, toProblem } from '../../server/answer-parts.ts';
import { ask } from '../../server/call.ts';
import { unreachable } from '../../server/server-problem.ts';

/** How the making of a draft is followed. */
export interface Following {
  /** Breaks it off: the server stops reading, and keeps nothing. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * Lets the server make a draft of a conversation, and tells how far it has read.
 *
 * @throws ServerProblem, also where the stream ended too early; `AbortError` where the signal broke it off.
 */
export async function makeDraft(
  input: OperationInput<'handoff.import'>,
  { signal, onProgress }: Following,
): Promise<OperationOutput<'handoff.import'>> {
  const answer = await ask('/api/handoff.import', {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    signal,
  });
  for await (const { type, data } of readParts(answer)) {
    if (type === 'data-progress') onProgress(data as Progress);
    if (type === 'data-result') return data as OperationOutput<'handoff.import'>;
    if (type === 'data-problem') throw toProblem(data as ProblemData);
  }
  throw unreachable(new Error('The stream ended before the draft was made.'));
}
