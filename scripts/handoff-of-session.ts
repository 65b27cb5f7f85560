import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '../packages/batonpass/src/core/content.ts';
import { isHandoffError } from '../packages/batonpass/src/core/errors.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';

/** What Baton makes of a session. */
export interface SessionHandoff {
  content: Pick<Content, 'decisions' | 'next_steps' | 'risks'>;
  /** By budget: what `baton render` prints. */
  texts: ReadonlyMap<number, string>;
}

/**
 * Makes a handoff of a transcript and renders it at each budget: the operations of `baton import` and `baton render`,
 * within this process, in an empty repository and a separate store. Nothing remains.
 *
 * @throws HandoffError as the import does.
 */
export async function handOver(transcript: string, budgets: readonly number[]): Promise<SessionHandoff> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-fidelity-'));
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    const baton = await openBaton({ cwd: folder, store: 'memory:' });
    try {
      const { handoff } = await baton.handoff.import({ path: transcript });
      const texts = new Map<number, string>();
      for (const budget of budgets) {
        texts.set(budget, await renderAt(baton, handoff.id, budget));
      }
      return { content: handoff.content, texts };
    } finally {
      await baton.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What `baton render` prints: nothing where it refuses the budget. */
async function renderAt(baton: Baton, id: string, budget: number): Promise<string> {
  try {
    const { text } = await baton.handoff.render({ id, budget });
    return text.endsWith('\n') ? text : `${text}\n`;
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    console.error(error.message);
    return '';
  }
}
