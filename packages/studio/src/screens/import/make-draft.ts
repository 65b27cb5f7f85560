import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { type ProblemData, readParts, toProblem } from '../../server/answer-parts.ts';
import { ask } from '../../server/call.ts';
import { unreachable } from '../../server/server-problem.ts';
import { type TranscriptInput, toTranscriptBody } from '../../server/transcript-body.ts';

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
  input: OperationInput<'handoff.import'> & TranscriptInput,
  { signal, onProgress }: Following,
): Promise<OperationOutput<'handoff.import'>> {
  const { body, type } = toTranscriptBody(input);
  const answer = await ask('/api/handoff.import', {
    method: 'POST',
    body,
    headers: { 'content-type': type, accept: 'text/event-stream' },
    signal,
  });
  for await (const { type: part, data } of readParts(answer)) {
    if (part === 'data-progress') onProgress(data as Progress);
    if (part === 'data-result') return data as OperationOutput<'handoff.import'>;
    if (part === 'data-problem') throw toProblem(data as ProblemData);
  }
  throw unreachable(new Error('The stream ended before the draft was made.'));
}
