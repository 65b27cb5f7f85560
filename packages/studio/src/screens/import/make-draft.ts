import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { type Following, sendTranscript, type TranscriptInput } from '../../server/send-transcript.ts';
import { ServerProblem, toProblem, unreachable } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { count } from '../../shown/count.ts';

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
    if (part === 'data-problem') throw toProblem(data) ?? new ServerProblem('no_answer', 'The run failed.');
  }
  throw unreachable(new Error('The stream ended before the draft was made.'));
}

/** Creates a draft of a conversation and goes to it. @throws as `makeDraft`. */
export async function importAndShow(...[input, following]: Parameters<typeof makeDraft>): Promise<void> {
  const made = await makeDraft(input, following);
  announce(describeImport(made));
  const { id, delivery } = made.handoff;
  navigate(delivery.state === 'draft' ? `/review/${id}` : `/h/${id}`);
}

/** What was read, and the result, so that nothing is missing silently. */
export function describeImport({ handoff, existing, reading, extraction }: OperationOutput<'handoff.import'>): string {
  const { decisions, files, risks } = handoff.content;
  const found = `${count(decisions.length, 'decision')}, ${count(files.length, 'file')}, ${count(risks.length, 'risk')}.`;
  const words = reading === undefined ? 'Read a handoff' : `Read ${count(reading.messages, 'message')}`;
  const unread = describeUnread(reading?.unread_lines ?? 0);
  const masked = Object.keys(reading?.masked ?? {}).length === 0 ? '' : ' Secrets were masked.';
  const note = extraction?.note === undefined ? '' : ` ${extraction.note}`;
  return `${words}: ${found}${existing ? ' It existed already.' : ''}${unread}${masked}${note}`;
}

/** Unreadable lines of a transcript, as a sentence after another; empty where there are none. */
export function describeUnread(lines: number): string {
  return lines === 0 ? '' : ` ${count(lines, 'line')} ${lines === 1 ? 'was' : 'were'} not understood.`;
}

/** A part of a streamed answer: of the AI SDK's UI message stream, or its end. */
interface AnswerPart {
  type: string;
  data?: unknown;
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
