import { statSync } from 'node:fs';
import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import { hostOf } from '../../core/hosts.ts';
import { isAvailable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { Store } from '../../core/store.ts';
import { type HostSession, isLive } from '../../workspace/hosts/host-sessions.ts';
import { takeLock } from '../../workspace/hosts/session-lock.ts';
import { callOf, type OperationContext } from '../context.ts';
import { findResumable, type Resumption } from './find-resumable.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { releaseOffer } from './release-offer.ts';
import { nameForSession, renderForSession } from './render-for-session.ts';
import { factsOf, findProcess, isSameProcess, processOf } from './session-facts.ts';
import { sessionSchema } from './session-input.ts';
import { describeTakeover, takeFailures } from './session-notices.ts';
import { askForLostSaves, finishPendingSaves } from './session-saves.ts';
import { settleInjections } from './settle-injections.ts';
import { unlessTaken } from './unless-taken.ts';

/**
 * How a session began, or that its person sends a prompt; other words of a host count as `startup`. `turn` is any prompt of
 * a host that takes a text only with prompts: this machine's own facts of the session show which kind it is.
 */
const sources = ['startup', 'resume', 'clear', 'compact', 'fork', 'prompt', 'turn'] as const;

/** At most so many sessions that start at the same moment get one each. */
const candidates_max = 16;

/** How many other handoffs are named next to the one that is given. */
const others_max = 3;

/** The beginning of a host's session: the newest context of its project and branch, claimed for it. */
export const sessionStart = defineOperation({
  name: 'session.start',
  summary: 'Registers a session of a host and claims for it what it continues from, as text for its context.',
  mutates: true,
  doors: { http: false },
  input: sessionSchema.extend({
    source: z.enum(sources).catch('startup'),
    /** The host's limit for one text that a hook gives it. */
    characters_max: z.int().min(1_000).optional(),
  }),
  output: async () =>
    z.strictObject({
      /** For the session's context; empty where there is nothing to continue from. */
      text: z.string(),
      /** One line for the person; empty where nothing is new. */
      notice: z.string(),
      handoff_id: z.string().nullable(),
      /** Why there is nothing, or that there is. */
      reason: z.string(),
    }),
  errors: ['invalid_input', 'conflict', 'unavailable'],
  run: async ({ source: told, characters_max, ...given }, context: OperationContext) => {
    const sessions = hostSessionsOf(context);
    const before = sessions.read(given.session);
    const meant = told === 'turn' ? sourceOfTurn(given, before, context) : told;
    const source = meant === 'prompt' ? (before?.deferred ?? meant) : meant;
    if (source === 'prompt' && sessions.readFollowing(given.session) === undefined) {
      return nothing('Nothing followed what this session was given.');
    }
    const now_ms = context.now();
    const host = meant === 'prompt' ? processOf(given, before, context) : findProcess(given, context);
    const session: HostSession = {
      ...factsOf(given, host, context),
      process: host,
      seen_at: new Date(now_ms).toISOString(),
      received: before?.received ?? [],
    };
    sessions.write(session);
    sessions.removeOld(now_ms);
    if (!session.interactive) return nothing('A session without a person before it never takes a handoff by itself.');
    if (source === 'fork') return nothing('A forked session has the context that it was forked from.');
    const release = takeLock(sessions.startLockPath(session.session));
    if (release === null) return nothing('Another hook of this session is doing it.');
    try {
      const answer = await takeUp({ source, session, before, characters_max }, context);
      const notices = [answer.notice, takeFailures(context)];
      return { ...answer, notice: notices.filter((notice) => notice !== '').join(' ') };
    } finally {
      release();
    }
  },
});

/** The kind of a prompt for its session: the first of a run of the host, the first after a compaction, or one of many. */
function sourceOfTurn(
  given: z.output<typeof sessionSchema>,
  before: HostSession | undefined,
  context: OperationContext,
): Source {
  if (before === undefined) return 'startup';
  const now = findProcess(given, context);
  const isOther = before.process !== undefined && now !== undefined && !isSameProcess(before.process, now);
  if (before.ended_at !== undefined || isOther) return 'resume';
  return 'prompt';
}

type Source = Exclude<(typeof sources)[number], 'turn'>;

interface Start {
  source: Source;
  session: HostSession;
  /** The facts of the session before it started; absent for a new one. */
  before?: HostSession;
  characters_max?: number;
}

async function takeUp({ source, session, before, characters_max }: Start, context: OperationContext) {
  const store = await context.openStore();
  if (source === 'prompt') {
    const following = await offerFollowing({ session, characters_max }, store, context);
    return following ?? nothing('What followed is gone, or not approved yet.');
  }
  askForLostSaves(session, context);
  await finishPendingSaves(context);
  const unproved = await settleInjections(store, context);
  const isSameRun = isSameProcess(session.process, before?.process);
  const own = unproved.find(({ delivery }) => isHeldBy(session.session, delivery));
  if (own !== undefined && isSameRun && source !== 'compact') {
    return nothing(`Handoff ${own.id} was put into this session already.`);
  }
  await releaseLost(unproved, { session, isSameRun }, store, context);
  const wanted: Resumption = {
    branch: session.branch,
    session: session.session,
    from: source === 'compact' ? 'own' : 'others',
    // A resumed session has its own past; only what was made since then is news to it.
    after_ms: source === 'resume' && before !== undefined ? Date.parse(before.seen_at) : undefined,
  };
  const found: Handoff[] = [];
  for await (const handoff of findResumable(wanted, store, context)) {
    if (found.push(handoff) === candidates_max) break;
  }
  if (source === 'compact') return offerAgain(found[0], { session, characters_max }, store, context);
  for (const [index, handoff] of found.entries()) {
    const others = found.slice(index + 1, index + 1 + others_max);
    const answer = await offer(handoff, { session, characters_max, others }, store, context);
    if (answer !== undefined) return answer;
  }
  return nothing('No open context for this branch.');
}

/** A compacted session's own save, and after it the continuation of what it was given: the host takes one text. */
async function offerAgain(
  own: Handoff | undefined,
  { session, characters_max = limits.hook_characters_max }: Receiver,
  store: Store,
  context: OperationContext,
) {
  const isOne = own === undefined || hostSessionsOf(context).readFollowing(session.session) === undefined;
  const receiver = { session, characters_max: isOne ? characters_max : Math.floor(characters_max / 2) - 1 };
  const first = own && (await offer(own, receiver, store, context));
  const second = await offerFollowing(receiver, store, context);
  if (first === undefined || second === undefined) {
    return first ?? second ?? nothing('This session has saved nothing yet.');
  }
  const reason = `${first.reason} ${second.reason}`;
  return { ...first, text: `${first.text}\n${second.text}`, notice: `${first.notice} ${second.notice}`, reason };
}

/**
 * What an agent wrote of the earlier session after this one had taken what rules had saved of it. No other session gets it
 * while this session is at work, and this one gets it once; where it never shows it, the next session is offered it.
 */
async function offerFollowing(receiver: Receiver, store: Store, context: OperationContext) {
  const sessions = hostSessionsOf(context);
  const { session } = receiver.session;
  const id = sessions.readFollowing(session);
  const handoff = id === undefined ? null : await store.get(id);
  if (id === undefined || handoff?.delivery.state === 'draft') return undefined;
  sessions.writeFollowing(session, undefined);
  if (handoff === null || handoff.delivery.state !== 'open' || !isAvailable(handoff, context.now())) return undefined;
  const known = sessions.read(session) ?? receiver.session;
  const answer = await offer(handoff, { ...receiver, session: known }, store, context);
  const { parent_id } = handoff.content;
  const earlier = parent_id === undefined ? 'an earlier one' : `handoff ${parent_id}`;
  const remark = `The agent of that session wrote this after ${earlier} had been put into this session; where the two differ, this one counts.\n`;
  return answer && { ...answer, text: answer.text + remark };
}

function isHeldBy(session: string, { state, offered }: Handoff['delivery']): boolean {
  return state === 'claimed' && offered?.session === session;
}

function nothing(reason: string) {
  return { text: '', notice: '', handoff_id: null, reason };
}

interface Receiver {
  session: HostSession;
  characters_max?: number | undefined;
  others?: readonly Handoff[];
}

/** Claims a handoff for the session, unless another was faster; one that does not fit is named and left where it is. */
async function offer(handoff: Handoff, receiver: Receiver, store: Store, context: OperationContext) {
  const { session, characters_max = limits.hook_characters_max, others = [] } = receiver;
  const { id } = handoff;
  const rendered =
    hostOf(session.host)?.keeps_no_record === true
      ? nameForSession(handoff)
      : await renderForSession(handoff, { characters_max, others }, context);
  if (rendered.sha256 === undefined) {
    const notice = `Baton: ${rendered.text}`;
    return { text: rendered.text, notice, handoff_id: null, reason: rendered.text };
  }
  const request = {
    project: context.project,
    id,
    lease_ms: context.configuration.lease_ms,
    max: 1,
    offer: {
      host: session.host,
      session: session.session,
      transcript: session.transcript,
      from_byte: sizeOf(session.transcript),
      rendered_sha256: rendered.sha256,
    },
  };
  // Recorded before the claim: a handoff that did not arrive does no harm there, a missing one would.
  const received = [...session.received.filter((each) => each !== id), id].slice(-limits.received_max);
  hostSessionsOf(context).write({ ...session, received });
  const answer = await unlessTaken(() => store.claim(request, callOf(context, 'session.start')));
  if (answer === undefined) return undefined;
  const notice = describeTakeover(handoff, context.now());
  return { text: rendered.text, notice, handoff_id: id, reason: `Handoff ${id} was put into this session.` };
}

/**
 * What was injected into a session that is gone without having shown it is offered at once, not when the lease ends. So is
 * what was injected into this very session in an earlier run of it.
 */
async function releaseLost(
  unproved: readonly Handoff[],
  { session: own, isSameRun }: { session: HostSession; isSameRun: boolean },
  store: Store,
  context: OperationContext,
): Promise<void> {
  const sessions = hostSessionsOf(context);
  for (const handoff of unproved) {
    const { session = '' } = handoff.delivery.offered ?? {};
    const known = sessions.read(session);
    // Nothing is known of a session that is unknown here: its lease runs.
    const isEnded = known !== undefined && !isLive(known, context.now());
    if (session === own.session ? !isSameRun : isEnded) await releaseOffer(handoff, store, context);
  }
}

/** The proof comes after the present end of the transcript; a file that does not exist yet has size 0. */
function sizeOf(transcript: string | undefined): number {
  if (transcript === undefined) return 0;
  return statSync(transcript, { throwIfNoEntry: false })?.size ?? 0;
}
