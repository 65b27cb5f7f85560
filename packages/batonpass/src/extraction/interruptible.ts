import { runInThisContext } from 'node:vm';

const place = Symbol.for('batonpass.interruptible');

/**
 * Runs work that lets no event in, so that Ctrl-C ends it at once: the process's listeners would wait for its end. They
 * are called then, and without any the process ends, as it would without the work.
 *
 * @param work - leaves nothing half done that another part would see.
 * @throws AbortError where it was ended.
 */
export function interruptible<T>(work: () => T): T {
  Object.assign(globalThis, { [place]: work });
  try {
    return runInThisContext(`globalThis[Symbol.for('batonpass.interruptible')]()`, { breakOnSigint: true }) as T;
  } catch (error) {
    const isEnded = error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED';
    if (!isEnded) throw error;
    if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
    throw new DOMException('The work was interrupted.', 'AbortError');
  }
}
