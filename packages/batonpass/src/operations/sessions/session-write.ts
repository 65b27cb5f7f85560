import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { hosts, isHostName } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { type HostSession, isLive, type SessionJob } from '../../workspace/hosts/host-sessions.ts';
import { takeLock } from '../../workspace/hosts/session-lock.ts';
import { Allowance } from '../../written/allowance.ts';
import { canBeAsked } from '../../written/ask-host.ts';
import type { OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/**
 * Lets the agent of a session that is over write its handoff at a person's request: also where that is turned off, the
 * day's calls are used up, or the session is longer or shorter than those that are asked by themselves.
 */
export const sessionWrite = defineOperation({
  name: 'session.write',
  summary: 'Lets the agent of an ended session write its handoff now, regardless of limits.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The host's id of the session, or its beginning. Default: the newest that is over in this work tree. */
    session: z.string().trim().min(4).max(limits.name_characters_max).optional(),
  }),
  output: handoffOutput,
  errors: ['not_found', 'conflict', 'too_large', 'unavailable'],
  run: async ({ session }, context: OperationContext) => {
    const known = findSession(session, context);
    assertCanBeAsked(known);
    const { process: _process, received: _received, seen_at: _seen, ended_at: _ended, ...facts } = known;
    const asked_at = new Date(context.now()).toISOString();
    const job: SessionJob = { ...facts, event: 'SessionEnd', asked_at, ended: true, tries: 0, by_person: true };
    const release = takeLock(hostSessionsOf(context).lockPath(job.session));
    if (release === null) {
      throw new HandoffError('conflict', `Session ${job.session} is being saved at this moment.`, {
        alternatives: ['Wait a few seconds, then run the command again.'],
      });
    }
    try {
      return await write(job, context);
    } finally {
      release();
    }
  },
});

async function write(job: SessionJob, context: OperationContext): Promise<Handoff> {
  const { saveSession, withHost } = await import('./save-session.ts');
  const { actor, ...rest } = withHost(job, context);
  const acting: OperationContext = { ...rest, actor: { ...actor, type: 'hook' } };
  const { improve } = await saveSession(job, acting);
  const id = await improve();
  const handoff = id === undefined ? null : await (await context.openStore()).get(id);
  if (handoff !== null) return handoff;
  const { problem } = new Allowance(context.environment, context.now()).read();
  const isNow =
    problem !== undefined && problem.host === job.host && Date.parse(problem.at) >= Date.parse(job.asked_at);
  const why = isNow ? problem.reason : 'It left nothing to hand over, or its transcript is gone.';
  throw new HandoffError('unavailable', `The agent of session ${job.session} wrote nothing: ${why}`, {
    details: { session: job.session, host: job.host },
    alternatives: ['The handoff that rules made stays: baton list', 'See whether its host can be asked: baton doctor'],
  });
}

function findSession(wanted: string | undefined, context: OperationContext): HostSession {
  const here = hostSessionsOf(context)
    .list()
    .filter(({ root, host }) => root === context.workspace.root && isHostName(host))
    .toSorted((left, right) => Date.parse(right.seen_at) - Date.parse(left.seen_at));
  const isOver = (known: HostSession) => !isLive(known, context.now());
  const named = here.filter(({ session }) => wanted === undefined || session.startsWith(wanted));
  const [found, ...others] = wanted === undefined ? named.filter(isOver).slice(0, 1) : named;
  if (found === undefined || others.length > 0) {
    const what = others.length > 0 ? 'Several sessions begin with' : 'No session that hooks saved here begins with';
    throw new HandoffError(
      'not_found',
      wanted === undefined ? 'No session that hooks saved here is over.' : `${what} "${wanted}".`,
      {
        details: { sessions: here.map(({ session }) => session) },
        alternatives: here.length > 0 ? here.slice(0, 5).map(describe) : ['Register the hooks: baton init'],
      },
    );
  }
  if (isOver(found)) return found;
  throw new HandoffError('conflict', `Session ${found.session} is still at work.`, {
    details: { session: found.session },
    alternatives: ['Let its agent write there, by the skill or the command "handoff".', 'Or end it first.'],
  });
}

function assertCanBeAsked({ host, session }: HostSession): void {
  if (!isHostName(host) || canBeAsked(host)) return;
  throw new HandoffError('unavailable', `${hosts[host].title} cannot be asked about a session that is over.`, {
    details: { host, session },
    alternatives: ['The handoff that rules made stays: baton list'],
  });
}

function describe({ session, host, seen_at }: HostSession): string {
  return `${session}: ${isHostName(host) ? hosts[host].title : host}, ${seen_at}`;
}
