import type { ServerResponse } from 'node:http';
import type { Reply, ServerRequest } from './model-server.ts';

/** What a model says in one request: words, then calls of tools. */
export interface Turn {
  text?: string;
  calls?: readonly { name: string; input: unknown }[];
  /** Why it stops where it calls nothing, in Anthropic's words. */
  stop?: 'end_turn' | 'max_tokens' | 'refusal';
}

/** What every turn costs. */
export const turnTokens = { input: 1_200, output: 340 };

/** Streams one turn in the protocol that the request was made in. */
export function says(turn: Turn): Reply {
  return (response, request) => {
    begin(response);
    for (const event of eventsOf(turn, request)) response.write(event);
    response.end();
  };
}

/** A turn whose first half is sent; the connection is cut then. */
export function diesAfterHalf(turn: Turn): Reply {
  return (response, request) => {
    begin(response);
    const whole = eventsOf(turn, request).join('');
    response.write(whole.slice(0, whole.length / 2), () => response.destroy());
  };
}

/** A turn that is sent when the promise resolves; before that it has begun. */
export function holdsBack(turn: Turn, until: Promise<unknown>): Reply {
  return (response, request) => {
    begin(response);
    const [first = '', ...others] = eventsOf(turn, request);
    response.write(first);
    void until.then(() => {
      if (!response.destroyed) response.end(others.join(''));
    });
  };
}

/** Whether a request was made in Anthropic's protocol. */
const isAnthropic = ({ path }: ServerRequest) => path.endsWith('/messages');

/** All that a request gives as instructions. */
export function instructionsOf(request: ServerRequest): string {
  const { system = [], messages } = request.body;
  if (isAnthropic(request)) return system.map(({ text }) => text).join('');
  const [first] = messages;
  return first?.role === 'system' && typeof first.content === 'string' ? first.content : '';
}

/** The names of the tools that a request offers. */
export function toolsOf({ body }: ServerRequest): string[] {
  const tools = (body.tools ?? []) as { name?: string; function?: { name: string } }[];
  return tools.map((tool) => tool.name ?? tool.function?.name ?? '').sort();
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function eventsOf(turn: Turn, request: ServerRequest): string[] {
  return isAnthropic(request) ? anthropicEvents(turn) : compatibleEvents(turn);
}

function anthropicEvents({ text, calls = [], stop }: Turn): string[] {
  const blocks = [
    ...(text === undefined ? [] : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
    ...calls.map(({ name, input }, place) => ({
      start: { type: 'tool_use', id: `toolu_${place}_${Math.random().toString(36).slice(2)}`, name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    })),
  ];
  const { input: input_tokens, output: output_tokens } = turnTokens;
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'claude-test' };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, usage: { input_tokens, output_tokens: 1 } } },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'), stop_sequence: null },
      usage: { output_tokens },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

const compatibleStops = { end_turn: 'stop', max_tokens: 'length', refusal: 'content_filter' } as const;

function compatibleEvents({ text, calls = [], stop }: Turn): string[] {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'qwen3:14b' };
  const withDelta = (delta: object, finish_reason: string | null = null) => ({
    ...chunk,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const called = calls.map(({ name, input }, index) => {
    const id = `call_${index}_${Math.random().toString(36).slice(2)}`;
    return withDelta({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    });
  });
  const { input: prompt_tokens, output: completion_tokens } = turnTokens;
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const events = [
    withDelta({ role: 'assistant', content: '' }),
    ...(text === undefined ? [] : [withDelta({ content: text })]),
    ...called,
    withDelta({}, stop === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : compatibleStops[stop]),
    { ...chunk, choices: [], usage },
  ];
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
}
