import { openBaton } from '../../packages/batonpass/src/index.ts';

/** Runs the planning agent in a separate process, for a test to kill: `node planning-run-worker.ts FOLDER`. */

const [cwd = ''] = process.argv.slice(2);
const baton = await openBaton({ cwd });
const { outcome } = await baton.run('planning.run', {});
await baton.close();
console.info(outcome);
