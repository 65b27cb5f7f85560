import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server: above the bound, it closes the one that has been idle for longest. A connection is
 * idle without a request, or while its request is incomplete. So many clients that open connections and send nothing,
 * or send a body byte by byte, never keep out a client with a complete request.
 */
export function boundConnections(server: Server, connections_max: number): void {
  // In the order in which they became idle.
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
    const [longest] = idle;
    if (open > connections_max && longest !== undefined) longest.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (!hasBody(request)) idle.delete(socket);
    else
      request.once('end', () => {
        if (!response.closed) idle.delete(socket);
      });
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
