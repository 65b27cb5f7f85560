import { createServer, type Socket } from 'node:net';
import { afterEachTest } from '../after-each-test.ts';

/** A server that no program may contact: it counts the contacts. */
export interface TrapServer {
  port: number;
  connections: () => number;
  /** Bytes that came, of all connections. */
  bytes: () => number;
  /** The received bytes, as text. */
  text: () => string;
}

/**
 * Listens on this machine until the test ends.
 *
 * @param answer - what a connection gets for what it sends; default: nothing, and its end.
 */
export async function openTrap(answer?: (socket: Socket, sent: Buffer) => void): Promise<TrapServer> {
  const sockets = new Set<Socket>();
  const came: Buffer[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (sent) => {
      came.push(sent);
      if (answer === undefined) socket.destroy();
      else answer(socket, sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterEachTest(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    bytes: () => Buffer.concat(came).length,
    text: () => Buffer.concat(came).toString('latin1'),
  };
}
