import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { type ProblemData, readParts, toProblem } from '../../server/answer-parts.ts';
import { type Following, sendTranscript, type TranscriptInput } from '../../server/send-transcript.ts';
import { unreachable } from '../../server/server-problem.ts';

/**
 * Lets the server make a draft of a conversation, and reports how far that is.
 *
 * @throws ServerProblem, also where the stream ended too early; `AbortError` where the signal cancelled it.
 */
export async function makeDraft(
  input: OperationInput<'handoff.import'> & TranscriptInput,
  following: Following,
): Promise<OperationOutput<'handoff.import'>> {
  const answer = await sendTranscript('handoff.import', input, { ...following, accept: 'text/event-stream' });
  for await (const { type: part, data } of readParts(answer)) {
    if (part === 'data-progress') following.onProgress(data as Progress);
    if (part === 'data-result') return data as OperationOutput<'handoff.import'>;
    if (part === 'data-problem') throw toProblem(data as ProblemData);
  }
  throw unreachable(new Error('The stream ended before the draft was made.'));
}
