import fc from 'fast-check';
import { expect } from 'vitest';
import type { Actor } from '../../packages/batonpass/src/core/actor.ts';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import { deliverySchema, handoffEventSchema } from '../../packages/batonpass/src/core/delivery.ts';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import type { Handoff } from '../../packages/batonpass/src/core/handoff.ts';
import { type Advance, advance, clockActor } from '../../packages/batonpass/src/core/lifecycle.ts';
import { begin } from '../../packages/batonpass/src/core/lifecycle-begin.ts';
import { isClaimable } from '../../packages/batonpass/src/core/lifecycle-claim.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { type State, states } from '../../packages/batonpass/src/core/state.ts';
import { type Step, type StoreStep, transitions } from '../../packages/batonpass/src/core/transitions.ts';
import { verifies } from '../verifies.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const LEASE_MS = 60_000;
const TOKEN = 'the-token';

const actor: Actor = { name: 'receiver', type: 'agent' };
const person: Actor = { name: 'sam', type: 'person' };
const context = { actor, now_ms: NOW_MS, random: () => 0.5 };
const completed = completeContent({ title: 'T' }, { source_agent: 'writer' });
const { content_sha256 } = completed;

const offer = { host: 'h', session: 's', rendered_sha256: 'r' };

/** A step as the one who has every right to it takes it; holder steps without a token are named so. */
const steps = {
  edit: { type: 'edit', ...completed },
  approve: { type: 'approve', content_sha256, rendered_sha256: 'r', budget: 2_000 },
  claim: { type: 'claim', token: 'new-token', lease_ms: LEASE_MS },
  renew: { type: 'renew', token: TOKEN, lease_ms: LEASE_MS },
  acknowledge: { type: 'acknowledge', token: TOKEN },
  'acknowledge without token': { type: 'acknowledge' },
  inject: { type: 'inject', session: 's', rendered_sha256: 'r', row: 'w' },
  release: { type: 'release', token: TOKEN },
  'release without token': { type: 'release' },
  fail: { type: 'fail', token: TOKEN, reason: 'R' },
  ask: { type: 'ask', token: TOKEN, question: 'Q' },
  answer: { type: 'answer', answer: 'A', lease_ms: LEASE_MS },
  withdraw: { type: 'withdraw' },
  supersede: { type: 'supersede', by_id: 'other' },
  break: { type: 'break', to: 'open' },
  lapse: { type: 'lapse' },
  expire: { type: 'expire' },
  reopen: { type: 'reopen' },
} as const satisfies Record<string, Step | StoreStep>;

type StepName = keyof typeof steps;

/** What each step does in each state: the state after it, or the code of its refusal. */
const outcomes: Record<StepName, Record<State, string>> = {
  edit: row('draft', 'conflict', 'already_claimed', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  approve: row('open', 'conflict', 'already_claimed', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  claim: row('conflict', 'claimed', 'already_claimed', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  renew: row('lost', 'lost', 'claimed', 'conflict', 'lost', 'lost', 'lost', 'lost'),
  acknowledge: row('lost', 'lost', 'acknowledged', 'conflict', 'lost', 'lost', 'lost', 'lost'),
  'acknowledge without token': row(
    'conflict',
    'acknowledged',
    'already_claimed',
    'already_claimed',
    'conflict',
    'conflict',
    'conflict',
    'conflict',
  ),
  inject: row('conflict', 'conflict', 'acknowledged', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  release: row('lost', 'lost', 'open', 'open', 'lost', 'lost', 'lost', 'lost'),
  'release without token': row(
    'conflict',
    'conflict',
    'already_claimed',
    'open',
    'conflict',
    'conflict',
    'conflict',
    'conflict',
  ),
  fail: row('lost', 'lost', 'open', 'conflict', 'lost', 'lost', 'lost', 'lost'),
  ask: row('lost', 'lost', 'waiting', 'conflict', 'lost', 'lost', 'lost', 'lost'),
  answer: row('conflict', 'conflict', 'already_claimed', 'claimed', 'conflict', 'conflict', 'conflict', 'conflict'),
  withdraw: row(
    'withdrawn',
    'withdrawn',
    'already_claimed',
    'withdrawn',
    'conflict',
    'conflict',
    'conflict',
    'conflict',
  ),
  supersede: row(
    'withdrawn',
    'withdrawn',
    'already_claimed',
    'conflict',
    'conflict',
    'conflict',
    'conflict',
    'conflict',
  ),
  break: row('conflict', 'conflict', 'open', 'open', 'conflict', 'conflict', 'conflict', 'conflict'),
  lapse: row('conflict', 'conflict', 'open', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  expire: row('conflict', 'expired', 'already_claimed', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  reopen: row('conflict', 'conflict', 'already_claimed', 'conflict', 'conflict', 'open', 'open', 'open'),
};

/** In the order of `states`; `lost` is `lease_lost`. */
function row(...cells: [string, string, string, string, string, string, string, string]): Record<State, string> {
  return Object.fromEntries(
    states.map((state, index) => [state, (cells[index] ?? '').replace(/^lost$/, 'lease_lost')]),
  ) as Record<State, string>;
}

/** A handoff that has come to a state by the steps that lead there. */
function inState(state: State, max_attempts = 5): Handoff {
  const paths: Record<State, (StepName | 'finish')[]> = {
    draft: [],
    open: ['approve'],
    claimed: ['approve', 'finish'],
    waiting: ['approve', 'finish', 'ask'],
    acknowledged: ['approve', 'finish', 'acknowledge'],
    dead: ['approve', 'finish', 'lapse'],
    withdrawn: ['approve', 'withdraw'],
    expired: ['approve', 'expire'],
  };
  const given = {
    ...completed,
    project: 'p',
    state: 'draft' as const,
    max_attempts: state === 'dead' ? 1 : max_attempts,
  };
  const beginning = begin(given, { id: 'ID', actor, now_ms: NOW_MS });
  return paths[state].reduce((handoff, name) => {
    const step =
      name === 'finish' ? ({ type: 'claim', token: TOKEN, lease_ms: LEASE_MS, offer } as const) : steps[name];
    return taken(advance(handoff, step, name === 'withdraw' ? { ...context, actor: person } : context)).handoff;
  }, beginning.handoff);
}

function taken(result: Advance | null): Advance {
  if (result === null) throw new Error('The step changed nothing.');
  return result;
}

function outcomeOf(handoff: Handoff, step: Step | StoreStep, by: Actor = actor): string {
  try {
    return advance(handoff, step, { ...context, actor: by })?.handoff.delivery.state ?? 'unchanged';
  } catch (error) {
    if (isHandoffError(error)) return error.code;
    throw error;
  }
}

verifies(['LIFE.table'], 'the transition table is the one that the design gives', () => {
  const lines = Object.entries(transitions).map(
    ([step, { from, to }]) => `${from.join(', ')} -${step}-> ${to.join(', ')}`,
  );
  expect(lines).toEqual([
    'draft -edit-> draft',
    'draft -approve-> open',
    'open -claim-> claimed',
    'claimed -renew-> claimed',
    'claimed -report-> claimed',
    'claimed, open -acknowledge-> acknowledged',
    'claimed, open -inject-> acknowledged',
    'claimed, waiting, open -release-> open',
    'claimed, waiting -break-> open, withdrawn',
    'claimed -lapse-> open, dead',
    'claimed -fail-> open, dead',
    'claimed -ask-> waiting',
    'waiting -answer-> claimed',
    'draft, open, waiting -withdraw-> withdrawn',
    'draft, open -supersede-> withdrawn',
    'open -expire-> expired',
    'dead, expired, withdrawn -reopen-> open, draft',
  ]);
});

verifies(['LIFE.table', 'LIFE.lease', 'LIFE.consumed'], 'every step in every state does what the table says', () => {
  const stranger: Actor = { name: 'stranger', type: 'person' };
  for (const [name, step] of Object.entries(steps)) {
    for (const state of states) {
      const before = inState(state);
      const frozen = structuredClone(before);
      const expected = outcomes[name as StepName][state];
      expect(`${state} ${name}: ${outcomeOf(before, step, stranger)}`).toBe(`${state} ${name}: ${expected}`);
      expect(before).toEqual(frozen);
    }
  }
});

verifies(
  ['LIFE.table', 'LIFE.events', 'LIFE.consumed'],
  'a step taken raises the version by one, fits the schemas and records the transition in its event',
  () => {
    for (const [name, step] of Object.entries(steps)) {
      for (const state of states.filter((each) => states.includes(outcomes[name as StepName][each] as State))) {
        const before = inState(state);
        const { handoff, event } = taken(advance(before, step, { ...context, actor: person }));
        expect(handoff.delivery.version).toBe(before.delivery.version + 1);
        expect(handoff.delivery.consumed).toBe(handoff.delivery.state === 'open' ? 0 : 1);
        expect(transitions[step.type].to).toContain(handoff.delivery.state);
        expect(transitions[step.type].from).toContain(event.from);
        expect([event.name, event.from, event.to]).toEqual([
          transitions[step.type].event,
          state,
          handoff.delivery.state,
        ]);
        deliverySchema.parse(handoff.delivery);
        handoffEventSchema.parse({ ...event, seq: 1 });
        expect(JSON.stringify(event)).not.toContain(TOKEN);
      }
    }
  },
);

verifies(['LIFE.reopen', 'LIFE.review'], 'a draft that was withdrawn is a draft again when it is reopened', () => {
  const draft = inState('draft');
  const withdrawn = taken(advance(draft, steps.withdraw, { ...context, actor: person })).handoff;
  expect(outcomeOf(withdrawn, steps.reopen)).toBe('draft');
});

verifies(
  ['LIFE.acknowledge-open'],
  'an open handoff that is addressed to one receiver can be acknowledged by no other',
  () => {
    const addressed = { ...inState('open'), content: { ...completed.content, target_agent: 'carol' } };
    expect(outcomeOf(addressed, { type: 'acknowledge' }, { name: 'bob', type: 'agent' })).toBe('conflict');
    expect(outcomeOf(addressed, { type: 'acknowledge' }, { name: 'carol', type: 'agent' })).toBe('acknowledged');
  },
);

verifies(['LIFE.withdraw'], 'another’s handoff is withdrawn by its writer, its addressee or a person alone', () => {
  for (const state of ['draft', 'open'] as const) {
    const before = inState(state);
    const addressed = { ...before, content: { ...before.content, target_agent: 'carol' } };
    const by = (name: string, type: Actor['type'] = 'agent') => outcomeOf(addressed, steps.withdraw, { name, type });
    expect([by('writer'), by('carol'), by('sam', 'person')]).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
    expect([by('bob'), by('Writer'), by('bob', 'hook')]).toEqual(['conflict', 'conflict', 'conflict']);
    expect(addressed.delivery.state).toBe(state);
  }
});

verifies(['LIFE.waiting'], 'a question is answered, and a waiting handoff withdrawn, by a person alone', () => {
  const before = inState('waiting');
  for (const step of [steps.answer, steps.withdraw, steps['release without token']]) {
    expect(outcomeOf(before, step, { name: 'bob', type: 'agent' })).toBe('conflict');
    expect(outcomeOf(before, step, person)).not.toBe('conflict');
  }
});

verifies(['LIFE.events'], 'a caller that shows the token acts as the holder, and is named', () => {
  const { handoff, event } = taken(advance(inState('claimed'), steps.acknowledge, { ...context, actor: person }));
  expect(handoff.delivery.acknowledged_by).toBe(actor.name);
  expect([event.actor, event.details]).toEqual([actor, { by: person.name }]);
  const failed = taken(advance(inState('claimed'), steps.fail, { ...context, actor: person }));
  expect(failed.event.details).toEqual({ attempts: 1, by: person.name });
  expect(taken(advance(inState('claimed'), steps.acknowledge, context)).event.details).toBeUndefined();
});

verifies(['LIFE.lease', 'HTTP.tokens'], 'a caller whose name a token proves uses the lease of that name alone', () => {
  const proved = { name: 'mallory', type: 'agent', token_id: 't' } as const;
  for (const name of ['renew', 'acknowledge', 'release', 'fail', 'ask'] as const) {
    const take = (by: Actor) => advance(inState('claimed'), steps[name], { ...context, actor: by });
    expect(() => take(proved), name).toThrow(/by mallory: its lease is held by receiver/);
    expect(taken(take({ ...proved, name: actor.name })).event.actor.name).toBe(actor.name);
  }
});

verifies(['LIFE.lease'], 'a wrong token is lease_lost in every state', () => {
  for (const step of Object.values(steps)) {
    if (!('token' in step) || step.type === 'claim') continue;
    for (const state of states) expect(outcomeOf(inState(state), { ...step, token: 'stale' })).toBe('lease_lost');
  }
});

verifies(['LIFE.acknowledge-open'], 'only the one who acknowledged can repeat it', () => {
  const done = inState('acknowledged');
  expect(outcomeOf(done, { type: 'acknowledge' })).toBe('unchanged');
  expect(outcomeOf(done, { type: 'acknowledge' }, { name: 'other', type: 'agent' })).toBe('conflict');
});

verifies(['LIFE.lapse', 'LIFE.fail'], 'the last allowed attempt that lapses or fails leaves the handoff dead', () => {
  for (const name of ['lapse', 'fail'] as const) {
    expect(outcomeOf(inState('claimed', 1), steps[name])).toBe('dead');
    expect(outcomeOf(inState('claimed', 2), steps[name])).toBe('open');
  }
});

verifies(['LIFE.lapse', 'LIFE.clock'], 'a lapse happened when the lease ended, not when somebody noticed', () => {
  const late = { actor: clockActor, now_ms: NOW_MS + 10 * LEASE_MS, random: () => 0 };
  const { event } = taken(advance(inState('claimed'), { type: 'lapse' }, late));
  expect(event.at).toBe(new Date(NOW_MS + LEASE_MS).toISOString());
});

verifies(['LIFE.fail'], 'the back-off doubles from 10 s to 10 min, half of it by chance', () => {
  const waits = (attempts: number, chance: number) => {
    const handoff = inState('claimed', 100);
    const tired = { ...handoff, delivery: { ...handoff.delivery, attempts } };
    const { delivery } = taken(advance(tired, steps.fail, { ...context, random: () => chance })).handoff;
    return Date.parse(delivery.available_at) - NOW_MS;
  };
  expect([1, 2, 3, 7, 50].map((attempts) => waits(attempts, 1))).toEqual([10_000, 20_000, 40_000, 600_000, 600_000]);
  expect([1, 2, 3, 7, 50].map((attempts) => waits(attempts, 0))).toEqual([5_000, 10_000, 20_000, 300_000, 300_000]);
});

verifies(['LIFE.fifo'], 'a clock that goes back hides nothing but what waits after a failure', () => {
  const open = inState('open');
  const failed = taken(advance(inState('claimed'), steps.fail, context)).handoff;
  const reopened = taken(advance(inState('dead'), steps.reopen, { ...context, now_ms: NOW_MS + 1_000 })).handoff;
  const request = { project: 'p', lease_ms: LEASE_MS, max: 1 };
  const isOffered = (handoff: Handoff, now_ms: number) => isClaimable(handoff, request, { name: 'receiver', now_ms });
  expect(isOffered(open, NOW_MS - 3_600_000)).toBe(true);
  expect(isOffered(reopened, NOW_MS - 3_600_000)).toBe(true);
  expect(isOffered(failed, NOW_MS)).toBe(false);
  expect(isOffered(failed, NOW_MS + limits.backoff_ms_min)).toBe(true);
});

verifies(
  ['LIFE.fence', 'LIFE.table'],
  'for any steps in any order, fence and version only rise and attempts keep their bounds',
  () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(steps)), { maxLength: 60 }), (course) => {
        let handoff = inState('draft', 3);
        for (const step of course) {
          const before = handoff.delivery;
          const renamed = step.type === 'claim' ? { ...step, token: TOKEN } : step;
          const result = outcomeOf(handoff, renamed);
          if (!states.includes(result as State)) continue;
          handoff = taken(advance(handoff, renamed, context)).handoff;
          const { fence, version, attempts, lease, state } = handoff.delivery;
          expect(fence).toBe(before.fence + (step.type === 'claim' ? 1 : 0));
          expect(version).toBe(before.version + 1);
          expect(attempts).toBeGreaterThanOrEqual(0);
          expect(attempts).toBeLessThanOrEqual(3);
          expect(lease !== undefined).toBe(state === 'claimed' || state === 'waiting');
        }
      }),
    );
  },
);
