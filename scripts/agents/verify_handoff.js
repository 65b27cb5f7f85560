// Smoke test of the handoff queue [TAS-039]: writes a sequence of handoffs, claims them, and checks their order and their
// consumed flags by SQL of its own. Exits with 1 on any discrepancy, so that continuous integration can rely on it.
//
//   node scripts/agents/verify_handoff.js [--plant-fault]
//
// Any Node starts it, straight after `npm ci`: one that is too old for the library starts the repository's own.
// --plant-fault claims a handoff behind the back of the checks; they must find it.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const ownNode = join(root, 'node_modules', '.bin', 'node');

if (isNewEnough()) await verify();
else if (existsSync(ownNode) && process.env.VERIFY_HANDOFF_HANDED_OVER === undefined) handOver();
else {
  process.stderr.write(`Node ${process.versions.node} is too old: install 22.22.3, 24.15 or newer, or run npm ci.\n`);
  process.exitCode = 2;
}

/** Whether this Node has the database that the library needs. */
function isNewEnough() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number);
  return (major === 22 && (minor > 22 || (minor === 22 && patch >= 3))) || (major === 24 && minor >= 15) || major > 24;
}

function handOver() {
  const environment = { ...process.env, VERIFY_HANDOFF_HANDED_OVER: '1' };
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const { status } = spawnSync(ownNode, words, { stdio: 'inherit', env: environment });
  process.exitCode = status ?? 1;
}

async function verify() {
  const { HandOffService } = await import('batonpass/queue');
  const { DatabaseSync } = await import('node:sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'baton-verify-'));
  const file = join(folder, 'handoffs.db');
  const lines = [];
  const note = (facts) => lines.push(facts);
  const logger = { info: note, warn: note, error: note };
  const writer = new HandOffService(file, { logger });
  const receivers = ['receiver-1', 'receiver-2'].map((agent) => new HandOffService(file, { logger, agent }));
  try {
    await writer.listUnclaimed('verify');
    // A separate connection, so that what is checked is what is in the file.
    const database = new DatabaseSync(file, { timeout: 5_000 });
    await runChecks({ writer, receivers, database, lines });
    database.close();
  } finally {
    for (const service of [writer, ...receivers]) await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runChecks({ writer, receivers, database, lines }) {
  const select = database.prepare('SELECT id, consumed FROM handoffs WHERE task_id = ? ORDER BY created_at, rowid');
  const flags = () => select.all('verify').map(({ consumed }) => consumed);
  const payloads = Array.from({ length: 5 }, (_, index) => ({ step: index + 1, notes: [`note ${index + 1}`] }));
  const ids = [];
  for (const payload of payloads) {
    ids.push(await writer.createHandoff('verify', payload, `writer-${payload.step}`));
    await writer.createHandoff('another task', payload, 'writer');
  }
  const { check, report } = createReport();
  const rows = select.all('verify').map(({ id }) => id);
  check('the table has the rows in the order of their creation', rows, ids);
  check('none is consumed before a claim', flags(), [0, 0, 0, 0, 0]);
  const waiting = await writer.listUnclaimed('verify');
  check(
    'all are listed, oldest first',
    waiting.map(({ handoffId }) => handoffId),
    ids,
  );
  if (process.argv.includes('--plant-fault')) await writer.claimHandoff('verify');
  for (const [index, payload] of payloads.entries()) {
    const claimed = await receivers[index % receivers.length].claimHandoff('verify');
    const expected = { handoffId: ids[index], payload, originAgent: `writer-${payload.step}` };
    check(`claim ${index + 1} gives handoff ${index + 1}, with its payload and origin`, claimed, expected);
    check(
      `consumed is 1 for the first ${index + 1} alone`,
      flags(),
      payloads.map((_, other) => Number(other <= index)),
    );
  }
  check('a further claim gives null', await writer.claimHandoff('verify'), null);
  check('the other task is untouched', (await writer.listUnclaimed('another task')).length, payloads.length);
  check('each creation and claim has its line in the log', lines.length, 3 * payloads.length);
  const untagged = lines.filter(({ tag, source_agent }) => tag !== 'REQ:[TAS-039]' || source_agent === undefined);
  check('every line of the log has its tag and its source agent', untagged, []);
  report();
}

/** Prints each check, counts what differs, and sets the exit code at the end. */
function createReport() {
  let checks = 0;
  let discrepancies = 0;
  return {
    check: (sentence, found, expected) => {
      checks += 1;
      const isEqual = encode(found) === encode(expected);
      if (!isEqual) discrepancies += 1;
      process.stdout.write(`${isEqual ? 'ok  ' : 'FAIL'} ${sentence}\n`);
      if (!isEqual) process.stdout.write(`     expected ${encode(expected)}\n     found    ${encode(found)}\n`);
    },
    report: () => {
      process.stdout.write(`[TAS-039] ${checks} checks, ${discrepancies} discrepancies\n`);
      process.exitCode = discrepancies === 0 ? 0 : 1;
    },
  };
}

/** As JSON with its keys in order, so that equal values have equal texts. */
function encode(value) {
  return JSON.stringify(value, (_key, member) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
