import { hashJson, sha256Hex } from '../core/canonical-json.ts';
import type { HandoffEvent } from '../core/delivery.ts';
import type { Handoff } from '../core/handoff.ts';
import type { StoredHandoff } from '../core/store.ts';

/** Something of a stored handoff that is not as the life cycle leaves it. */
export interface StoredFault {
  rule: 'content' | 'payload' | 'history' | 'delivery';
  /** Ends a sentence about the handoff: "its content is not …". */
  says: string;
}

/**
 * Parts that contradict each other because something changed them in transit: content and hash, pointer and payload, state
 * and history. A payload that is missing is no fault: the store may have it from another handoff.
 */
export function listMismatches({ handoff, events, payload_json }: StoredHandoff): StoredFault[] {
  const { id, content, content_sha256, delivery } = handoff;
  const { state, version } = delivery;
  const ends = events.at(-1)?.to;
  return faultsAmong([
    [hashJson(content) !== content_sha256, 'content', 'its content is not the one that its hash names'],
    [
      payload_json !== undefined && content.payload_ref?.sha256 !== sha256Hex(payload_json),
      'payload',
      'its payload is not the one that its content points to',
    ],
    [events.some((event) => event.handoff_id !== id), 'history', "its history has another handoff's line"],
    // Each step raises the version by one and writes one line.
    [
      events.length !== version,
      'history',
      `its version is ${version}, its history has ${events.length} ${events.length === 1 ? 'line' : 'lines'}`,
    ],
    [ends !== state, 'history', `it is ${state}, its history ends ${ends === undefined ? 'nowhere' : `at ${ends}`}`],
  ]);
}

/** Everything about a stored handoff that is not as the life cycle leaves it; empty for a sound one. */
export function listFaults(stored: StoredHandoff): StoredFault[] {
  const { handoff, events, payload_json } = stored;
  return [
    ...listMismatches(stored),
    ...faultsAmong([
      [
        handoff.content.payload_ref !== undefined && payload_json === undefined,
        'payload',
        'its payload is missing: its content points to what is not there',
      ],
      [!isUnbroken(events), 'history', 'its history is broken: a line does not begin where the one before it ended'],
    ]),
    ...faultsOfDelivery(handoff, events),
  ];
}

function faultsOfDelivery({ delivery }: Handoff, events: readonly HandoffEvent[]): StoredFault[] {
  const { state, lease, fence, acknowledged_by, acknowledged_at, begun_as_draft, approval } = delivery;
  const isHeld = state === 'claimed' || state === 'waiting';
  const isOutrun = events.some(({ details }) => Number(details?.fence ?? 0) > fence);
  return faultsAmong([
    [isHeld && lease?.token === undefined, 'delivery', `it is ${state}, and nobody holds it`],
    [!isHeld && lease !== undefined, 'delivery', `it is ${state}, and ${lease?.holder} holds it`],
    [state === 'claimed' && lease !== undefined && lease.expires_at === undefined, 'delivery', 'its lease never ends'],
    [state === 'waiting' && lease?.expires_at !== undefined, 'delivery', 'it waits for an answer while its lease runs'],
    [isOutrun, 'delivery', `its fence is ${fence}, its history knows of a later one`],
    [
      state === 'acknowledged' && (acknowledged_by === undefined || acknowledged_at === undefined),
      'delivery',
      'it is acknowledged, and it is not known by whom and when',
    ],
    [
      state === 'open' && begun_as_draft === true && approval === undefined,
      'delivery',
      'it is a draft that was opened without an approval',
    ],
  ]);
}

/** Whether each line begins where the one before it ended, the first from nothing. */
function isUnbroken(events: readonly HandoffEvent[]): boolean {
  return events.every(({ from }, index) => from === events[index - 1]?.to);
}

function faultsAmong(rules: readonly (readonly [boolean, StoredFault['rule'], string])[]): StoredFault[] {
  return rules.flatMap(([isBroken, rule, says]) => (isBroken ? [{ rule, says }] : []));
}
