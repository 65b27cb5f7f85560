import type { ServerResponse } from 'node:http';
import type { ModelAnswer, ModelTurn } from './model-turn.ts';

interface GeminiPart {
  text?: string;
  functionResponse?: { response?: unknown };
}

interface Content {
  role?: string;
  parts?: readonly GeminiPart[];
}

/** Reads a request of Gemini's protocol. */
export function readGeminiTurn(body: Record<string, unknown>): ModelTurn {
  const { parts = [] } = (body.systemInstruction ?? {}) as Content;
  const turn: ModelTurn = { texts: textsOf(parts), prompts: [], results: [], tools: [] };
  for (const { role, parts: said = [] } of (body.contents ?? []) as readonly Content[]) {
    turn.texts.push(...textsOf(said));
    if (role !== 'user') continue;
    const results = said.flatMap(({ functionResponse }) => functionResponse ?? []);
    turn.results.push(...results.map(({ response }) => JSON.stringify(response)));
    if (results.length > 0) continue;
    // The text of a hook is next to the person's words, and quotes earlier ones.
    turn.prompts.push(...textsOf(said).filter((text) => !text.startsWith('<hook_context>')));
    turn.results = [];
  }
  const tools = (body.tools ?? []) as { functionDeclarations?: { name: string }[] }[];
  turn.tools = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
  return turn;
}

function textsOf(parts: readonly GeminiPart[]): string[] {
  return parts.flatMap(({ text }) => text ?? []);
}

/** Streams an answer as the service does: one event with the whole answer. */
export function streamAsGemini(response: ServerResponse, answer: ModelAnswer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(bodyOf(answer))}\r\n\r\n`);
}

/** Answers in one piece. */
export function answerAsGemini(response: ServerResponse, answer: ModelAnswer): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(bodyOf(answer)));
}

function bodyOf(answer: ModelAnswer): object {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [partOf(answer)] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 20, totalTokenCount: 1_020 },
    modelVersion: 'gemini-2.5-pro',
  };
}

function partOf(answer: ModelAnswer): object {
  if ('text' in answer) return { text: answer.text };
  if ('answer' in answer) return { text: JSON.stringify(answer.answer) };
  const [name, args] =
    'shell' in answer
      ? ['run_shell_command', { command: answer.shell, description: 'Runs a command' }]
      : ['write_file', { file_path: answer.write, content: answer.content }];
  return { functionCall: { name, args } };
}
