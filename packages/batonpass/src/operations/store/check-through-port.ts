import type { State } from '../../core/state.ts';
import type { StoredHandoff } from '../../core/store.ts';
import { withoutCredentials } from '../../stores/open.ts';
import { listFaults } from '../../stores/stored-faults.ts';
import type { OperationContext } from '../context.ts';
import { type CheckReport, findings_max } from './check-report.ts';
import { exportPages } from './export-pages.ts';

/** Checks a store that is no file by what it gives away: its own form is nobody else's business. */
export async function checkThroughPort(context: OperationContext): Promise<CheckReport> {
  const { store_url, signal, onProgress } = context;
  const states: Partial<Record<State, number>> = {};
  const findings: CheckReport['findings'] = [];
  let oldest_open: CheckReport['oldest_open'];
  let handoffs = 0;
  const look = (stored: StoredHandoff) => {
    const { id, created_at, delivery } = stored.handoff;
    states[delivery.state] = (states[delivery.state] ?? 0) + 1;
    if (delivery.state === 'open') oldest_open ??= { id, created_at };
    findings.push(...listFaults(stored).map(({ rule, says }) => ({ rule, id, what: says })));
  };
  for await (const page of exportPages(await context.openStore(), signal)) {
    for (const stored of page.handoffs) look(stored);
    handoffs += page.handoffs.length;
    onProgress?.({ what: 'handoffs checked', done: handoffs });
  }
  return {
    store: withoutCredentials(store_url),
    complete: !signal.aborted,
    handoffs,
    states,
    ...(oldest_open && { oldest_open }),
    dropped: { handoffs: 0, lines: 0 },
    problems: findings.length,
    findings: findings.slice(0, findings_max),
  };
}
