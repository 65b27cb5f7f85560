import { ServerProblem } from './server-problem.ts';

/** A part of an answer that comes as it is made: of the AI SDK's UI message stream, or its own end. */
export interface Part {
  type: string;
  data?: unknown;
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
