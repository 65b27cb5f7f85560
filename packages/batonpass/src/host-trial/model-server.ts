import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerAsAnthropic, readAnthropicTurn } from './anthropic-messages.ts';
import { answerAsGemini, readGeminiTurn, streamAsGemini } from './gemini-content.ts';
import type { ModelAnswer, ModelTurn } from './model-turn.ts';
import { answerAsChat, answerAsOpenAi, readChatTurn, readOpenAiTurn } from './openai-answers.ts';

/** The model's answers to each request of the person, in order: a tool call is followed by the next answer. */
export type Script = Readonly<Record<string, readonly ModelAnswer[]>>;

/** A request as the server got it. */
export interface ModelRequest extends ModelTurn {
  /** By the clock of `performance.now()`. */
  at_ms: number;
  body: Record<string, unknown>;
}

/** How a protocol's requests are read and answered. */
interface Protocol {
  /** The end of the path of a request for an answer. */
  ending: string;
  read: (body: Record<string, unknown>) => ModelTurn;
  write: (response: ServerResponse, answer: ModelAnswer, body: Record<string, unknown>) => void;
}

const protocols: readonly Protocol[] = [
  { ending: '/messages', read: readAnthropicTurn, write: answerAsAnthropic },
  { ending: '/responses', read: readOpenAiTurn, write: answerAsOpenAi },
  { ending: ':streamGenerateContent', read: readGeminiTurn, write: streamAsGemini },
  { ending: ':generateContent', read: readGeminiTurn, write: answerAsGemini },
  { ending: '/chat/completions', read: readChatTurn, write: answerAsChat },
];

/** Speaks the protocols of the hosts' models on loopback, and answers by a script. */
export class ModelServer {
  /** Every request for an answer, in order. */
  readonly requests: ModelRequest[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private readonly script: Script;

  /** @param script - for a request that it does not name, the model answers `Noted.` */
  constructor(script: Script) {
    this.script = script;
  }

  /** @returns the server's address, without a slash at its end. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.url();
  }

  url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Whether the model got a text that contains this. */
  wasTold(text: string): boolean {
    return this.requests.some(({ texts }) => texts.some((each) => each.includes(text)));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    const text = await readBody(request);
    const protocol = request.method === 'POST' ? protocols.find(({ ending }) => path.endsWith(ending)) : undefined;
    if (protocol !== undefined) {
      const body = JSON.parse(text) as Record<string, unknown>;
      protocol.write(response, this.choose({ at_ms: performance.now(), body, ...protocol.read(body) }), body);
    } else if (request.method === 'POST' && /(?:\/count_tokens|:countTokens)$/.test(path)) {
      response.setHeader('content-type', 'application/json').end('{"input_tokens":1000,"totalTokens":1000}');
    } else if (request.method === 'GET' && path.endsWith('/models')) {
      response.setHeader('content-type', 'application/json').end('{"object":"list","data":[],"models":[]}');
    } else {
      response.statusCode = request.method === 'HEAD' ? 200 : 404;
      response.end();
    }
  }

  private choose(request: ModelRequest): ModelAnswer {
    this.requests.push(request);
    const prompt = request.prompts
      .flatMap((text) => Object.keys(this.script).find((each) => text.includes(each)) ?? [])
      .at(-1);
    const isOfPerson = request.tools.length > 0 && prompt !== undefined;
    const answers = isOfPerson ? (this.script[prompt] ?? []) : [];
    return answers[request.results.length] ?? { text: 'Noted.' };
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
