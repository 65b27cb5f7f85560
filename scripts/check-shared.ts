import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The checks against documents of others, stored next to the clone: Baton is measured against them, and never copies them. */
const shared = join(import.meta.dirname, '../../shared');

const checks = [
  { what: 'extraction above its floor', words: ['scripts/eval-extraction.ts', join(shared, 'corpus')] },
  { what: 'our score against the reference scorer', words: ['scripts/check-score.ts', join(shared, 'corpus')] },
  {
    what: 'our measure of a handoff against the reference program',
    words: ['scripts/check-fidelity.ts', join(shared, 'facts-corpus')],
  },
  {
    what: 'messages in TOON as their authors meant them',
    words: ['scripts/check-toon-samples.ts', join(shared, 'samples/toon')],
  },
  {
    what: 'documents byte for byte, and the script of source 1 as it stands there',
    words: ['scripts/check-samples.ts', shared],
  },
  {
    what: 'JSON records read, listed and copied there and back',
    words: ['scripts/check-record-samples.ts', join(shared, 'samples/records')],
  },
];

if (!existsSync(shared)) {
  process.stderr.write(`There is no folder ${shared}; these checks need it. \`npm test\` does not.\n`);
  process.exitCode = 1;
} else {
  for (const { what, words } of checks) {
    process.stdout.write(`\n${what}\n`);
    const { status } = spawnSync(process.execPath, words, { stdio: 'inherit', cwd: join(import.meta.dirname, '..') });
    if (status !== 0) process.exitCode = 1;
  }
}
