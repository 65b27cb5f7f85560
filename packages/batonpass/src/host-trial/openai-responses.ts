import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ModelAnswer, ModelTurn } from './model-turn.ts';

interface InputItem {
  type: string;
  role?: string;
  content?: readonly { text?: string }[];
  output?: unknown;
}

/** Reads a request of the Responses protocol. */
export function readOpenAiTurn(body: Record<string, unknown>): ModelTurn {
  const items = (body.input ?? []) as readonly InputItem[];
  const turn: ModelTurn = { texts: [String(body.instructions ?? '')], prompts: [], results: [], tools: [] };
  for (const { type, role, content = [], output } of items) {
    const texts = type === 'message' ? content.flatMap(({ text }) => text ?? []) : [];
    turn.texts.push(...texts);
    if (role === 'user') {
      turn.prompts.push(...texts);
      turn.results = [];
    }
    if (type.endsWith('_call_output')) turn.results.push(typeof output === 'string' ? output : JSON.stringify(output));
  }
  turn.tools = ((body.tools ?? []) as { name?: string; type: string }[]).map(({ name, type }) => name ?? type);
  return turn;
}

/** Streams an answer as the service does. */
export function answerAsOpenAi(response: ServerResponse, answer: ModelAnswer): void {
  const id = `resp_${randomUUID()}`;
  const words = 'answer' in answer ? JSON.stringify(answer.answer) : 'text' in answer ? answer.text : undefined;
  const item =
    'shell' in answer || 'write' in answer
      ? {
          type: 'function_call',
          id: `fc_${randomUUID()}`,
          call_id: `call_${randomUUID()}`,
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: 'shell' in answer ? answer.shell : patchOf(answer) }),
        }
      : {
          type: 'message',
          id: `msg_${randomUUID()}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: words, annotations: [] }],
        };
  const usage = {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1_020,
  };
  const events = [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, usage } },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

/** Codex reads this command as an edit, and runs no shell. */
function patchOf({ write, content }: { write: string; content: string }): string {
  const lines = content
    .trimEnd()
    .split('\n')
    .map((line) => `+${line}`);
  return ["apply_patch <<'EOF'", '*** Begin Patch', `*** Add File: ${write}`, ...lines, '*** End Patch', 'EOF'].join(
    '\n',
  );
}
