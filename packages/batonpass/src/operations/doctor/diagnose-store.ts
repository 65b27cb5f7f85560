import { isHandoffError } from '../../core/errors.ts';
import type { OperationContext } from '../context.ts';
import { databasePath } from '../store/store-file.ts';
import { type Finding, fine, firstLines, problem, warning } from './diagnose-finding.ts';

/** A smaller difference between clocks is not reported. */
const clock_ms_max = 5 * 60_000;

/** How many of the last offers are read. */
const looked_at_max = 100;

/** Whether the store opens, is sound and of a known form, without a change to it. */
export async function diagnoseStore(context: OperationContext): Promise<Finding[]> {
  const path = databasePath(context);
  if (path === undefined) return [fine('store-healthy', `The store ${context.store_url} is no file`)];
  const { examineDatabase } = await import('../../stores/sqlite/check-database.ts');
  try {
    const health = await examineDatabase(path);
    if (health === null) return [fine('store-absent', `The first handoff makes the store: ${path}`)];
    const { complaints = [], schema_version, is_outdated, bytes } = health;
    if (complaints.length > 0) return [damaged(path, firstLines(complaints[0] ?? ''))];
    const form = is_outdated
      ? `form ${schema_version}, which the next command brings up to date`
      : `form ${schema_version}`;
    const read = health.complaints === undefined ? 'too large to be read through here' : 'sound';
    const what = `The store is ${read}, ${form}: ${path}`;
    return [fine('store-healthy', what, { figures: { bytes } })];
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return [
      problem('store-unusable', {
        about: path,
        what: error.message,
        why: 'No handoff can be kept, and none can be claimed.',
        next: error.alternatives[0] ?? 'Look at the file that is named.',
      }),
    ];
  }
}

function damaged(path: string, complaint: string): Finding {
  return problem('store-damaged', {
    about: path,
    what: `The store ${path} is damaged: ${complaint}`,
    why: 'Handoffs may be missing, and what is written now may be lost.',
    next: 'Go back to a backup, which keeps a copy of what is left: baton store restore FILE. Without one, keep a copy of the file and its -wal, and recover it with sqlite3 .recover.',
  });
}

/** What hooks put into sessions without proof; and whether the store has seen a later time than this machine. */
export async function diagnoseOffers(context: OperationContext): Promise<Finding[]> {
  const path = databasePath(context);
  const { examineDatabase } = await import('../../stores/sqlite/check-database.ts');
  const health = path === undefined ? null : await examineDatabase(path);
  // A diagnosis must not create a store, nor migrate an older one.
  if (health === null || health.is_outdated) return [];
  const store = await context.openStore();
  const { project } = context;
  const { handoffs } = await store.list({ filter: { project, awaiting_proof: true }, limit: looked_at_max });
  const [newest] = (await store.list({ filter: { project }, limit: 1 })).handoffs;
  const ahead_ms = newest === undefined ? 0 : Date.parse(newest.created_at) - context.now();
  const ids = handoffs.map(({ id }) => id);
  return [
    ...(ids.length === 0
      ? []
      : [
          warning('offers-unproved', {
            about: ids.join(', '),
            what: `${ids.length === 1 ? 'A handoff was' : `${ids.length} handoffs were`} put into a session that has not shown it yet: ${ids.slice(0, 3).join(', ')}`,
            why: 'A session shows it with its next message. Where it never does, the host dropped it; it is offered again then.',
            next: `See what became of it: baton log ${ids[0]}`,
          }),
        ]),
    ...(ahead_ms <= clock_ms_max
      ? []
      : [
          warning('clock-wrong', {
            what: `The newest handoff is from the future: ${newest?.created_at}.`,
            why: 'Leases and expiries go by the clock; where it jumps, they end too soon or too late.',
            next: 'Set the clock of this machine, or of the one that wrote it, by the network.',
          }),
        ]),
  ];
}
