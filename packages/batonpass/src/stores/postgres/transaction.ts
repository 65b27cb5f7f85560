import { encodeCanonicalJson } from '../../core/canonical-json.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance, type StepContext } from '../../core/lifecycle.ts';
import { absentHandoff } from '../../core/lifecycle-claim.ts';
import { absentPayload, type PointedPayload, pointedPayload } from '../../core/payload.ts';
import type { HeldHandoff } from '../../core/store.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { encodeEvent } from '../event-columns.ts';
import type { Locks } from './locks.ts';
import { byColumn, type Columns, decodeHandoff, encodeContent, encodeDelivery, encodeHandoff } from './row.ts';
import type { Row, Session } from './session.ts';
import * as statements from './statements.ts';

/** The last line of history that a transaction wrote: if it is there afterwards, the transaction was committed. */
export interface Evidence {
  line: number;
  handoff_id: string;
  name: string;
  at: number;
}

interface Entry {
  handoff: Handoff;
  /** What the row must still be; absent for a new one. */
  was: { from_state: string; from_version: number } | undefined;
  /** Where the content is new. */
  content_json: string | undefined;
  isChanged: boolean;
}

/** Changes that take effect together: gathered here, and written by a few statements at the end. */
export class Transaction {
  readonly session: Session;
  readonly #locks: Locks;
  readonly #channel: string;
  readonly #entries = new Map<string, Entry>();
  readonly #events: { event: Omit<HandoffEvent, 'seq'>; project: string }[] = [];
  readonly #payloads = new Map<string, string>();
  #holdsContents = false;

  constructor(session: Session, { locks, channel }: { locks: Locks; channel: string }) {
    this.session = session;
    this.#locks = locks;
    this.#channel = channel;
  }

  /** Whether anything would change. */
  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** As it stands within this transaction, locked until its end. */
  async get(id: string): Promise<Handoff | undefined> {
    const known = this.#entries.get(id)?.handoff;
    if (known !== undefined) return known;
    const row = await this.session.get(statements.lockHandoff, { id });
    return row && this.keepRow(row);
  }

  /** A row that was read locked. */
  keepRow(row: Row, decode = decodeHandoff): Handoff {
    const known = this.#entries.get(String(row.id))?.handoff;
    if (known !== undefined) return known;
    const handoff = decode(row);
    const { state, version } = handoff.delivery;
    this.#entries.set(handoff.id, {
      handoff,
      was: { from_state: state, from_version: version },
      content_json: undefined,
      isChanged: false,
    });
    return handoff;
  }

  /** Adds a handoff behind all others. */
  add({ handoff, event }: Advance, content_json: string): void {
    this.#keep(handoff, [event], content_json);
  }

  /** Keeps a handoff as another store had it, with the lines of its history that are not here. */
  keepAsStored(handoff: Handoff, missing: readonly HandoffEvent[]): void {
    this.#keep(handoff, missing, encodeCanonicalJson(handoff.content));
  }

  /** @param content_json - given where the content is new. */
  #keep(handoff: Handoff, events: readonly Omit<HandoffEvent, 'seq'>[], content_json?: string): void {
    const known = this.#entries.get(handoff.id);
    const entry = { handoff, was: known?.was, content_json: content_json ?? known?.content_json, isChanged: true };
    this.#entries.set(handoff.id, entry);
    for (const event of events) this.#events.push({ event, project: handoff.project });
  }

  /** Takes a step with a handoff just read; null where it had already taken effect. */
  async take(handoff: Handoff, step: Step | StoreStep, context: StepContext): Promise<Handoff | null> {
    const advanced = advance(handoff, step, context);
    if (advanced === null) return null;
    const isEdit = step.type === 'edit';
    if (isEdit) await this.keepPayload(handoff.project, pointedPayload(step));
    this.#keep(advanced.handoff, [advanced.event], isEdit ? step.content_json : undefined);
    return advanced.handoff;
  }

  /** Acknowledges what a caller holds, by its token. @throws HandoffError `not_found`, `lease_lost`. */
  async acknowledge({ id, token }: HeldHandoff, context: StepContext): Promise<Handoff> {
    const held = await this.get(id);
    if (held === undefined) throw absentHandoff(id);
    return withoutToken((await this.take(held, { type: 'acknowledge', token }, context)) ?? held);
  }

  /** @throws HandoffError `invalid_input` for a pointer to what the project does not have. */
  async keepPayload(project: string, pointed: PointedPayload | undefined): Promise<void> {
    if (pointed === undefined) return;
    const { ref, json } = pointed;
    const { sha256 } = ref;
    if (json !== undefined) {
      this.#payloads.set(sha256, json);
      return;
    }
    const isOfProject = ({ handoff }: Entry) =>
      handoff.project === project && handoff.content.payload_ref?.sha256 === sha256;
    if ([...this.#entries.values()].some(isOfProject)) return;
    await this.#holdContents();
    const row = await this.session.get(statements.selectHasPayload, { sha256, project });
    if (row?.has_payload !== true) throw absentPayload(ref);
  }

  /** Writes everything; the caller commits. @returns what proves the commit; undefined where nothing was to be written. */
  async flush(): Promise<Evidence | undefined> {
    const changed = [...this.#entries.values()].filter(({ isChanged }) => isChanged);
    const added = changed.filter(({ was }) => was === undefined);
    if (added.length > 0 || this.#payloads.size > 0) await this.#holdContents();
    if (this.#payloads.size > 0) {
      const rows = [...this.#payloads].map(([sha256, json]) => ({ sha256, json }));
      await this.session.run(statements.insertPayloads, byColumn(rows));
    }
    await this.#insert(added.map(({ handoff, content_json }) => [handoff, content_json ?? contentOf(handoff)]));
    const moved = changed.filter(({ was }) => was !== undefined);
    const isEdited = ({ content_json }: Entry) => content_json !== undefined;
    const rows = moved.filter((entry) => !isEdited(entry)).map(movedColumns);
    await this.#update(statements.updateDeliveries, rows);
    await this.#update(statements.updateContents, moved.filter(isEdited).map(editedColumns));
    return this.#append();
  }

  /** Added in the order of their places: under a lock of each project, so that they are committed in it too. */
  async #insert(added: readonly (readonly [Handoff, string])[]): Promise<void> {
    if (added.length === 0) return;
    const projects = [...new Set(added.map(([{ project }]) => this.#locks.ofProject(project)))].sort();
    for (const key of projects) await this.session.run(statements.lockExclusive, { key });
    await this.session.run(
      statements.insertHandoffs,
      byColumn(added.map(([handoff, json]) => encodeHandoff(handoff, json))),
    );
  }

  async #update(sql: string, rows: readonly Columns[]): Promise<void> {
    if (rows.length === 0) return;
    const changes = await this.session.run(sql, byColumn(rows));
    if (changes !== rows.length)
      throw new Error(`The guard of a step did not hold: ${changes} rows of ${rows.length}.`);
  }

  async #append(): Promise<Evidence | undefined> {
    const last = this.#events.at(-1);
    if (last === undefined) return undefined;
    const rows = this.#events.map(({ event, project }) => encodeEvent(event, project));
    const lines = await this.session.all(statements.insertEvents, byColumn(rows));
    if (this.#events.some(({ event }) => wakes(event)))
      await this.session.run(statements.notify, { channel: this.#channel });
    const { handoff_id, name, at } = last.event;
    return { line: Number(lines.at(-1)?.line), handoff_id, name, at: Date.parse(at) };
  }

  async #holdContents(): Promise<void> {
    if (this.#holdsContents) return;
    this.#holdsContents = true;
    await this.session.run(statements.lockShared, { key: this.#locks.contents });
  }
}

/**
 * Whether a line is told to others at once. A notification is committed under one lock of the whole server, which the
 * usual course of a receiver (claim, renew, acknowledge) is spared: others see that at their next look.
 */
function wakes({ from, to }: Omit<HandoffEvent, 'seq'>): boolean {
  return to !== 'claimed' && !(to === 'acknowledged' && from === 'claimed');
}

function contentOf({ content }: Handoff): string {
  return encodeCanonicalJson(content);
}

function movedColumns({ handoff, was }: Entry): Columns {
  return { id: handoff.id, ...was, ...encodeDelivery(handoff.delivery) };
}

function editedColumns(entry: Entry): Columns {
  const { handoff, content_json } = entry;
  return { ...movedColumns(entry), ...encodeContent({ ...handoff, content_json: content_json ?? contentOf(handoff) }) };
}
