import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server: above the bound, the one that has asked for nothing for longest is cut. So a
 * crowd of clients that open connections and say nothing never keeps out one that asks.
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
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}
