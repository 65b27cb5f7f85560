import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { limits } from '../../core/limits.ts';
import type { Watch } from '../subscription.ts';
import type { Connection } from './connection.ts';

/**
 * Rings at other processes' commits, by a connection that listens while there are subscribers; a lost one is replaced at the
 * next look. A pooler can lose notifications: a message to oneself detects that, it is reported once, and looks find the rest.
 */
export class ListenWatch implements Watch {
  readonly #connection: Connection;
  readonly #ring: () => void;
  /** The one that listens, or is about to. */
  #client: Client | undefined;
  #listening: Promise<void> | undefined;
  #isUnavailable = false;

  constructor(connection: Connection, ring: () => void) {
    this.#connection = connection;
    this.#ring = ring;
  }

  start(): void {
    this.verify();
  }

  stop(): void {
    // At once: nothing is lost with it, and its other end may be silent.
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }

  verify(): void {
    if (this.#isUnavailable || this.#client !== undefined) return;
    this.#client = this.#connection.createListener();
    this.#listening = this.#listen(this.#client);
  }

  async close(): Promise<void> {
    this.stop();
    await this.#listening;
  }

  async #listen(client: Client): Promise<void> {
    const { channel: own } = this.#connection;
    const lose = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel }) => channel === own && this.#ring());
    try {
      await client.connect();
      await client.query(`LISTEN "${own}"`);
      this.#isUnavailable = !(await hearsItself(client));
    } catch {
      // The regular looks continue and report their own errors; the next one tries to listen again.
      lose();
      client.connection.stream.destroy();
      return;
    }
    // What was committed before it listened made no sound.
    if (!this.#isUnavailable) return this.#ring();
    this.stop();
    process.emitWarning(
      `The store ${this.#connection.name} passes no notifications on, like a connection pooler in transaction mode does not: ` +
        `changes of other processes are noticed within ${limits.subscription_look_ms} ms. ` +
        'For faster notice, name the server itself, or a pool in session mode.',
      { type: 'BatonWarning', code: 'BATON_NO_NOTIFICATIONS' },
    );
  }
}

/** Whether a notification that a connection sends to itself arrives. */
async function hearsItself(client: Client): Promise<boolean> {
  const probe = `baton:probe:${randomUUID()}`;
  await client.query(`LISTEN "${probe}"`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), limits.subscription_look_ms);
  client.on('notification', ({ channel }) => channel === probe && resolve(true));
  try {
    await client.query('SELECT pg_notify($1, $2)', [probe, '']);
    return await promise;
  } finally {
    clearTimeout(timer);
    await client.query(`UNLISTEN "${probe}"`);
  }
}
