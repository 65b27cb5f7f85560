import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { limits } from '../../core/limits.ts';
import type { Watch } from '../subscription.ts';
import type { Connection } from './connection.ts';

/** How long a process waits for a notification that it sent to itself. */
const PROBE_MS = limits.subscription_look_ms;

/**
 * Signals other processes' commits, by a connection that listens while there are subscribers. A lost connection is
 * replaced at the next look. A pooler that gives each transaction another connection loses notifications: a message to
 * oneself detects this, it is reported once, and from then on only the regular looks find new events.
 */
export class ListenWatch implements Watch {
  readonly #connection: Connection;
  readonly #ring: () => void;
  /** The one that listens, or is about to. */
  #client: Client | undefined;
  #listening: Promise<void> | undefined;
  #isWanted = false;
  #isUnavailable = false;

  constructor(connection: Connection, ring: () => void) {
    this.#connection = connection;
    this.#ring = ring;
  }

  start(): void {
    this.#isWanted = true;
    this.verify();
  }

  stop(): void {
    this.#isWanted = false;
    // At once: nothing is lost with it, and its other end may be silent.
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }

  verify(): void {
    if (!this.#isWanted || this.#isUnavailable || this.#client !== undefined) return;
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
      if (this.#isUnavailable) this.#sayUnavailable();
    } catch {
      // The regular looks continue and report their own errors; the next one tries to listen again.
      lose();
      client.connection.stream.destroy();
      return;
    }
    if (this.#isUnavailable) this.stop();
    // What was committed before it listened made no sound.
    else this.#ring();
  }

  #sayUnavailable(): void {
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
  const timer = setTimeout(() => resolve(false), PROBE_MS);
  client.on('notification', ({ channel }) => channel === probe && resolve(true));
  try {
    await client.query('SELECT pg_notify($1, $2)', [probe, '']);
    return await promise;
  } finally {
    clearTimeout(timer);
    await client.query(`UNLISTEN "${probe}"`);
  }
}
