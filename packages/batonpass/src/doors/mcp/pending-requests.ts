import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * Watches a transport for requests that have no answer yet: what was asked before the input ended is answered before
 * the server goes, as whoever pipes requests into it expects.
 *
 * @returns waits until nothing is pending, and for `time_ms` after the last answer at the most. A request that its
 * client cancelled is never answered, so that the time is all that ends the wait for it.
 */
export function watchPending(transport: StdioServerTransport): (time_ms: number) => Promise<void> {
  const pending = new Set<unknown>();
  let wake = () => {};
  let handler = transport.onmessage;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => handler,
    set: (given: typeof handler) => {
      handler = given && watched(given, (id) => pending.add(id));
    },
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, ...rest) => {
    await send(message, ...rest);
    if (!('method' in message) && 'id' in message) pending.delete(message.id);
    wake();
  };
  return (time_ms) =>
    new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      wake = () => {
        clearTimeout(timer);
        if (pending.size === 0) resolve();
        else timer = setTimeout(resolve, time_ms);
      };
      wake();
    });
}

type Handler = NonNullable<StdioServerTransport['onmessage']>;

function watched(handler: Handler, note: (id: unknown) => void): Handler {
  return ((message: JSONRPCMessage, ...rest: []) => {
    if ('method' in message && 'id' in message) note(message.id);
    return handler(message, ...rest);
  }) as Handler;
}
