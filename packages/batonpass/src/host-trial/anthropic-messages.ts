import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ModelAnswer, ModelTurn } from './model-turn.ts';

interface Block {
  type: string;
  text?: string;
  content?: string | readonly Block[];
}

interface Message {
  role: 'user' | 'assistant';
  content: string | readonly Block[];
}

/** Reads a request of the Messages protocol. */
export function readAnthropicTurn(body: Record<string, unknown>): ModelTurn {
  const messages = body.messages as readonly Message[];
  const system = textsOf((body.system ?? []) as string | readonly Block[]);
  const turn: ModelTurn = { texts: [...system], prompts: [], results: [], tools: [] };
  for (const { role, content } of messages) {
    const texts = textsOf(content);
    turn.texts.push(...texts);
    if (role !== 'user') continue;
    const results = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result');
    if (results.length > 0) turn.results.push(...results.map((each) => textsOf(each.content ?? '').join('\n')));
    else {
      turn.prompts.push(...texts);
      turn.results = [];
    }
  }
  turn.tools = ((body.tools ?? []) as { name: string }[]).map(({ name }) => name);
  return turn;
}

function textsOf(content: string | readonly Block[]): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap(({ text }) => text ?? []);
}

/** Streams an answer as the service does. */
export function answerAsAnthropic(response: ServerResponse, answer: ModelAnswer): void {
  const isTool = !('text' in answer);
  const block = isTool
    ? {
        type: 'tool_use',
        id: `toolu_${randomUUID().replaceAll('-', '')}`,
        name: 'shell' in answer ? 'Bash' : 'write' in answer ? 'Write' : 'StructuredOutput',
        input: {},
      }
    : { type: 'text', text: '' };
  const delta = isTool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(inputOf(answer)) }
    : { type: 'text_delta', text: answer.text };
  const message = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1_000, output_tokens: 1 },
  };
  const stop = { stop_reason: isTool ? 'tool_use' : 'end_turn', stop_sequence: null };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

function inputOf(answer: { shell: string } | { write: string; content: string } | { answer: object }): object {
  if ('answer' in answer) return answer.answer;
  if ('shell' in answer) return { command: answer.shell, description: 'Runs a command' };
  return { file_path: answer.write, content: answer.content };
}
