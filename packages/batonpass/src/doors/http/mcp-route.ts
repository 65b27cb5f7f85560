import type { IncomingMessage } from 'node:http';
import type { McpHttpHandler, McpServerFactory } from '@modelcontextprotocol/server';
import type { Baton } from '../../operations/baton.ts';
import { createMcpHttpHandler } from '../mcp/http-handler.ts';
import { assertBounded, readBody } from './json-body.ts';
import type { Principal } from './principal.ts';

/** More callers than a server has at once; beyond it the oldest handler is made again. */
const HANDLERS_MAX = 200;

/** One request of the protocol. */
export interface McpRequest {
  request: Request;
  /** Where its body is read from. */
  incoming: IncomingMessage;
  principal: Principal;
  /** The Baton as the caller may use it. */
  baton: Baton;
}

/** The protocol's handlers of one server: one for each caller, so that each client gets only its own answers. */
export class McpRoute {
  readonly #handlers = new Map<string, McpHttpHandler>();
  readonly #hostnames: string[];
  readonly #createFactory: (baton: Baton) => McpServerFactory;

  /** @param hosts - the host names of this server: checked before, and here again. */
  constructor(hosts: readonly string[], createFactory: (baton: Baton) => McpServerFactory) {
    this.#hostnames = hosts.map((host) => new URL(`http://${host}`).hostname);
    this.#createFactory = createFactory;
  }

  /** Answers one request of the protocol, by a server and transport of its own. Its body is bounded and counted first. */
  async answer({ request, incoming, principal, baton }: McpRequest): Promise<Response> {
    const handler = this.#handlerOf(principal, baton);
    if (request.method !== 'POST') return handler.fetch(request);
    const bytes = await readBody(incoming);
    assertBounded(bytes);
    const { url, method, headers, signal } = request;
    return handler.fetch(new Request(url, { method, headers, body: bytes as Uint8Array<ArrayBuffer>, signal }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#handlers.values()].map((handler) => handler.close()));
  }

  #handlerOf({ key }: Principal, baton: Baton): McpHttpHandler {
    const known = this.#handlers.get(key);
    if (known !== undefined) return known;
    const settings = { hostnames: this.#hostnames, origins: this.#hostnames };
    const handler = createMcpHttpHandler(this.#createFactory(baton), settings);
    const [oldest] = this.#handlers.keys();
    if (this.#handlers.size >= HANDLERS_MAX && oldest !== undefined) this.#handlers.delete(oldest);
    this.#handlers.set(key, handler);
    return handler;
  }
}
