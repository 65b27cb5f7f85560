import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import { checkLeases, type Leases, nameOf } from './check-leases.ts';
import { checkMachineOrder, checkQueueOrder } from './check-order.ts';
import type { GivenLease, Operation } from './history.ts';
import { replay, stepEvents, type Tenure } from './replay.ts';
import { createVerdict, type Verdict } from './verdict.ts';

/** What workers wrote down, and what the store holds when all of them have ended; both lists oldest first. */
export interface Evidence {
  operations: readonly Operation[];
  handoffs: readonly Handoff[];
  events: readonly HandoffEvent[];
}

/** What the parts of a check know in common. */
interface Case extends Evidence, Leases {
  verdict: Verdict;
  /** By id and fence. */
  tenures: ReadonlyMap<string, Tenure>;
}

const verbs = ['renew', 'acknowledge', 'release', 'fail'] as const;

/**
 * Checks a run, after Jepsen's total-queue: what was answered must be found, what is found must have been asked for,
 * nothing happens twice, no lease ends before its time, no older handoff is passed over, no stale token is accepted.
 * Pure: the answer depends on the evidence alone.
 */
export function checkHistory(evidence: Evidence): Verdict {
  const verdict = createVerdict();
  const lives = replay(evidence.events, verdict);
  const tenures = new Map([...lives.values()].flatMap((life) => life.tenures.map((each) => [nameOf(each), each])));
  const given: Case = { ...evidence, verdict, lives, tenures, promises: new Map(), marks: [] };
  checkRows(given);
  checkCreates(given);
  checkClaims(given);
  checkSteps(given);
  checkLeases(given, verdict);
  checkQueueOrder(evidence.handoffs, evidence.events, verdict);
  checkMachineOrder(given.marks, verdict);
  return verdict;
}

/** Rows and events agree. */
function checkRows({ handoffs, lives, verdict }: Case): void {
  const rows = new Map(handoffs.map((handoff) => [handoff.id, handoff]));
  for (const [id, { created, state }] of lives) {
    const found = rows.get(id)?.delivery.state;
    if (created === undefined) verdict.lost.push(`The history of ${id} has no beginning.`);
    if (found !== state) verdict.lost.push(`${id} is ${found ?? 'gone'}, though its history ends with ${state}.`);
  }
  for (const id of rows.keys()) if (!lives.has(id)) verdict.lost.push(`${id} has no history.`);
}

function checkCreates({ operations, handoffs, lives, verdict, marks }: Case): void {
  const asked = Map.groupBy(ofVerb(operations, 'create'), ({ key }) => key ?? '');
  const found = Map.groupBy(handoffs, ({ content }) => content.title);
  for (const [key, creates] of asked) {
    const there = (found.get(key) ?? []).map(({ id }) => id);
    const answered = creates.flatMap(({ came, id }) => (came === 'ok' && id !== undefined ? [id] : []));
    const made = new Set([...answered, ...there]);
    if (made.size > 1) verdict.duplicate.push(`${key} was created as ${[...made].join(' and ')}.`);
    for (const id of answered) {
      if (!there.includes(id)) verdict.lost.push(`${id} (${key}) was created and is nowhere.`);
      const seq = lives.get(id)?.created?.seq;
      if (seq !== undefined) marks.push({ seq, ...spanOf(creates), says: `the creation of ${id}` });
    }
    if (there.length === 0 || answered.length > 0) continue;
    if (creates.some(({ came }) => came === 'unknown')) verdict.recovered.push(`The creation of ${key} happened.`);
    else verdict.unexpected.push(`${key} is there, though its creation was refused.`);
  }
  for (const key of found.keys())
    if (!asked.has(key)) verdict.unexpected.push(`${key} is there, and nobody created it.`);
}

function checkClaims(given: Case): void {
  const requests = Map.groupBy(ofVerb(given.operations, 'claim'), requestOf);
  const receivers = new Map<string, string>();
  for (const [request, tries] of requests) {
    for (const lease of tries.flatMap(({ leases = [] }) => leases)) {
      const name = nameOf(lease);
      given.promises.set(name, lease.expires_ms);
      checkGiven(given, lease, tries);
      const other = receivers.get(name) ?? request;
      if (other !== request) given.verdict.duplicate.push(`The lease ${name} was given to two claims.`);
      receivers.set(name, other);
    }
  }
  const unknown = [...requests.values()].filter(isUnknown).flatMap((tries) => tries.slice(0, 1));
  const unexplained = [...given.tenures].flatMap(([name, tenure]) => (receivers.has(name) ? [] : [tenure]));
  for (const [actor, taken] of Map.groupBy(unexplained, ({ claimed }) => claimed.actor.name)) {
    const explained = unknown.reduce((sum, claim) => sum + (claim.actor === actor ? (claim.max ?? 1) : 0), 0);
    for (const [index, each] of taken.entries()) {
      if (index < explained) given.verdict.recovered.push(`A claim of ${actor} happened: ${nameOf(each)}.`);
      else given.verdict.unexpected.push(`${nameOf(each)} was claimed for ${actor}, who asked for nothing.`);
    }
  }
}

/** A lease that a claim was answered is in the store's history, under the name of who claimed. */
function checkGiven({ lives, tenures, verdict, marks }: Case, lease: GivenLease, tries: readonly Operation[]): void {
  const name = nameOf(lease);
  const tenure = tenures.get(name);
  if (!lives.has(lease.id)) {
    verdict.unexpected.push(`${lease.id} was claimed, and nobody created it.`);
  } else if (tenure === undefined) {
    verdict.lost.push(`The claim of ${name} was answered, and history has none.`);
  } else {
    marks.push({ seq: tenure.claimed.seq, ...spanOf(tries), says: `the claim of ${name}` });
    const { actor } = tenure.claimed;
    if (actor.name !== tries[0]?.actor) verdict.unexpected.push(`${name} is told to be held by ${actor.name}.`);
  }
}

function checkSteps(given: Case): void {
  const { operations, tenures, verdict, promises } = given;
  for (const verb of verbs) {
    const asked = Map.groupBy(ofVerb(operations, verb), nameOf);
    for (const name of new Set([...asked.keys(), ...tenures.keys()])) {
      const happened = tenures.get(name)?.steps.filter((step) => step.name === stepEvents[verb]) ?? [];
      const requests = [...Map.groupBy(asked.get(name) ?? [], requestOf).values()];
      const answered = requests.filter((tries) => tries.some(({ came }) => came === 'ok'));
      const unknown = requests.filter(isUnknown);
      for (const tries of answered.slice(happened.length)) judgeMissing(given, verb, tries[0]);
      for (const event of happened.slice(answered.length, answered.length + unknown.length)) {
        verdict.recovered.push(`A step happened: ${verb} of ${name} (event ${event.seq}).`);
        if (verb === 'renew') promises.delete(name);
      }
      for (const event of happened.slice(answered.length + unknown.length)) {
        verdict.unexpected.push(`Nobody asked for ${verb} of ${name} (event ${event.seq}), or it was refused.`);
      }
      const known = answered
        .slice(0, happened.length)
        .flat()
        .findLast(({ expires_ms }) => expires_ms !== undefined)?.expires_ms;
      if (known !== undefined && promises.has(name)) promises.set(name, known);
      if (verb === 'acknowledge') markEnds(given, happened, { answered, unknown });
    }
  }
}

/** A step that was answered and did not happen under its own lease: it happened elsewhere, or not at all. */
function judgeMissing({ operations, lives, verdict }: Case, verb: keyof typeof stepEvents, step?: Operation): void {
  if (step === undefined) return;
  const { id = '', fence = 0, actor } = step;
  const { tenures = [], loose = [] } = lives.get(id) ?? {};
  const says = `${verb} of ${id} ${fence} by ${actor}`;
  const happened = [...tenures.flatMap(({ steps }) => steps), ...loose].filter(({ name }) => name === stepEvents[verb]);
  const answered = ofVerb(operations, verb).filter((other) => other.id === id && other.came === 'ok');
  const end = tenures.find((tenure) => tenure.fence === fence)?.end;
  if (happened.length >= answered.length) verdict.late.push(`The ${says} was accepted, though its lease was over.`);
  else if (verb === 'acknowledge' && end?.name === stepEvents[verb])
    verdict.duplicate.push(`The ${says} was accepted twice.`);
  else verdict.lost.push(`The ${says} was answered, and history has none.`);
}

/** It may have been an earlier request that took effect, whose answer never came. */
function markEnds(
  { marks }: Case,
  [event]: readonly HandoffEvent[],
  { answered: [answered], unknown }: Record<'answered' | 'unknown', readonly Operation[][]>,
): void {
  if (event === undefined || answered === undefined) return;
  marks.push({ seq: event.seq, ...spanOf([...unknown.flat(), ...answered]), says: `the end of ${event.handoff_id}` });
}

function ofVerb(operations: readonly Operation[], verb: Operation['verb']): Operation[] {
  return operations.filter((operation) => operation.verb === verb);
}

/** What makes retries one request. */
function requestOf({ actor, key, call }: Operation): string {
  return key === undefined ? call : `${actor} ${key}`;
}

/** Whether no try of a request was answered, and one may have happened nevertheless. */
function isUnknown(tries: readonly Operation[]): boolean {
  return tries.every(({ came }) => came !== 'ok') && tries.some(({ came }) => came === 'unknown');
}

/** From the first try's beginning to the first good answer: within it, whichever of the tries took effect. */
function spanOf(tries: readonly Operation[]): { begun_us: number; ended_us: number } {
  return {
    begun_us: Math.min(...tries.map(({ begun_us }) => begun_us)),
    ended_us: Math.min(...tries.filter(({ came }) => came === 'ok').map(({ ended_us }) => ended_us)),
  };
}
