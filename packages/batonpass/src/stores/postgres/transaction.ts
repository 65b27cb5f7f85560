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
import { decodeHandoff, encodeDelivery } from '../handoff-columns.ts';
import type { Evidence, Flushed } from './evidence.ts';
import type { Locks } from './locks.ts';
import { addingParameters, type Needs } from './opening.ts';
import { byColumn, type Columns, encodeContent, encodeHandoff } from './row.ts';
import { allSent, type Parameters, type Row, type Session } from './session.ts';
import * as statements from './statements.ts';

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
  /** Rows that were locked with the beginning; undefined for ids that no handoff has. */
  readonly #locked = new Map<string, Row | undefined>();
  readonly #projects = new Set<string>();
  /** What each change replaced, to be put back where its call is refused. */
  readonly #replaced: { id: string; entry: Entry | undefined }[] = [];
  /** The number of the first line of history that is written. */
  #line: number | undefined;
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

  /** Takes over what was locked with the beginning. */
  open({ ids = [], projects = [] }: Needs): void {
    const opened = [...this.session.opened];
    if (projects.length > 0) {
      this.#reserve(opened.shift()?.at(-1));
      this.#holdsContents = true;
      for (const project of projects) this.#projects.add(project);
    }
    const rows = ids.length > 0 ? opened.shift() : [];
    for (const id of ids) this.#locked.set(id, undefined);
    for (const row of rows ?? []) this.#locked.set(String(row.id), row);
  }

  /** As it stands within this transaction, locked until its end. */
  async get(id: string): Promise<Handoff | undefined> {
    const known = this.#entries.get(id)?.handoff;
    if (known !== undefined) return known;
    const row = this.#locked.has(id)
      ? this.#locked.get(id)
      : (await this.session.send(statements.lockHandoffs, { ids: [id] }))[0];
    return row && this.keepRow(row);
  }

  /** Runs one of several calls that share the transaction: where it is refused, nothing of it is left. */
  async attempt<T>(body: () => Promise<T>): Promise<T> {
    const [replaced, events] = [this.#replaced.length, this.#events.length];
    try {
      return await body();
    } catch (error) {
      this.#events.length = events;
      for (const { id, entry } of this.#replaced.splice(replaced).reverse()) {
        if (entry === undefined) this.#entries.delete(id);
        else this.#entries.set(id, entry);
      }
      throw error;
    }
  }

  /** A row that was read locked. */
  keepRow(row: Row, decode = decodeHandoff): Handoff {
    const known = this.#entries.get(String(row.id))?.handoff;
    if (known !== undefined) return known;
    this.#reserve(row);
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
    this.#replaced.push({ id: handoff.id, entry: known });
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
    const { evidence, sent } = this.send();
    await sent;
    return evidence;
  }

  /** Sends everything, and waits for nothing: the commit may follow at once. */
  send(): Flushed {
    const changed = [...this.#entries.values()].filter(({ isChanged }) => isChanged);
    const added = changed.filter(({ was }) => was === undefined);
    const moved = changed.filter(({ was }) => was !== undefined);
    const isEdited = ({ content_json }: Entry) => content_json !== undefined;
    const sent = [
      ...this.#insert(added),
      ...this.#update(statements.updateDeliveries, moved.filter((entry) => !isEdited(entry)).map(movedColumns)),
      ...this.#update(statements.updateContents, moved.filter(isEdited).map(editedColumns)),
      ...this.#append(),
    ];
    return { evidence: this.#evidence, sent: allSent(sent) };
  }

  /** Added in the order of their places: under a lock of each project, so that they are committed in it too. */
  #insert(added: readonly Entry[]): Promise<unknown>[] {
    if (added.length === 0 && this.#payloads.size === 0) return [];
    const payloads = [...this.#payloads].map(([sha256, json]) => ({ sha256, json }));
    const rows = added.map(({ handoff, content_json }) => encodeHandoff(handoff, content_json ?? contentOf(handoff)));
    return [
      ...this.#lockMissing(added),
      ...this.#run(statements.insertPayloads, payloads),
      ...this.#run(statements.insertHandoffs, rows),
    ];
  }

  /** What the beginning did not know to be needed. */
  #lockMissing(added: readonly Entry[]): Promise<unknown>[] {
    const projects = added.map(({ handoff }) => handoff.project).filter((project) => !this.#projects.has(project));
    if (projects.length === 0 && this.#holdsContents) return [];
    return [this.session.send(statements.lockAdding, addingParameters(projects, this.#locks))];
  }

  #update(sql: string, rows: readonly Columns[]): Promise<unknown>[] {
    return this.#run(sql, rows, { moved_count: rows.length }).map((running) =>
      running.catch((error: unknown) => {
        throw explainStep(error);
      }),
    );
  }

  #append(): Promise<unknown>[] {
    const { line } = this.#evidence ?? {};
    const rows = this.#events.map(({ event, project }, index) => ({
      line: index === 0 ? line : undefined,
      ...encodeEvent(event, project),
    }));
    const isTold = this.#events.some(({ event }) => wakes(event));
    return [
      ...this.#run(statements.insertEvents, rows),
      ...(isTold ? [this.session.send(statements.notify, { channel: this.#channel })] : []),
    ];
  }

  /** Any number of rows by one statement; none by none. */
  #run(sql: string, rows: readonly Columns[], parameters: Parameters = {}): Promise<unknown>[] {
    return rows.length === 0 ? [] : [this.session.send(sql, { ...byColumn(rows), ...parameters })];
  }

  /** The first line, whose number was reserved. */
  get #evidence(): Evidence | undefined {
    const [first] = this.#events;
    if (first === undefined) return undefined;
    if (this.#line === undefined) throw new Error('No line of the history was reserved.');
    const { handoff_id, name, at } = first.event;
    return { line: this.#line, handoff_id, name, at: Date.parse(at) };
  }

  /** @param row - with a number for a line; the last lock of all decides, so that lines rise with the locks. */
  #reserve(row: Row | undefined): void {
    if (typeof row?.next_line === 'number') this.#line = Math.max(this.#line ?? 0, row.next_line);
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

/** The failure of a step's statement, which divides by zero where its guard did not hold: of a locked row that is a defect. */
function explainStep(error: unknown): unknown {
  const isGuard = error instanceof Error && 'code' in error && error.code === '22012';
  return isGuard ? new Error('The guard of a step did not hold.', { cause: error }) : error;
}
