import { statSync } from 'node:fs';
import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { Store } from '../../core/store.ts';
import { type HostSession, isLive } from '../../workspace/hosts/host-sessions.ts';
import { takeLock } from '../../workspace/hosts/session-lock.ts';
import { callOf, type OperationContext } from '../context.ts';
import { findResumable, type Resumption } from './find-resumable.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { renderForSession } from './render-for-session.ts';
import { factsOf, findProcess, isSameProcess } from './session-facts.ts';
import { sessionSchema } from './session-input.ts';
import { describeTakeover, takeFailures } from './session-notices.ts';
import { askForLostSaves, finishPendingSaves } from './session-saves.ts';
import { settleInjections } from './settle-injections.ts';
import { takeBack } from './take-back.ts';
import { unlessTaken } from './unless-taken.ts';

/** How a session began; other words of a host are taken for `startup`. */
const sources = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/** So many sessions that start at the same moment get one each. */
const candidates_max = 16;

/** Other handoffs that are named beside the one that is given. */
const others_max = 3;

/** What a host's session begins with: the newest context of its project and branch, claimed for it. */
export const sessionStart = defineOperation({
  name: 'session.start',
  summary: 'Registers a session of a host and claims for it what it goes on from, as text for its context.',
  mutates: true,
  doors: { http: false },
  input: sessionSchema.extend({
    source: z.enum(sources).catch('startup'),
    /** The host's limit for one text that a hook gives it. */
    characters_max: z.int().min(1_000).optional(),
  }),
  output: async () =>
    z.strictObject({
      /** For the session's context; empty where there is nothing to go on from. */
      text: z.string(),
      /** One line for the person; empty where nothing is new. */
      notice: z.string(),
      handoff_id: z.string().nullable(),
      /** Why there is nothing, or that there is. */
      reason: z.string(),
    }),
  errors: ['invalid_input', 'conflict', 'unavailable'],
  run: async ({ source, characters_max, ...given }, context: OperationContext) => {
    const sessions = hostSessionsOf(context);
    const now_ms = context.now();
    const before = sessions.read(given.session);
    const host = findProcess(given, context);
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
    if (release === null) return nothing('Another hook of this session is at it.');
    try {
      const answer = await takeUp({ source, session, before, characters_max }, context);
      const notices = [answer.notice, takeFailures(context)];
      return { ...answer, notice: notices.filter((notice) => notice !== '').join(' ') };
    } finally {
      release();
    }
  },
});

interface Start {
  source: (typeof sources)[number];
  session: HostSession;
  /** What was known of the session before it started; absent for a new one. */
  before?: HostSession;
  characters_max?: number;
}

async function takeUp({ source, session, before, characters_max }: Start, context: OperationContext) {
  askForLostSaves(session, context);
  await finishPendingSaves(context);
  const store = await context.openStore();
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
    // A session that is taken up again has its own past; only what was made since then is news to it.
    after_ms: source === 'resume' && before !== undefined ? Date.parse(before.seen_at) : undefined,
  };
  const found: Handoff[] = [];
  for await (const handoff of findResumable(wanted, store, context)) {
    if (found.push(handoff) === candidates_max) break;
  }
  for (const [index, handoff] of found.entries()) {
    const others = found.slice(index + 1, index + 1 + others_max);
    const answer = await offer(handoff, { session, characters_max, others }, store, context);
    if (answer !== undefined) return answer;
  }
  return nothing(source === 'compact' ? 'This session has saved nothing yet.' : 'No open context for this branch.');
}

function isHeldBy(session: string, { state, offered }: Handoff['delivery']): boolean {
  return state === 'claimed' && offered?.session === session;
}

function nothing(reason: string) {
  return { text: '', notice: '', handoff_id: null, reason };
}

interface Receiver {
  session: HostSession;
  characters_max?: number;
  others: readonly Handoff[];
}

/** Claims a handoff for the session, unless another was faster; one that does not fit is named and left where it is. */
async function offer(handoff: Handoff, receiver: Receiver, store: Store, context: OperationContext) {
  const { session, characters_max = limits.hook_characters_max, others } = receiver;
  const { id } = handoff;
  const rendered = await renderForSession(handoff, { characters_max, others }, context);
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
  // Noted before the claim: a handoff that did not come is no harm there, one that is missing there would be.
  const received = [...session.received.filter((each) => each !== id), id].slice(-limits.received_max);
  hostSessionsOf(context).write({ ...session, received });
  const answer = await unlessTaken(() => store.claim(request, callOf(context, 'session.start')));
  if (answer === undefined) return undefined;
  const notice = describeTakeover(handoff, context.now());
  return { text: rendered.text, notice, handoff_id: id, reason: `Handoff ${id} was put into this session.` };
}

/**
 * What was put into a session that is gone without having shown it is offered at once, not when the lease ends. So is
 * what was put into this very session in an earlier run of it.
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
    // Of a session that nobody knows here nothing can be said: its lease runs.
    const isEnded = known !== undefined && !isLive(known, context.now());
    if (session === own.session ? !isSameRun : isEnded) await takeBack(handoff, store, context);
  }
}

/** The proof stands behind what the transcript has now; a file that is not there yet has nothing. */
function sizeOf(transcript: string | undefined): number {
  if (transcript === undefined) return 0;
  return statSync(transcript, { throwIfNoEntry: false })?.size ?? 0;
}
