import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { State } from '../../../packages/batonpass/src/core/state.ts';
import type { Verdict } from './verdict.ts';

/** The time of one lease, from its claim to its end. */
export interface Tenure {
  id: string;
  fence: number;
  claimed: HandoffEvent;
  /** What happened under this lease, its end included, oldest first. */
  steps: HandoffEvent[];
  /** What ended it; undefined while it is held. */
  end?: HandoffEvent;
}

/** One handoff's course, from the store's own events. */
export interface Life {
  state?: State;
  created?: HandoffEvent;
  tenures: Tenure[];
  /** Steps of a holder that happened while no caller held it. */
  loose: HandoffEvent[];
}

/** A holder's step and the event that it leaves. */
export const stepEvents = {
  renew: 'handoff-renewed',
  acknowledge: 'handoff-acknowledged',
  release: 'handoff-released',
  fail: 'handoff-failed',
} as const;

const holderSteps: ReadonlySet<string> = new Set(Object.values(stepEvents));

/** Follows the store's events, oldest first, and finds what cannot follow on what was before. */
export function replay(events: readonly HandoffEvent[], verdict: Verdict): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const event of events) {
    const life = lives.get(event.handoff_id) ?? { tenures: [], loose: [] };
    lives.set(event.handoff_id, life);
    follow(life, event, verdict);
    life.state = event.to;
  }
  return lives;
}

function follow(life: Life, event: HandoffEvent, verdict: Verdict): void {
  const { handoff_id: id, name, from, to, seq, details } = event;
  const last = life.tenures.at(-1);
  const held = last?.end === undefined ? last : undefined;
  if (name === 'handoff-created') life.created ??= event;
  if (name === 'handoff-claimed') {
    const fence = Number(details?.fence);
    if (held) verdict.duplicate.push(`${id} was claimed (fence ${fence}) while fence ${held.fence} held it.`);
    if (fence !== (last?.fence ?? 0) + 1)
      verdict.unexpected.push(`${id} has fence ${fence} after ${last?.fence ?? 0}.`);
    life.tenures.push({ id, fence, claimed: event, steps: [] });
    if (held) return;
  } else if (held) {
    held.steps.push(event);
    if (to !== 'claimed' && to !== 'waiting') held.end = event;
  } else if (holderSteps.has(name)) {
    life.loose.push(event);
    verdict.unexpected.push(`${id} was held by nobody, yet ${name} happened (event ${seq}).`);
  }
  if (to === 'acknowledged' && life.state === 'acknowledged') verdict.duplicate.push(`${id} was acknowledged twice.`);
  if (from === life.state) return;
  verdict.unexpected.push(`${id} went from ${from} to ${to} (event ${seq}) when it was ${life.state}.`);
}
