import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { ask } from '../../server/call.ts';
import { ServerProblem, unreachable } from '../../server/server-problem.ts';

/** What the model says and does in the step that it is at. */
export interface LiveStep {
  /** From 1; 0 before the model has begun. */
  number: number;
  text: string;
  /** The tools that it called, in order. */
  tools: readonly string[];
}

export const noStep: LiveStep = { number: 0, text: '', tools: [] };

/** A part of the stream: of the AI SDK's UI message stream as far as the screen shows it, or the run's own end. */
export interface Part {
  type: string;
  delta?: string;
  toolName?: string;
  data?: unknown;
}

/** The step behind a part of the stream; the same one where the part shows nothing new. */
export function noteStep(step: LiveStep, { type, delta = '', toolName = '' }: Part): LiveStep {
  if (type === 'start-step') return { number: step.number + 1, text: '', tools: [] };
  if (type === 'text-delta') return { ...step, text: step.text + delta };
  if (type === 'tool-input-available') return { ...step, tools: [...step.tools, toolName] };
  return step;
}

/**
 * Lets the planning agent run and tells of each step while it goes on. Broken off by its signal, the server gives the
 * handoff back.
 *
 * @throws ServerProblem, also where the stream ended before the run did; `AbortError` where the signal broke it off.
 */
export async function streamPlan(
  input: OperationInput<'planning.run'>,
  { signal, onStep }: { signal: AbortSignal; onStep: (step: LiveStep) => void },
): Promise<OperationOutput<'planning.run'>> {
  const answer = await ask('/api/planning.run', {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    signal,
  });
  let step = noStep;
  for await (const part of readParts(answer)) {
    if (part.type === 'data-result') return part.data as OperationOutput<'planning.run'>;
    if (part.type === 'data-problem') throw toProblem(part.data as ProblemData);
    const next = noteStep(step, part);
    if (next !== step) onStep(next);
    step = next;
  }
  throw unreachable(new Error('The stream ended before the run did.'));
}

/** A failure as a part of a stream tells of it. */
export interface ProblemData {
  code?: string;
  detail?: string;
  details?: Readonly<Record<string, unknown>>;
  alternatives?: readonly string[];
}

/** The failure that a stream's last part tells of. */
export function toProblem({
  code = 'no_answer',
  detail = 'The run failed.',
  details,
  alternatives,
}: ProblemData): ServerProblem {
  return new ServerProblem(code, detail, { details: details ?? {}, alternatives: alternatives ?? [] });
}

/** The parts of a stream as they come, each whole, wherever the network cut it. */
export async function* readParts(answer: Response): AsyncGenerator<Part> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as Part;
      }
    }
  } finally {
    reader.cancel().catch(() => {
      // It ended by itself, or with the network.
    });
  }
}
