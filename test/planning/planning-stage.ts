import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandoffSnapshot } from '../../packages/batonpass/src/draft/handoff-draft.ts';
import { type Baton, openBaton } from '../../packages/batonpass/src/index.ts';
import { afterEachTest } from '../after-each-test.ts';

/** Who reviews and hands on, and who plans. */
export const sam = { name: 'sam', type: 'person' } as const;
export const planAgent = { name: 'plan-agent', type: 'agent' } as const;

const opened: { baton: Baton; folder: string }[] = [];

afterEachTest(async () => {
  for (const { baton, folder } of opened.splice(0)) {
    await baton.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A Baton of a person, with its own folder and store. */
export async function openForPlanning(): Promise<Baton> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-planning-')));
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, '.state') };
  const baton = await openBaton({ cwd: folder, environment });
  opened.push({ baton, folder });
  const { run } = baton;
  return { ...baton, run: (name, input, options) => run(name, input, { actor: sam, ...options }) };
}

/** A snapshot with something in each list. */
export function snapshotSaying(content: string): HandoffSnapshot {
  return {
    decisions: [
      { id: 'd1', content, source: 'user-pinned' },
      {
        id: 'd2',
        content: 'Rotate the key once a month',
        source: 'ai-extracted',
        confidence: 0.9,
        evidence: { message: 4, quote: 'let us rotate the key once a month' },
      },
    ],
    filesReferenced: [{ id: 'f1', path: 'src/session.ts', relevance: 'high', context: 'Reads the cookie.' }],
    risks: [{ id: 'r1', description: 'Old cookies are refused', severity: 'medium' }],
    brainstormSummary: 'Sessions move into signed cookies.',
  };
}

/** What a snapshot has too much of: more tokens than a planning agent gets. */
export function largeSnapshot(decisions: number): HandoffSnapshot {
  const content = 'A decision of some length about the sessions, their cookies and the key that signs them. '.repeat(
    20,
  );
  return {
    ...snapshotSaying('x'),
    decisions: Array.from({ length: decisions }, (_, index) => ({
      id: `d${index}`,
      content: `${index}: ${content}`.trim(),
      source: 'user-pinned',
    })),
  };
}
