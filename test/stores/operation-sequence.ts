import fc from 'fast-check';
import type { Actor } from '../../packages/batonpass/src/core/actor.ts';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import type { Filter } from '../../packages/batonpass/src/core/filter.ts';
import type { Handoff } from '../../packages/batonpass/src/core/handoff.ts';
import type { Call, NewHandoff, Store, StoreSurroundings } from '../../packages/batonpass/src/core/store.ts';
import type { Step } from '../../packages/batonpass/src/core/transitions.ts';

/** Random sequences of store operations, and a run of one of them that reports everything the store answered. */

const START_MS = Date.parse('2026-03-01T12:00:00Z');

const actors: Actor[] = [
  { name: 'ada', type: 'agent' },
  { name: 'bo', type: 'agent' },
  { name: 'ada', type: 'person' },
  { name: 'bo', type: 'hook' },
];

const small = <const T>(...values: T[]) => fc.constantFrom(...values);
/** Absent four times in five: a request with every member answers to nothing. */
const rarely = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
/** For a filter, whose members multiply. */
const seldom = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
/** A usual value, and one time in twenty another. */
const usually = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: other });

const place = small('src/auth', 'src/authz', 'src/auth/token.ts', 'src', './src/auth/', 'src/auth0');
const keys = small('k1', 'k2');
const project = usually(small('one'), small('two'));
/** A handoff by its number, counted round; -1 is an id that none has. */
const target = usually(fc.nat({ max: 1_000 }), fc.constant(-1));

const written = fc.record({
  task_id: rarely(small('t1', 't2')),
  kind: rarely(small('context', 'plan')),
  target_agent: rarely(small('ada', 'bo', 'nobody')),
  scope: rarely(place),
  phase: rarely(small('p')),
  body: rarely(fc.string({ unit: 'grapheme', maxLength: 20 })),
  payload: rarely(usually(fc.jsonValue({ maxDepth: 2 }), small('large '.repeat(12_000)))),
  expires_in_ms: rarely(small(-1, 60_000, 3_600_000)),
  branch: rarely(small('main')),
  supersedes: rarely(target),
});

const step = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ type: small('edit'), body: fc.string({ maxLength: 5 }), if_version: rarely(small(1, 2)) }),
  },
  { weight: 2, arbitrary: fc.record({ type: small('approve'), stale: usually(small(false), small(true)) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: small('renew', 'report', 'fail', 'fail', 'ask'), lease_ms: small(1_000, 900_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: small('renew'), lease_ms: small(5) }) },
  { weight: 3, arbitrary: fc.record({ type: small('inject'), session: usually(small('s1'), small('s2')) }) },
  { weight: 3, arbitrary: fc.record({ type: small('acknowledge', 'release'), bare: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: small('give back'), session: usually(small('s1'), small('s2')) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: small('answer', 'withdraw', 'reopen', 'reopen'), lease_ms: small(60_000) }),
  },
);

const filter = fc.record({
  project: rarely(project),
  state: fc.oneof(
    fc.constant(undefined),
    fc.constant(['open' as const]),
    fc.subarray(['open', 'claimed', 'draft', 'acknowledged', 'dead', 'expired'] as const, { minLength: 1 }),
  ),
  kind: seldom(small('context', 'plan')),
  task_id: seldom(small('t1')),
  source_agent: seldom(small('ada')),
  target_agent: seldom(small('ada')),
  scope: fc.option(place, { nil: undefined, freq: 1 }),
  include_unscoped: seldom(fc.boolean()),
  phase: seldom(small('p')),
  branch: seldom(small('main')),
  since: seldom(small('2026-03-01T13:00:30+01:00', '2026-03-01T12:30:00Z')),
  awaiting_proof: seldom(small(true as const)),
  failed: seldom(small(true as const)),
  id_suffix: seldom(small('0000', 'ABCDE')),
});

const creation = fc.record({
  verb: fc.constant('create' as const),
  contents: fc.array(written, { minLength: 0, maxLength: 4, size: 'max' }),
  state: small('open', 'open', 'open', 'draft'),
  approved: rarely(small(true)),
  max_attempts: rarely(small(1, 2)),
  key: rarely(keys),
  actor: small(...actors),
  project,
});

const claiming = fc.record({
  verb: fc.constant('claim' as const),
  task_id: rarely(small('t1', 't2')),
  kind: rarely(small('context', 'plan')),
  scope: rarely(place),
  include_unscoped: rarely(fc.boolean()),
  id: rarely(target),
  session: rarely(small('s1', 's2')),
  lease_ms: usually(small(1_000, 60_000, 900_000), small(0)),
  max: usually(small(1, 2, 5), small(0)),
  consume: seldom(small(true as const)),
  acknowledges: rarely(target),
  key: rarely(keys),
  actor: small(...actors),
  project,
});

const operation = fc.oneof(
  { weight: 4, arbitrary: creation },
  { weight: 6, arbitrary: claiming },
  {
    weight: 12,
    arbitrary: fc.record({
      verb: fc.constant('transition' as const),
      target,
      step,
      key: rarely(keys),
      actor: small(...actors),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('move' as const),
      ms: small(0, 500, 20_000, 900_000, 90_000_000, -5_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('get' as const), target }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('list' as const),
      filter,
      limit: usually(small(0, 1, 2, 100), small(-1)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('events' as const),
      target: rarely(target),
      project: rarely(project),
      after_seq: rarely(fc.nat({ max: 20 })),
      limit: small(0, 3, 100),
    }),
  },
);

export type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Sequences of up to sixty operations, beginning with a create. */
export const operationSequence = fc
  .tuple(creation, fc.array(operation, { minLength: 10, maxLength: 60, size: 'max' }))
  .map(([first, rest]): Operation[] => [first, ...rest]);

/** What one run knows of the handoffs so far. */
interface Knowledge {
  ids: string[];
  tokens: Map<string, string>;
}

/**
 * Runs operations on a store and returns every answer and refusal, and at the end all handoffs and events.
 * Two stores that agree return equal values.
 */
export async function runSequence(
  operations: readonly Operation[],
  open: (surroundings: StoreSurroundings) => Promise<Store>,
): Promise<unknown[]> {
  const chance = createChance();
  const store = await open(chance.surroundings);
  const known: Knowledge = { ids: [], tokens: new Map() };
  const answers: unknown[] = [];
  try {
    for (const [index, each] of operations.entries()) {
      chance.begin(index);
      if (each.verb === 'move') chance.move(each.ms);
      else answers.push([index, each.verb, await settle(perform(store, each, known, chance.now()))]);
    }
    chance.begin(operations.length);
    answers.push(
      await collectPages(store),
      await store.events({ limit: 10_000 }),
      await store.export({ limit: 1_000 }),
    );
  } finally {
    await store.close();
  }
  return answers;
}

/** Time and chance that depend on the operation's number alone, not on how often a store asks. */
function createChance() {
  let now_ms = START_MS;
  let operation_index = 0;
  let asked = 0;
  const next = () => {
    asked += 1;
    return asked;
  };
  const mix = (number: number) => ((number * 2_654_435_761) >>> 0) / 2 ** 32;
  const surroundings: StoreSurroundings = {
    now: () => now_ms,
    random: () => mix(operation_index * 1_009 + next()),
    createToken: () => `token-${operation_index}-${next()}`,
  };
  return {
    surroundings,
    now: () => now_ms,
    move: (ms: number) => {
      now_ms += ms;
    },
    begin: (index: number) => {
      operation_index = index;
      asked = 0;
    },
  };
}

function perform(store: Store, each: Exclude<Operation, { verb: 'move' }>, known: Knowledge, now_ms: number) {
  switch (each.verb) {
    case 'create':
      return create(store, each, known, now_ms);
    case 'claim':
      return claim(store, each, known);
    case 'transition': {
      return transition(store, idForStep(known, each), each, known);
    }
    case 'get':
      return store.get(idOf(known, each.target));
    case 'list':
      return store.list({ filter: each.filter as Filter, limit: each.limit });
    case 'events': {
      const { project, after_seq, limit } = each;
      const handoff_id = each.target === undefined ? undefined : idOf(known, each.target);
      return store.events({ handoff_id, project, after_seq, limit });
    }
  }
}

async function create(store: Store, each: Operation & { verb: 'create' }, known: Knowledge, now_ms: number) {
  const { contents, state, approved, max_attempts, project, key, actor } = each;
  const approval = approved && state === 'draft' ? { rendered_sha256: 'rendered', budget: 2_000 } : undefined;
  const handoffs = contents.map(({ expires_in_ms, supersedes, branch, ...content }): NewHandoff => {
    const input: ContentInput = {
      ...content,
      ...(branch === undefined ? {} : { origin: { branch, session: 's' } }),
      ...(expires_in_ms === undefined ? {} : { expires_at: offsetInstant(now_ms + expires_in_ms) }),
      ...(supersedes === undefined ? {} : { supersedes_id: idOf(known, supersedes) }),
    };
    return { ...completeContent(input, { source_agent: actor.name }), project, state, approval, max_attempts };
  });
  const created = await store.create(handoffs, callOf(actor, project, 'handoff.create', key));
  for (const { id } of created) if (!known.ids.includes(id)) known.ids.push(id);
  return created;
}

async function claim(store: Store, each: Operation & { verb: 'claim' }, known: Knowledge) {
  const { verb: _verb, key, actor, id, session, acknowledges: held, ...request } = each;
  const named = id === undefined ? undefined : idOf(known, id);
  const call = callOf(actor, request.project, 'handoff.claim', key);
  const offer = session && { host: 'h', session, rendered_sha256: 'r' };
  const done = held === undefined ? undefined : [...known.tokens.keys()].at(-1 - (held % 3));
  const acknowledges = done === undefined ? undefined : { id: done, token: known.tokens.get(done) ?? '' };
  const answer = await store.claim({ ...request, id: named, acknowledges, ...(offer && { offer }) }, call);
  for (const { id: claimed, delivery } of answer.handoffs) {
    known.tokens.delete(claimed);
    known.tokens.set(claimed, delivery.lease?.token ?? '');
  }
  return answer;
}

async function transition(store: Store, id: string, each: Operation & { verb: 'transition' }, known: Knowledge) {
  const { key, actor } = each;
  // The hash of the present content is read, as a reviewer would.
  const present = await store.get(id);
  const step = toStep(each.step, present, known.tokens.get(id) ?? 'no-token');
  return store.transition(id, step, callOf(actor, present?.project ?? 'one', `handoff.${step.type}`, key));
}

function toStep(given: (Operation & { verb: 'transition' })['step'], present: Handoff | null, token: string): Step {
  switch (given.type) {
    case 'edit': {
      const edited = completeContent(
        { body: given.body, expires_at: '2026-03-01T15:00:00+02:00' },
        { source_agent: 'ada' },
      );
      return { type: 'edit', ...edited, if_version: given.if_version };
    }
    case 'approve': {
      const content_sha256 = given.stale ? 'other' : (present?.content_sha256 ?? 'none');
      return { type: 'approve', content_sha256, rendered_sha256: 'rendered', budget: 2_000 };
    }
    case 'acknowledge':
    case 'release':
      return { type: given.type, token: given.bare ? undefined : token };
    case 'give back':
      return { type: 'release', session: given.session };
    case 'inject':
      return { type: 'inject', session: given.session, rendered_sha256: 'r', row: 'w' };
    case 'renew':
      return { type: 'renew', token, lease_ms: given.lease_ms };
    case 'report':
      return { type: 'report', token, text: 'Step 3.', data: { lease: given.lease_ms, text: '\u0000 😀' } };
    case 'fail':
      return { type: 'fail', token, reason: 'It broke: \u0000 "quoted" 😀.' };
    case 'ask':
      return { type: 'ask', token, question: 'Which one?' };
    case 'answer':
      return { type: 'answer', answer: 'The first.', lease_ms: given.lease_ms };
    case 'withdraw':
    case 'reopen':
      return { type: given.type, reason: 'Because.' };
  }
}

async function collectPages(store: Store): Promise<Handoff[]> {
  const found: Handoff[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter: {}, limit: 7, cursor });
    found.push(...page.handoffs);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** A refusal is an answer too; any other failure is a defect and ends the run. */
async function settle(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    const { code, message, details, alternatives } = error;
    return { code, message, details, alternatives };
  }
}

function idOf({ ids }: Knowledge, number: number): string {
  return ids[number % ids.length] ?? 'NOT-AN-ID';
}

/** A holder's step goes mostly to one of the handoffs claimed last. */
function idForStep(known: Knowledge, { step, target }: Operation & { verb: 'transition' }): string {
  const isHolders = ['renew', 'report', 'fail', 'ask', 'acknowledge', 'release', 'answer'].includes(step.type);
  const held = [...known.tokens.keys()].slice(-3);
  if (!isHolders || held.length === 0 || target % 4 === 0) return idOf(known, target);
  return held[target % held.length] ?? idOf(known, target);
}

/** An instant as another time zone writes it. */
function offsetInstant(ms: number): string {
  return new Date(ms + 3_600_000).toISOString().replace('Z', '+01:00');
}

function callOf(actor: Actor, project: string, operation: string, idempotency_key: string | undefined): Call {
  return { actor, project, operation, idempotency_key };
}
