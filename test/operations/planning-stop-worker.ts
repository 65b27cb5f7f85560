import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openBaton } from '../../packages/batonpass/src/index.ts';

/**
 * Drafts a plan and stops itself once it holds the handoff, before it proves that it still does:
 * `node planning-stop-worker.ts FOLDER ID`. Says `stopping`, and, when it may continue, its exit code.
 */

const [folder = '', id = ''] = process.argv.slice(2);
const baton = await openBaton({
  cwd: folder,
  environment: { HOME: folder },
  store: `sqlite:${join(folder, 'baton.db')}`,
});
const store = await baton.context.openStore();
const claim = store.claim.bind(store);
store.claim = async (...given) => {
  const answer = await claim(...given);
  writeSync(1, 'stopping\n');
  process.kill(process.pid, 'SIGSTOP');
  return answer;
};
const ended = await baton.run('planning.draft', { id }).then(
  ({ outcome }) => outcome,
  (error: { code?: string }) => error.code ?? String(error),
);
writeSync(1, `${ended}\n`);
await baton.close();
