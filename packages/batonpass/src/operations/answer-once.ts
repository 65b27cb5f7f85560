import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainDiskError } from '../disk/disk-error.ts';
import { ownFolder } from '../workspace/place.ts';
import { callOf, type OperationContext } from './context.ts';

/** The parts of an operation that running it needs. */
export interface Runnable<Input, Output> {
  name: string;
  keepsAnswer?: (output: Output) => boolean;
  run: (input: Input, context: OperationContext) => Promise<Output>;
}

/**
 * Runs an operation. Where it writes files, a retry with the caller's key gets the first answer and writes nothing: the key
 * is kept in the project's store after the files are written. Calls with keys wait for each other, so that a retry that
 * comes while the first call runs gets its answer too. A retry after a crash between the two runs again.
 *
 * @throws HandoffError `conflict` where the key was used for another request; then nothing is written.
 */
export async function answerOnce<Input, Output>(
  { name, keepsAnswer, run }: Runnable<Input, Output>,
  input: Input,
  context: OperationContext,
): Promise<Output> {
  if (context.idempotency_key === undefined || keepsAnswer === undefined) return run(input, context);
  const store = await context.openStore();
  // Worktrees share a store and not their files.
  const call = callOf({ ...context, request: { input, root: context.workspace.root } }, name);
  const answerFirst = async () => {
    const earlier = await store.recall(call);
    if (earlier !== undefined) return earlier as Output;
    const answer = await run(input, context);
    return keepsAnswer(answer) ? store.remember(answer, call) : answer;
  };
  // Loaded late: few calls have a key and write files.
  const { withLock } = await import('../disk/lock.ts');
  return withLock(openKeys(context), answerFirst, { signal: context.signal });
}

/** The folder whose lock the calls with keys hold, across all processes on this machine. */
function openKeys({ workspace, environment }: OperationContext): string {
  const folder = join(ownFolder(workspace, environment), 'keys');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainDiskError(error, folder, 'written');
  }
  return folder;
}
