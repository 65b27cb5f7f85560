import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { limits } from '../../core/limits.ts';
import type { Watch } from '../subscription.ts';
import type { Connection } from './connection.ts';
import { endClient } from './driver.ts';

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
  #client: Client | undefined;
  #joining: Client | undefined;
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
    void this.#letGo();
  }

  verify(): void {
    if (!this.#isWanted || this.#isUnavailable) return;
    if (this.#client !== undefined || this.#listening !== undefined) return;
    this.#listening = this.#listen().finally(() => {
      this.#listening = undefined;
      this.#joining = undefined;
    });
  }

  async close(): Promise<void> {
    this.#isWanted = false;
    this.#joining?.connection.stream.destroy();
    await this.#listening;
    await this.#letGo();
  }

  async #listen(): Promise<void> {
    const client = this.#connection.createListener();
    this.#joining = client;
    const lose = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel }) => {
      if (channel === this.#connection.channel) this.#ring();
    });
    try {
      await client.connect();
      await client.query(`LISTEN "${this.#connection.channel}"`);
      this.#isUnavailable = !(await hearsItself(client));
    } catch {
      // The regular looks continue and report their own errors; the next one tries to listen again.
      return endClient(client);
    }
    if (this.#isUnavailable) this.#sayUnavailable();
    if (this.#isUnavailable || !this.#isWanted) return endClient(client);
    this.#client = client;
    // What was committed before it listened made no sound.
    this.#ring();
  }

  async #letGo(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await endClient(client);
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
  let timer: NodeJS.Timeout | undefined;
  const heard = new Promise<boolean>((resolve) => {
    client.on('notification', ({ channel }) => {
      if (channel === probe) resolve(true);
    });
    timer = setTimeout(() => resolve(false), PROBE_MS);
  });
  try {
    await client.query('SELECT pg_notify($1, $2)', [probe, '']);
    return await heard;
  } finally {
    clearTimeout(timer);
    await client.query(`UNLISTEN "${probe}"`);
  }
}
