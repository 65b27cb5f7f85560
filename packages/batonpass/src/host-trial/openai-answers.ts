import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ModelAnswer, ModelTurn } from './model-turn.ts';

interface ChatMessage {
  role: string;
  content?: string | readonly { text?: string }[] | null;
}

/** The tools by which each host that speaks this protocol runs a command and writes a file. */
const toolNames = { shell: ['bash'], write: ['create', 'write'] } as const;

/** Reads a request of the Chat Completions protocol. */
export function readChatTurn(body: Record<string, unknown>): ModelTurn {
  const turn: ModelTurn = { texts: [], prompts: [], results: [], tools: [] };
  for (const { role, content } of body.messages as readonly ChatMessage[]) {
    const texts = typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);
    turn.texts.push(...texts);
    if (role === 'tool') turn.results.push(texts.join('\n'));
    if (role !== 'user') continue;
    // The text of a hook is in the person's own message.
    turn.prompts.push(...texts.map((text) => text.replace(/<handoff>[\s\S]*<\/handoff-situation>/, '')));
    turn.results = [];
  }
  turn.tools = ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
  return turn;
}

/** Streams an answer as the service does, or sends it whole where the request asks for no stream. */
export function answerAsChat(response: ServerResponse, answer: ModelAnswer, body: Record<string, unknown>): void {
  const tool_calls = callsOf(answer, readChatTurn(body).tools);
  const words = 'answer' in answer ? JSON.stringify(answer.answer) : 'text' in answer ? answer.text : null;
  const message = { role: 'assistant', content: words, ...(tool_calls && { tool_calls }) };
  const finish_reason = tool_calls === undefined ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 };
  const facts = { id: `chatcmpl-${randomUUID()}`, created: 1_760_000_000, model: String(body.model) };
  if (body.stream !== true) {
    response.setHeader('content-type', 'application/json');
    const choices = [{ index: 0, message, finish_reason }];
    response.end(JSON.stringify({ ...facts, object: 'chat.completion', choices, usage }));
    return;
  }
  const chunk = { ...facts, object: 'chat.completion.chunk' };
  const chunks = [
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...chunk, choices: [], usage },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`);
}

function callsOf(answer: ModelAnswer, tools: readonly string[]): object[] | undefined {
  if (!('shell' in answer || 'write' in answer)) return undefined;
  const name = toolNames['shell' in answer ? 'shell' : 'write'].find((each) => tools.includes(each)) ?? 'none';
  const input = 'shell' in answer ? { command: answer.shell, description: 'Runs a command' } : fileOf(name, answer);
  return [
    { index: 0, id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: JSON.stringify(input) } },
  ];
}

function fileOf(tool: string, { write, content }: { write: string; content: string }): object {
  return tool === 'create' ? { path: write, file_text: content } : { filePath: write, content };
}

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
