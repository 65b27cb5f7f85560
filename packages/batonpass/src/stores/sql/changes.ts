import { encodeCanonicalJson } from '../../core/canonical-json.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance, clockActor, type StepContext } from '../../core/lifecycle.ts';
import { approvalOf, type Beginning, begin } from '../../core/lifecycle-begin.ts';
import { absentHandoff } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import { absentPayload, type PointedPayload, pointedPayload } from '../../core/payload.ts';
import type { HeldHandoff, NewHandoff } from '../../core/store.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { damagedRow } from '../damaged-row.ts';
import { encodeEvent } from '../event-columns.ts';
import type { Columns, ReadRow } from '../handoff-columns.ts';
import { decodeForClock, decodeHandoff, encodeContent, encodeDelivery, encodeOrigin } from '../handoff-columns.ts';
import type { KeyedRequest } from '../idempotency.ts';
import { deliveryColumns } from './dialect.ts';
import type { SqlStatements } from './statements.ts';
import { all, first, type Statement, type Work } from './work.ts';

interface Entry {
  handoff: Handoff;
  /** As it was read; absent for a new one. */
  row?: ReadRow | undefined;
  content_json?: string | undefined;
  isChanged: boolean;
}

interface Line {
  event: Omit<HandoffEvent, 'seq'>;
  project: string;
}

/**
 * Changes that take effect together. Rows are read, the life cycle decides, and what becomes of them is gathered here; in
 * the end it is written by a few statements, each guarded by what was read. A call that is refused has written nothing.
 */
export class Changes {
  readonly #statements: SqlStatements;
  readonly #entries = new Map<string, Entry>();
  readonly #events: Line[] = [];
  readonly #payloads = new Map<string, string>();
  /** Rows that were locked before; undefined for ids that no handoff has. */
  readonly #locked: ReadonlyMap<string, ReadRow | undefined>;
  readonly #answers: Statement[] = [];
  #written = 0;

  constructor(statements: SqlStatements, locked: ReadonlyMap<string, ReadRow | undefined> = new Map()) {
    this.#statements = statements;
    this.#locked = locked;
  }

  get events(): readonly Line[] {
    return this.#events;
  }

  get size(): number {
    return this.#events.length + this.#payloads.size;
  }

  /** A handoff as it is within this transaction, locked until its end. */
  *get(id: string, decode = decodeHandoff): Work<Handoff | undefined> {
    const known = this.#entries.get(id)?.handoff;
    if (known !== undefined) return known;
    const row = this.#locked.has(id) ? this.#locked.get(id) : (yield this.#statements.dialect.lock(id))[0];
    const found = rowOf(id, row);
    return found && this.keepRow(found, decode);
  }

  /** @throws HandoffError `not_found`. */
  *find(id: string, decode = decodeHandoff): Work<Handoff> {
    const handoff = yield* this.get(id, decode);
    if (handoff === undefined) throw absentHandoff(id);
    return handoff;
  }

  keepRow(row: ReadRow, decode = decodeHandoff): Handoff {
    const known = this.#entries.get(String(row.id))?.handoff;
    if (known !== undefined) return known;
    const handoff = decode(row);
    this.#entries.set(handoff.id, { handoff, row, isChanged: false });
    return handoff;
  }

  /** Adds a handoff with its payload, opens a draft that was approved at once, and ends what it replaces. */
  *add(given: NewHandoff, beginning: Beginning & StepContext): Work<Handoff> {
    yield* this.keepPayload(given.project, pointedPayload(given));
    const { handoff, event } = begin(given, beginning);
    this.#keep(handoff, [event], given.content_json);
    const step = approvalOf(given);
    const added = (step && (yield* this.take(handoff, step, beginning))) ?? handoff;
    yield* this.supersede(added, beginning);
    return added;
  }

  /** What a handoff replaces is offered until the new one is open. */
  *supersede({ id, project, content, delivery }: Handoff, context: StepContext): Work<void> {
    const { supersedes_id } = content;
    if (supersedes_id === undefined) return;
    const superseded = yield* this.find(supersedes_id);
    if (superseded.project !== project) throw absentHandoff(supersedes_id);
    if (delivery.state === 'open') yield* this.take(superseded, { type: 'supersede', by_id: id }, context);
  }

  /** Keeps a handoff as another store had it, with the lines of its history that are not here. */
  keepAsStored(handoff: Handoff, missing: readonly HandoffEvent[]): void {
    this.#keep(handoff, missing, encodeCanonicalJson(handoff.content));
  }

  /** Takes a step with a handoff just read; null where it had already taken effect. */
  *take(handoff: Handoff, step: Step | StoreStep, context: StepContext): Work<Handoff | null> {
    const advanced: Advance | null = advance(handoff, step, context);
    if (advanced === null) return null;
    const isEdit = step.type === 'edit';
    if (isEdit) yield* this.keepPayload(handoff.project, pointedPayload(step));
    this.#keep(advanced.handoff, [advanced.event], isEdit ? step.content_json : undefined);
    return advanced.handoff;
  }

  /** Acknowledges what a caller holds, by its token. @throws HandoffError `not_found`, `lease_lost`. */
  *acknowledge({ id, token }: HeldHandoff, context: StepContext): Work<Handoff> {
    const held = yield* this.find(id);
    return withoutToken((yield* this.take(held, { type: 'acknowledge', token }, context)) ?? held);
  }

  /** @throws HandoffError `invalid_input` for a pointer to what the project does not have. */
  *keepPayload(project: string, pointed: PointedPayload | undefined): Work<void> {
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
    const row = yield* first(this.#statements.selectHasPayload, { sha256, project });
    if (!row?.has_payload) throw absentPayload(ref);
  }

  /** Remembers the answer of a keyed call, and forgets a little of what is old. */
  remember(keyed: KeyedRequest, answer: unknown, now: number): void {
    const { deleteOldAnswers, insertAnswer } = this.#statements;
    const parameters = { ...keyed, answer: JSON.stringify(answer), expires_at: now + limits.idempotency_ms };
    this.#answers.push({ sql: deleteOldAnswers, parameters: { now } }, { sql: insertAnswer, parameters });
  }

  writes(): Statement[] {
    const { insertPayloads, dialect } = this.#statements;
    const [added, moved, edited]: [Columns[], Columns[], Columns[]] = [[], [], []];
    // What no step has changed is not written again: with all columns a claim of many takes a third longer.
    const changed = new Set<string>();
    for (const entry of this.#entries.values()) {
      if (!entry.isChanged) continue;
      const rows = entry.row === undefined ? added : entry.content_json === undefined ? moved : edited;
      rows.push(columnsOf(entry));
      for (const column of deliveryColumns) {
        if (rows === moved && (entry.row?.[column] ?? null) !== (rows.at(-1)?.[column] ?? null)) changed.add(column);
      }
    }
    const payloads = [...this.#payloads].map(([sha256, json]) => ({ sha256, json }));
    const events = this.#events.slice(this.#written).map(({ event, project }) => encodeEvent(event, project));
    const update = dialect.updateDeliveries(deliveryColumns.filter((column) => changed.has(column)));
    const statements: Statement[] = [
      { sql: insertPayloads, rows: payloads },
      { sql: dialect.insertHandoffs, rows: added },
      { sql: update, rows: moved, isGuarded: true },
      { sql: dialect.updateContents, rows: edited, isGuarded: true },
      { sql: dialect.insertEvents, rows: events },
    ];
    return [...statements.filter(({ rows }) => rows?.length !== 0), ...this.#answers];
  }

  /** Writes everything now, for what has to come after it in the same transaction. */
  *write(): Work<void> {
    for (const statement of this.writes()) yield statement;
    this.#entries.clear();
    this.#payloads.clear();
    this.#written = this.#events.length;
  }

  #keep(handoff: Handoff, events: readonly Omit<HandoffEvent, 'seq'>[], content_json?: string): void {
    const known = this.#entries.get(handoff.id);
    const { row } = known ?? {};
    this.#entries.set(handoff.id, { handoff, row, content_json: content_json ?? known?.content_json, isChanged: true });
    for (const event of events) this.#events.push({ event, project: handoff.project });
  }
}

/** @throws HandoffError `unavailable` where the index of ids is damaged. */
export function rowOf(id: string, row: ReadRow | undefined): ReadRow | undefined {
  if (row === undefined || row.id === id) return row;
  throw damagedRow(`Handoff ${id}`, `its place is said to be that of ${row.id}`);
}

/** Lapses, then expiries, the earliest due first; a batch of each, for the rest is found due again. */
export function* applyDue(statements: SqlStatements, moment: Omit<StepContext, 'actor'>): Work<Changes> {
  const changes = new Changes(statements);
  const context = { ...moment, actor: clockActor };
  for (const type of ['lapse', 'expire'] as const) {
    const sql = type === 'lapse' ? statements.lockLapsed : statements.lockExpired;
    const rows = yield* all(sql, { now: moment.now_ms, batch_max: limits.batch_max });
    // A content that is damaged does not stop the clock.
    for (const row of rows) yield* changes.take(changes.keepRow(row, decodeForClock), { type }, context);
    // What has lapsed may also have expired.
    yield* changes.write();
  }
  return changes;
}

function columnsOf({ handoff, row, content_json }: Entry): Columns {
  const guard = row && { id: handoff.id, from_state: String(row.state), from_version: Number(row.version) };
  const content = content_json === undefined ? undefined : encodeContent({ ...handoff, content_json });
  return { ...(guard ?? encodeOrigin(handoff)), ...content, ...encodeDelivery(handoff.delivery) };
}
