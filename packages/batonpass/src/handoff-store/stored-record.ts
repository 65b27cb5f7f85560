import { hashJson } from '../core/canonical-json.ts';
import { completeContent } from '../core/complete-content.ts';
import type { Content, ContentInput } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { advance } from '../core/lifecycle.ts';
import { begin } from '../core/lifecycle-begin.ts';
import type { StoredHandoff } from '../core/store.ts';
import type { HandoffRecord, HandoffResult } from './record.ts';
import { encodeRecord, parseRecord } from './record-text.ts';

/** The field for the text of a record that the handoff's own fields do not give back byte for byte. */
const EXTRA = 'handoff_record';

/**
 * A record as a store of Baton keeps it: its fields by name, open or acknowledged, with the history that follows from
 * that. What the fields do not give back byte for byte (another spelling, fields of another program) is in
 * `extra.handoff_record` unchanged. The same text always gives the same handoff.
 *
 * @throws HandoffError `invalid_input` where a field is beyond the bounds of a content.
 */
export function toStoredHandoff(record: HandoffRecord, text: string, project: string): StoredHandoff {
  const plain = build(record, project, undefined);
  return toRecordText(plain).text === text ? plain : build(record, project, { [EXTRA]: text });
}

function build(record: HandoffRecord, project: string, extra: Record<string, unknown> | undefined): StoredHandoff {
  const { id, source_agent, acknowledged_by } = record;
  const created = begin(
    { ...completeContent(contentOf(record, extra), { source_agent }), project, state: 'open' },
    { id, actor: { name: source_agent, type: 'agent' }, now_ms: Date.parse(record.created_at) },
  );
  const acknowledged = acknowledged_by === undefined ? null : acknowledge(created.handoff, record);
  const steps = acknowledged === null ? [created] : [created, acknowledged];
  return {
    handoff: steps.at(-1)?.handoff ?? created.handoff,
    events: steps.map(({ event }, index) => ({ ...event, seq: index + 1 })),
  };
}

/** Source 2 lets anybody acknowledge a handoff, not only its addressee. */
function acknowledge(handoff: Handoff, { acknowledged_by = '', acknowledged_at, created_at }: HandoffRecord) {
  const { target_agent: _target, ...content } = handoff.content;
  const now_ms = Date.parse(acknowledged_at ?? created_at);
  const actor = { name: acknowledged_by, type: 'agent' as const };
  const taken = advance({ ...handoff, content }, { type: 'acknowledge' }, { actor, now_ms, random: () => 0 });
  return taken && { ...taken, handoff: { ...taken.handoff, content: handoff.content } };
}

function contentOf(record: HandoffRecord, extra: Record<string, unknown> | undefined): ContentInput {
  const { source_agent, target_agent, scope, summary, context_snapshot } = record;
  const { decision_ids, warning_ids, finding_ids, summaries } = context_snapshot;
  return {
    source_agent,
    target_agent,
    scope: scope === '' ? undefined : scope,
    summary,
    results: record.results.map(toResult),
    context_snapshot: { decision_ids, warning_ids, finding_ids, summaries },
    ...(extra && { extra }),
  };
}

/** In the order of source 2. */
function toResult({ description, status, artifacts, notes }: HandoffResult): HandoffResult {
  return { description, status, ...(artifacts && { artifacts }), ...(notes !== undefined && { notes }) };
}

/** A handoff as source 2 writes it. */
export interface RecordText {
  text: string;
  /** What a record cannot hold of it; absent where nothing is lost. */
  left?: string;
}

/**
 * The text of a record for a handoff. What once was a record is that very text again, with its acknowledgement.
 *
 * @throws HandoffError `invalid_input` for a handoff that no record can hold: one that is not open or acknowledged, or
 * whose content has more to pass on than the fields of source 2.
 */
export function toRecordText(stored: StoredHandoff): RecordText {
  const { handoff, events } = stored;
  const { id, content, delivery } = handoff;
  if (delivery.state !== 'open' && delivery.state !== 'acknowledged') {
    throw unfit(id, `it is ${delivery.state}, and a record is open or acknowledged`);
  }
  const lines = delivery.state === 'open' ? 1 : 2;
  const left = [
    ...(events.length > lines ? [`its history has ${events.length} lines, of which a record keeps ${lines}`] : []),
    ...(content.origin === undefined ? [] : ['its origin is left out']),
  ];
  return { text: textOf(stored), ...(left.length > 0 && { left: left.join(', and ') }) };
}

function textOf({ handoff }: StoredHandoff): string {
  const { id, created_at, content, delivery } = handoff;
  const { acknowledged_by, acknowledged_at } = delivery;
  const text = content.extra?.[EXTRA];
  if (typeof text !== 'string') {
    assertHeld(id, content);
    const { source_agent, target_agent, scope, summary, results, context_snapshot: snapshot } = content;
    return encodeRecord({
      source_agent,
      ...(target_agent !== undefined && { target_agent }),
      ...(scope !== undefined && { scope }),
      summary,
      results: results.map(toResult),
      context_snapshot: {
        decision_ids: snapshot?.decision_ids ?? [],
        warning_ids: snapshot?.warning_ids ?? [],
        finding_ids: snapshot?.finding_ids ?? [],
        summaries: snapshot?.summaries ?? [],
      },
      id,
      created_at,
      ...(acknowledged_by !== undefined && { acknowledged_by, acknowledged_at }),
    });
  }
  const record = parseRecord(text, `extra.${EXTRA} of ${id}`);
  const isAsItWas = record.acknowledged_by !== undefined || acknowledged_by === undefined;
  return isAsItWas ? text : encodeRecord({ ...record, acknowledged_by, acknowledged_at });
}

/** @throws HandoffError where the content has something that a record has no field for. */
function assertHeld(id: string, content: Content): void {
  const { source_agent, target_agent, scope, summary, results, context_snapshot, origin } = content;
  const held: Content = completeContent(
    { source_agent, target_agent, scope, summary, results, context_snapshot, origin },
    { source_agent },
  ).content;
  const fields = Object.keys({ ...held, ...content }) as (keyof Content)[];
  const more = fields.filter((field) => hashJson(held[field] ?? null) !== hashJson(content[field] ?? null));
  if (more.length > 0) throw unfit(id, `a record has no field for its ${more.join(', ')}`);
}

function unfit(id: string, reason: string): HandoffError {
  return new HandoffError('invalid_input', `Handoff ${id} cannot be a JSON record: ${reason}.`, {
    details: { id },
    alternatives: [
      `Write it as a file: baton export ${id}`,
      'Copy it to a store that holds it: baton store copy --to sqlite:PATH',
    ],
  });
}
