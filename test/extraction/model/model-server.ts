import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ModelAnswer } from '../../../packages/batonpass/src/extraction/model/answer-schema.ts';

/** A request as it arrived. */
export interface ServerRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: RequestBody;
  /** Resolves when the client closes the connection before it has its answer. */
  closed: Promise<void>;
}

/** The common parts of both protocols' requests that tests read. */
export interface RequestBody {
  model: string;
  max_tokens?: number;
  max_completion_tokens?: number;
  system?: { text: string }[];
  messages: { role: string; content: string | { text: string }[] }[];
  output_config?: { format: { type: string; schema: object } };
  tools?: { name: string; input_schema: object }[];
  tool_choice?: object;
  response_format?: { type: string; json_schema?: object };
}

/** Answers one request. */
export type Reply = (response: ServerResponse, request: ServerRequest) => void;

/** A server of a provider, which sends the given replies, one per request; the last is for all that follow. */
export interface ModelServer {
  url: string;
  requests: ServerRequest[];
  /** Resolves with the request of this number, the first being 0, when it has come. */
  arrival: (number: number) => Promise<ServerRequest>;
  close: () => Promise<void>;
}

/** Opens a real server on a free port of this machine. */
export async function openModelServer(...replies: Reply[]): Promise<ModelServer> {
  const requests: ServerRequest[] = [];
  const waiting = new Map<number, (request: ServerRequest) => void>();
  const server = createServer(async (incoming, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const number = requests.length;
    const request: ServerRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: {} as RequestBody,
      closed,
    };
    requests.push(request);
    // A client may leave before it has sent all of it.
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) return;
    request.body = JSON.parse(body);
    waiting.get(number)?.(request);
    (replies[Math.min(number, replies.length - 1)] ?? status(500))(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    arrival: (number) =>
      new Promise((resolve) => {
        const there = requests[number];
        if (there?.body.model !== undefined) resolve(there);
        else waiting.set(number, resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A recorded answer with its text replaced. */
export function recorded(name: string, answer?: unknown): string {
  const file = readFileSync(join(import.meta.dirname, '__fixtures__', `${name}.json`), 'utf8');
  if (answer === undefined) return file;
  const isText = name !== 'anthropic-tool';
  return file.replace('"ANSWER"', () =>
    JSON.stringify(isText && typeof answer !== 'string' ? JSON.stringify(answer) : answer),
  );
}

/** The answer in the form that the request asks for: a text, or the call of the tool that takes the JSON. */
export function answers(answer: Partial<ModelAnswer> | string): Reply {
  const whole = typeof answer === 'string' ? answer : { ...nothing, ...answer };
  return (response, { path, body }) => {
    const name = path.endsWith('/chat/completions')
      ? 'compatible-chat'
      : body.tools
        ? 'anthropic-tool'
        : 'anthropic-native';
    sends(recorded(name, whole))(response, { path, body } as ServerRequest);
  };
}

/** An answer without items. */
export const nothing: ModelAnswer = {
  decisions: [],
  no_longer_in_force: [],
  filesReferenced: [],
  risks: [],
  instructions: [],
  done: [],
  dead_ends: [],
  environment: [],
  next_steps: [],
  open_questions: [],
  title: '',
  summary: 'Nothing was decided.',
};

/** A body, unchanged. */
export function sends(body: string, code = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** A status with an error of the provider's form. */
export function status(code: number, message = 'Something went wrong.', headers: Record<string, string> = {}): Reply {
  return sends(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }), code, headers);
}

/** Never answers. */
export const keepsSilent: Reply = () => {};

/** Closes the connection in the middle of its answer. */
export function breaksOff(body: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  };
}

/** All texts of a request to the model. */
export function promptOf({ body }: ServerRequest): string {
  const system = (body.system ?? []).map((part) => part.text);
  const messages = body.messages.map(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => part.text).join('\n'),
  );
  return [...system, ...messages].join('\n');
}
