import { createConnection, createServer as createListener, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createChance } from '../history/chance.ts';

/** How often a network path misbehaves, each as a share of its connections or of the pieces of data that pass. */
export interface Manners {
  /** Of connections: accepted, and then silent for ever. */
  mute: number;
  /** Of pieces: come late, and everything behind them. */
  delayed: number;
  /** Of pieces: the connection ends, half of them before and half after the piece has passed. */
  dropped: number;
  /** Of pieces: from here on nothing passes, and neither side is notified. */
  stalled: number;
}

/** Its counts so far. */
export type Tally = Record<keyof Manners | 'connections', number>;

/** A TCP path to a server, which misbehaves. */
export interface UnrulyWay {
  /** The server's URL through this path. */
  url: string;
  tally: Tally;
  /** From now on, of connections that are there and of new ones, nothing passes; or all does again, by new ones. */
  stall: (isStalled: boolean) => void;
}

const wellBehaved: Manners = { mute: 0, delayed: 0, dropped: 0, stalled: 0 };

/** Short compared with the waits of a store, and longer than a transaction takes. */
const DELAY_MS_MAX = 40;
/** A server hears of a client that gave up on a stalled connection so much later. */
const LINGER_MS = 1_000;
/** And of one that is silent, as by the keep-alives that the server requests itself. */
const GONE_MS = 5_000;

/** Opens a path to a server that listens on a socket of the machine. @param manners - random, from a seed. */
export async function createUnrulyWay(
  url: string,
  { seed = 0, ...given }: Partial<Manners> & { seed?: number } = {},
): Promise<UnrulyWay> {
  const way = new Way(url, { ...wellBehaved, ...given }, createChance(seed));
  await way.open();
  onTestFinished(() => way.close());
  return way;
}

class Way implements UnrulyWay {
  readonly tally: Tally = { connections: 0, mute: 0, delayed: 0, dropped: 0, stalled: 0 };
  readonly #given: string;
  readonly #target: string;
  readonly #manners: Manners;
  readonly #chance: () => number;
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  // Where it is silent, it does not even answer the end of the other side.
  readonly #listener = createListener({ allowHalfOpen: true }, (near) => this.#accept(near));
  #isStalled = false;

  constructor(url: string, manners: Manners, chance: () => number) {
    this.#given = url;
    this.#target = join(decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? ''), '.s.PGSQL.5432');
    this.#manners = manners;
    this.#chance = chance;
  }

  get url(): string {
    const address = this.#listener.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return this.#given.replace('@localhost/', `@127.0.0.1:${port}/`).replace(/\?host=[^&]+&?/, '?');
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#listener.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  stall(isStalled: boolean): void {
    this.#isStalled = isStalled;
  }

  #accept(near: Socket): void {
    this.tally.connections += 1;
    this.#keep(near);
    if (this.#isStalled || this.#happens('mute')) {
      near.pause();
      return;
    }
    const far = this.#keep(createConnection(this.#target));
    let isStalled = false;
    const end = () => {
      near.destroy();
      if (isStalled) this.#later(LINGER_MS, () => far.destroy());
      else far.destroy();
    };
    const stall = () => {
      if (isStalled) return;
      isStalled = true;
      this.tally.stalled += 1;
      near.pause();
      far.pause();
      // To the other side it stays silent.
      far.off('close', end);
      this.#later(GONE_MS, () => far.destroy());
    };
    for (const socket of [near, far]) socket.on('close', end);
    near.on('end', () => (isStalled || this.#isStalled ? stall() : end()));
    for (const [from, to] of [[near, far] as const, [far, near] as const]) this.#pass(from, to, { end, stall });
  }

  /** Hands on each piece in its order, as the manners allow. */
  #pass(from: Socket, to: Socket, { end, stall }: { end: () => void; stall: () => void }): void {
    from.on('data', (bytes) => {
      if (this.#isStalled || this.#chance() < this.#manners.stalled) return stall();
      if (this.#happens('dropped')) {
        if (this.#chance() < 0.5) to.write(bytes, end);
        else end();
        return;
      }
      if (!this.#happens('delayed')) {
        to.write(bytes);
        return;
      }
      from.pause();
      this.#later(this.#chance() * DELAY_MS_MAX, () => {
        to.write(bytes);
        from.resume();
      });
    });
  }

  #happens(what: keyof Manners): boolean {
    const happens = this.#chance() < this.#manners[what];
    if (happens) this.tally[what] += 1;
    return happens;
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #later(ms: number, what: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      what();
    }, ms);
    this.#timers.add(timer);
  }
}
