import { addUp, addUpPrecision, type Fidelity, type SessionFidelity, type Side, sides } from './fidelity.ts';
import { compareSides, type Difference } from './paired-bootstrap.ts';
import { roundTo } from './reference-text.ts';
import { type BaseLine, baseLines } from './session-prose.ts';

/** A set of sessions at every budget. */
export interface GroupFidelity {
  name: string;
  sessions: string[];
  budgets: BudgetFidelity[];
  precision: ReturnType<typeof addUpPrecision>;
}

interface BudgetFidelity {
  budget: number;
  sides: Record<Side, Fidelity>;
  /** The base line that holds most of these sessions. */
  best: BaseLine;
  /** The handoff's recall above that of the best base line. */
  over_best: Difference;
}

/** Adds up a set of sessions. */
export function reportGroup(
  name: string,
  sessions: readonly SessionFidelity[],
  budgets: readonly number[],
): GroupFidelity {
  return {
    name,
    sessions: sessions.map(({ id }) => id),
    budgets: budgets.map((budget) => {
      const found = sides.map((side) => [side, addUp(sessions, budget, side)]);
      const all = Object.fromEntries(found) as Record<Side, Fidelity>;
      const best = baseLines.reduce((one, other) => (all[other].recall > all[one].recall ? other : one));
      return { budget, sides: all, best, over_best: compareSides(sessions, budget, ['baton', best]) };
    }),
    precision: addUpPrecision(sessions),
  };
}

/** The figures under the names that the reference program gives them. */
export function toReferenceFigures({ budgets, precision }: GroupFidelity) {
  const each = <Value>(of: (fidelity: Fidelity) => Value) =>
    Object.fromEntries(
      budgets.flatMap(({ budget, sides: all }) => sides.map((side) => [`${side}@${budget}`, of(all[side])])),
    );
  return { recall: each(({ recall }) => recall), stale: each(({ stale }) => stale), precision };
}

/** A group as a table for a terminal: a column for each budget. */
export function formatGroup({ name, sessions, budgets, precision }: GroupFidelity): string {
  const row = (title: string, of: (budget: BudgetFidelity) => string) =>
    title.padEnd(26) + budgets.map((each) => of(each).padStart(22)).join('');
  return [
    row(`${name}: ${sessions.length} sessions`, ({ budget }) => `${budget} tokens`),
    ...sides.map((side) => row(`recall ${side}`, ({ sides: all }) => all[side].recall.toFixed(3))),
    row('baton over the best', ({ over_best, best }) => `${formatSigned(over_best.value)} ${best}`),
    row('  95 % interval', ({ over_best: { low, high } }) => `${formatSigned(low)} to ${formatSigned(high)}`),
    ...sides.map((side) => row(`stale ${side}`, ({ sides: all }) => all[side].stale.join('/'))),
    ...sides.map((side) => row(`characters ${side}`, ({ sides: all }) => String(all[side].characters))),
    `precision: ${formatPrecision(precision)}`,
  ].join('\n');
}

/** The share of each session at each budget, and the kinds of facts found: the details to examine. */
export function formatEach(sessions: readonly SessionFidelity[], budgets: readonly number[]): string {
  return sessions
    .flatMap((session) =>
      budgets.map((budget) => {
        const shares = sides.map((side) => `${side} ${addUp([session], budget, side).recall.toFixed(2)}`).join('  ');
        const { kinds } = addUp([session], budget, 'baton');
        const found = Object.entries(kinds).map(([kind, [count, of]]) => `${kind} ${count}/${of}`);
        return `${session.id.padEnd(8)}${String(budget).padStart(6)}  ${shares}  | ${found.sort().join(' ')}`;
      }),
    )
    .join('\n');
}

function formatPrecision(precision: GroupFidelity['precision']): string {
  return Object.entries(precision)
    .map(([kind, [labelled, told]]) => `${kind} ${labelled}/${told} (${(labelled / Math.max(1, told)).toFixed(2)})`)
    .join('  ');
}

function formatSigned(value: number): string {
  const shown = roundTo(Math.abs(value), 3).toFixed(3);
  return `${value < 0 ? '−' : '+'}${shown}`;
}
