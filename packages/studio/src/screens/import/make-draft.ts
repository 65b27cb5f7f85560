import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { type Following, sendTranscript, type TranscriptInput } from '../../server/send-transcript.ts';
import { ServerProblem, unreachable } from '../../server/server-problem.ts';

/**
 * Has the server create a draft of a conversation, and reports the progress.
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

/** A part of a streamed answer: of the AI SDK's UI message stream, or its end. */
interface AnswerPart {
  type: string;
  data?: unknown;
}

/** A failure as a part of a stream has it. */
interface ProblemData {
  code?: string;
  detail?: string;
  details?: Readonly<Record<string, unknown>>;
  alternatives?: readonly string[];
}

/** The failure in a stream's last part. */
function toProblem({
  code = 'no_answer',
  detail = 'The run failed.',
  details,
  alternatives,
}: ProblemData): ServerProblem {
  return new ServerProblem(code, detail, { details: details ?? {}, alternatives: alternatives ?? [] });
}

/** The parts of a stream as they arrive, each complete, wherever the network splits it. */
async function* readParts(answer: Response): AsyncGenerator<AnswerPart> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as AnswerPart;
      }
    }
  } finally {
    reader.cancel().catch(() => {
      // The stream ended on its own, or with the network.
    });
  }
}
