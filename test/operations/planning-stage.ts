import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Baton, openBaton } from '../../packages/batonpass/src/index.ts';
import { afterEachTest } from '../after-each-test.ts';

const folders: string[] = [];
const batons: Baton[] = [];

afterEachTest(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What a brainstorm left. */
export const brainstorm = {
  title: 'Offline notes',
  summary: 'Notes are written on the phone first.',
  decisions: [
    { content: 'Write to the phone first', confidence: 1, evidence: { message: 2, quote: 'Yes, local first.' } },
    { content: 'Keep both versions', source: 'user-pinned' as const },
    { content: 'Photos come later', source: 'ai-extracted' as const, confidence: 0.5 },
  ],
  files: [{ path: 'src/notes/sync.ts', context: 'sends changes' }],
  risks: [
    { description: 'The clock is wrong', severity: 'low' as const },
    { description: 'Two phones edit one note', severity: 'high' as const },
  ],
  origin: { branch: 'feature/notes' },
};

/** A separate project. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-planning-')));
  folders.push(folder);
  return folder;
}

/** The library in a folder; every opening of one folder has its store. */
export async function openIn(folder: string, given: Parameters<typeof openBaton>[0] = {}): Promise<Baton> {
  const environment = { HOME: folder };
  const baton = await openBaton({ cwd: folder, environment, store: `sqlite:${join(folder, 'baton.db')}`, ...given });
  batons.push(baton);
  return baton;
}

/** The plans of a project: their documents by path. */
export function plansIn(folder: string): Record<string, string> {
  const plans = join(folder, '.claude/plans');
  if (!existsSync(plans)) return {};
  const files = readdirSync(plans, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.includes('/.lock/'));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(plans.length + 1), readFileSync(path, 'utf8')]));
}

/** The handoffs that plans created, the newest first. */
export async function nextsOf(baton: Baton) {
  return (await baton.run('handoff.list', { kind: 'plan', limit: 100 })).handoffs;
}
