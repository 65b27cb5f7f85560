import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { McpHttpHandler } from '@modelcontextprotocol/server';

/** A handler that listens on a port of this machine. */
export interface Mounted {
  url: string;
  close: () => Promise<void>;
}

/** Mounts a handler of web requests on a server of Node's own, on a free port. */
export async function mount({ fetch, close }: Pick<McpHttpHandler, 'fetch' | 'close'>): Promise<Mounted> {
  const server = createServer(async (incoming, outgoing) => {
    const leaving = new AbortController();
    outgoing.once('close', () => leaving.abort());
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD' && incoming.method !== 'DELETE';
    const headers = Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
    const request = new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url}`, {
      method: incoming.method,
      headers: headers as [string, string][],
      body: hasBody ? Readable.toWeb(incoming) : null,
      duplex: 'half',
      signal: leaving.signal,
    } as unknown as RequestInit);
    const response = await fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    // A client that leaves while it is answered is no failure of the server.
    else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
