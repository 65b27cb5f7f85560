import { call, createKey } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import type { Shown } from './approval.tsx';

/** Approves a draft by the bytes that were shown. @throws ServerProblem */
export async function approveShown({ handoff, rendered }: Shown): Promise<void> {
  const { sha256: rendered_sha256, budget } = rendered;
  const { id, content_sha256 } = handoff;
  await call('handoff.approve', { id, content_sha256, rendered_sha256, budget });
  announce('Approved.');
}

/** Starts the run of an approved handoff and goes to its page, which can also start it after a failure. */
export async function planApproved(id: string): Promise<void> {
  try {
    await call('planning.start', { id }, { idempotencyKey: createKey() });
  } catch (error) {
    announceFailure(describeProblem(error));
  }
  navigate(`/run/${id}`);
}
