import { createConnection, createServer as createListener, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Where a connection is cut: before the commit has come to the server, during it, or after, before its answer has come
 * back.
 */
export type Cut = 'before' | 'during' | 'after';

/** A network path to a server that a test can cut. */
export interface Way {
  /** The server's URL through this path. */
  url: string;
  /** The next commit ends its connection. */
  cutNextCommit: (when: Cut) => void;
  /** The client loses its connection with so many pieces from now on, the first being 1; the server gets the last one late. */
  holdPiece: (number: number) => void;
  /** Lets the held piece arrive, and waits until the server is done with it. @returns false where none was held. */
  deliver: () => Promise<boolean>;
  /** How many were cut. */
  cuts: () => number;
}

/**
 * Opens a path to a server that listens on a socket of the machine.
 *
 * @param options - `isDeaf`: no notification comes through, as with a pooler in transaction mode.
 */
export async function createWay(url: string, folder: string, { isDeaf = false } = {}): Promise<Way> {
  const target = join(decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? ''), '.s.PGSQL.5432');
  const sockets = new Set<Socket>();
  let next: Cut | undefined;
  let cuts = 0;
  let until = 0;
  let held: Late | undefined;
  const listener = createListener((near) => {
    const far = createConnection(target);
    let isCut = false;
    const end = () => {
      near.destroy();
      if (held?.far !== far) far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    near.on('data', (bytes) => {
      until -= 1;
      if (until === 0) {
        held = { far, bytes };
        end();
        return;
      }
      const when = commits(bytes) ? next : undefined;
      if (when !== undefined) {
        next = undefined;
        cuts += 1;
        isCut = true;
      }
      if (when === 'before') end();
      else far.write(bytes, when === 'during' ? end : undefined);
    });
    const pass = isDeaf ? withoutNotifications((bytes) => near.write(bytes)) : (bytes: Buffer) => near.write(bytes);
    // What was sent before the commit is answered before it.
    far.on('data', (bytes) => {
      if (isCut && bytes.includes(IDLE)) end();
      else if (!near.destroyed) pass(bytes);
    });
  });
  const path = join(folder, '.s.PGSQL.5432');
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listener.close(resolve));
  });
  return {
    url: url.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`),
    cutNextCommit: (when) => {
      next = when;
    },
    holdPiece: (number) => {
      until = number;
    },
    deliver: async () => {
      const late = held;
      until = 0;
      held = undefined;
      if (late === undefined) return false;
      await arrive(late);
      return true;
    },
    cuts: () => cuts,
  };
}

interface Late {
  far: Socket;
  bytes: Buffer;
}

/** The server does all that it was sent before it sees the end. */
async function arrive({ far, bytes }: Late): Promise<void> {
  const closed = new Promise<void>((resolve) => far.once('close', () => resolve()));
  if (!far.destroyed) far.end(bytes);
  if (!far.closed) await closed;
}

/** What a server says when no transaction is open any more. */
const IDLE = Buffer.from('Z\0\0\0\x05I');

/** A message that ends a transaction: explicitly, or with a first statement that is a transaction by itself. */
function commits(bytes: Buffer): boolean {
  return bytes.includes('COMMIT\0') || (bytes.includes('UPDATE deliveries') && !bytes.includes('BEGIN'));
}

/** A server's messages are a letter, a length and so many bytes; `A` is a notification. */
function withoutNotifications(pass: (bytes: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const size = 1 + rest.readUInt32BE(1);
      if (rest[0] !== 'A'.charCodeAt(0)) pass(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  };
}
