import { createConnection, createServer as createListener, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A message of the protocol: its letter, and the whole of it, length included. */
interface Message {
  type: string;
  bytes: Buffer;
}

/** A small connection pooler in transaction mode, and what it saw. */
export interface Pooler {
  /** The server's, through the pooler. */
  url: string;
  /** Transactions that got another backend than their client's transaction before. */
  moves: () => number;
}

/**
 * Opens a pooler before a server that listens on a socket of the machine. Clients share a few backends: each gets one for
 * one transaction, the one that was idle for longest, and nothing of a session stays: settings, prepared statements and
 * what it listens to are discarded between two. A notification of a backend goes to no client.
 */
export async function createPooler(url: string, folder: string, backends = 3): Promise<Pooler> {
  const target = join(decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? ''), '.s.PGSQL.5432');
  const pool = new Pool(target);
  const listener = createListener((socket) => new Client(socket, pool));
  await new Promise<void>((resolve) => listener.listen(join(folder, '.s.PGSQL.5432'), resolve));
  pool.backends_max = backends;
  onTestFinished(async () => {
    pool.close();
    await new Promise((resolve) => listener.close(resolve));
  });
  return { url: url.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`), moves: () => pool.moves };
}

/** Cuts a stream into messages. @param isUntyped - its first has no letter, as what a client says first. */
function readMessages(onMessage: (message: Message) => void, isUntyped = false): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = isUntyped;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const start = isFirst ? 0 : 1;
      if (rest.length < start + 4 || rest.length < start + rest.readUInt32BE(start)) return;
      const size = start + rest.readUInt32BE(start);
      const type = isFirst ? '' : String.fromCharCode(rest[0] ?? 0);
      const message = { type, bytes: rest.subarray(0, size) };
      rest = rest.subarray(size);
      isFirst = false;
      onMessage(message);
    }
  };
}

function queryMessage(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}

/** One connection to the server. */
class Backend {
  readonly #socket: Socket;
  readonly #pool: Pool;
  /** Its present client. */
  client: Client | undefined;
  #isClearing = false;
  /** What the server says of itself at the start, for every client. */
  readonly greeting: Buffer[] = [];

  constructor(pool: Pool, startup: Buffer) {
    this.#pool = pool;
    this.#socket = createConnection(pool.target);
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => pool.lose(this));
    this.#socket.write(startup);
    let isGreeting = true;
    this.#socket.on(
      'data',
      readMessages((message) => {
        if (isGreeting) this.greeting.push(message.bytes);
        else this.#hear(message);
        if (isGreeting && message.type === 'Z') {
          isGreeting = false;
          pool.offer(this);
        }
      }),
    );
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.destroy();
  }

  #hear({ type, bytes }: Message): void {
    const isIdle = type === 'Z' && bytes[5] === 'I'.charCodeAt(0);
    if (this.#isClearing) {
      if (type === 'Z') this.#pool.offer(this);
      this.#isClearing = type !== 'Z';
      return;
    }
    // Notifications: the client that asked for them has another backend by now.
    if (type !== 'A') this.client?.tell(bytes);
    if (!isIdle) return;
    this.client?.letGo();
    this.client = undefined;
    this.#isClearing = true;
    this.send(queryMessage('DISCARD ALL'));
  }
}

/** One client, which sees one server. */
class Client {
  readonly #socket: Socket;
  readonly #pool: Pool;
  readonly #waiting: Buffer[] = [];
  #backend: Backend | undefined;
  #isAsking = false;
  last: Backend | undefined;

  constructor(socket: Socket, pool: Pool) {
    this.#socket = socket;
    this.#pool = pool;
    pool.clients.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      pool.clients.delete(socket);
      this.#backend?.end();
    });
    socket.on(
      'data',
      readMessages(({ type, bytes }) => this.#hear(type, bytes), true),
    );
  }

  tell(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Gives it a backend for its next transaction, with all that it has said meanwhile. */
  take(backend: Backend): void {
    this.#isAsking = false;
    this.#backend = backend;
    backend.client = this;
    for (const bytes of this.#waiting.splice(0)) backend.send(bytes);
  }

  letGo(): void {
    this.last = this.#backend;
    this.#backend = undefined;
  }

  #hear(type: string, bytes: Buffer): void {
    if (type === '') {
      this.#pool.greet(bytes, (greeting) => {
        for (const each of greeting) this.tell(each);
      });
    } else if (type === 'X') this.#socket.end();
    else if (this.#backend !== undefined) this.#backend.send(bytes);
    else {
      this.#waiting.push(bytes);
      if (this.#isAsking) return;
      this.#isAsking = true;
      this.#pool.ask(this);
    }
  }
}

class Pool {
  readonly target: string;
  readonly clients = new Set<Socket>();
  backends_max = 1;
  moves = 0;
  readonly #all = new Set<Backend>();
  readonly #idle: Backend[] = [];
  readonly #asking: Client[] = [];
  readonly #greeted: ((greeting: readonly Buffer[]) => void)[] = [];
  #startup: Buffer | undefined;

  constructor(target: string) {
    this.target = target;
  }

  /** All clients of a test are one user of one database: the first opens what all get. */
  greet(startup: Buffer, onGreeting: (greeting: readonly Buffer[]) => void): void {
    this.#startup ??= startup;
    const [known] = this.#all;
    if (known !== undefined && known.greeting.length > 0) onGreeting(known.greeting);
    else this.#greeted.push(onGreeting);
    this.#open();
  }

  ask(client: Client): void {
    this.#asking.push(client);
    this.#open();
    this.#match();
  }

  offer(backend: Backend): void {
    this.#idle.push(backend);
    for (const onGreeting of this.#greeted.splice(0)) onGreeting(backend.greeting);
    this.#match();
  }

  lose(backend: Backend): void {
    this.#all.delete(backend);
    const place = this.#idle.indexOf(backend);
    if (place !== -1) this.#idle.splice(place, 1);
  }

  close(): void {
    for (const backend of this.#all) backend.end();
    for (const client of this.clients) client.destroy();
  }

  #open(): void {
    if (this.#startup === undefined) return;
    while (this.#all.size < this.backends_max) this.#all.add(new Backend(this, this.#startup));
  }

  #match(): void {
    while (this.#idle.length > 0 && this.#asking.length > 0) {
      const [backend, client] = [this.#idle.shift(), this.#asking.shift()];
      if (backend === undefined || client === undefined) return;
      if (client.last !== undefined && client.last !== backend) this.moves += 1;
      client.take(backend);
    }
  }
}
