import type { Content } from '../../../core/content.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { isUnreviewed } from '../../../core/unreviewed.ts';
import { formatAge } from '../duration.ts';
import { describeState, endOf } from './handoff-line.ts';
import { oneLine, type View, wrapped, wrappedParts } from './view.ts';

/** The lines above a handoff's content: its title and state, its origin, its delivery. */
export function presentHead(handoff: Handoff, view: View): string {
  const { content } = handoff;
  return [
    titleLine(content.title, describeState(handoff, view), view),
    view.style('gray', wrappedParts([handoff.id, ...factsOf(content, handoff, view)], view.width)),
    ...notesOf(handoff, view).map((note) => wrapped(note, view.width, '  ')),
  ].join('\n');
}

/** The head of a content that is in no store, read from a conversation of a host. */
export function presentUnkeptHead(content: Content, host: string, view: View): string {
  return [
    titleLine(content.title, view.style('yellow', 'not kept'), view),
    view.style('gray', wrappedParts([content.kind, `from ${host}`, ...placeOf(content)], view.width)),
  ].join('\n');
}

function titleLine(title: string, state: string, view: View): string {
  return `${view.style('bold', oneLine(title, view.width - 22))}  ${state}`;
}

function factsOf(content: Content, { created_at }: Handoff, view: View): string[] {
  return [
    content.kind,
    `from ${content.source_agent}`,
    ...(content.target_agent === undefined ? [] : [`for ${content.target_agent}`]),
    ...placeOf(content),
    `${formatAge(created_at, view.now_ms)} ago`,
  ];
}

function placeOf({ task_id, origin, scope, phase }: Content): string[] {
  const named = [
    ['task', task_id],
    ['scope', scope],
    ['phase', phase],
    ['', origin?.branch],
    ['commit', origin?.commit?.slice(0, 12)],
  ];
  return named.filter(([, value]) => value !== undefined).map((words) => words.join(' ').trim());
}

function notesOf(handoff: Handoff, view: View): string[] {
  const { content, delivery } = handoff;
  const { lease, approval, acknowledged_by, expires_at, attempts, max_attempts, failure } = delivery;
  const { offered, injected } = delivery;
  const until = lease?.expires_at === undefined ? '' : ` until ${endOf(lease.expires_at, view)}`;
  const notes: [unknown, string][] = [
    [
      isUnreviewed(handoff) || undefined,
      `Saved by ${content.origin?.host} at its ${content.origin?.trigger}; no person has reviewed it`,
    ],
    [content.origin?.by === 'person' || undefined, 'Written by a person'],
    [content.origin?.asked, describeAsked(content.origin)],
    [content.parent_id, `Follows ${content.parent_id}`],
    [content.supersedes_id, `Replaces ${content.supersedes_id}`],
    [expires_at, `Offered until ${expires_at && endOf(expires_at, view)}`],
    [lease, `Held by ${lease?.holder}${until}`],
    [offered, `Put into session ${offered?.session} of ${offered?.host}; its transcript does not show it yet`],
    [injected, `Shown by the transcript of session ${injected?.session} of ${injected?.host} at ${injected?.at}`],
    [approval, `Approved by ${approval?.by}`],
    [acknowledged_by, `Acknowledged by ${acknowledged_by} at ${delivery.acknowledged_at}`],
    [attempts > 0 || undefined, `Attempt ${attempts} of ${max_attempts}`],
    [failure, `Last failure, ${failure?.by} ${agoOf(failure?.at, view)}: ${failure?.reason}`],
  ];
  return [
    ...notes.filter(([about]) => about !== undefined).map(([, note]) => note),
    ...questionNotes(delivery.waiting_on, view),
  ];
}

function questionNotes(waiting: Handoff['delivery']['waiting_on'], view: View): string[] {
  if (waiting === undefined) return [];
  const { question, asked_by, asked_at, answer, answered_by, answered_at } = waiting;
  return [
    `Asked by ${asked_by} ${agoOf(asked_at, view)}: ${question}`,
    ...(answer === undefined ? [] : [`Answered by ${answered_by} ${agoOf(answered_at, view)}: ${answer}`]),
  ];
}

/** The writer, and the cost. */
function describeAsked({ extractor, asked }: NonNullable<Content['origin']> = {}): string {
  const { input_tokens, output_tokens, took_ms } = asked ?? {};
  const cost = [
    ...(input_tokens === undefined ? [] : [`${input_tokens} tokens read`]),
    ...(output_tokens === undefined ? [] : [`${output_tokens} written`]),
    ...(took_ms === undefined ? [] : [`${Math.round(took_ms / 1_000)} s`]),
  ];
  return `Written by the agent of the session (${[extractor, ...cost].join(', ')}); each item was checked by its quote`;
}

function agoOf(instant: string | undefined, view: View): string {
  return instant === undefined ? '' : `${formatAge(instant, view.now_ms)} ago`;
}
