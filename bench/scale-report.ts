import { assumptions, type Costs, type Plan, planFor } from './scale-model.ts';
import { simulateServer } from './scale-simulation.ts';

/** What was measured of both modes of work. */
export interface MeasuredCosts {
  /** Each call has its own transaction. */
  alone: Costs;
  /** Calls of sixteen callers in one process share transactions. */
  together: Costs;
}

/** Seconds of the busiest hour that are simulated of the busiest server. */
const seconds = 4;

const day_sizes = [1e6, 1e7, 1e8, 1e9];

const ways = { alone: 'a transaction for each call', together: 'calls of 16 callers share transactions' } as const;

const count = (value: number) => Math.round(value).toLocaleString('en');

/** The measured costs, and what follows from them, as tables in Markdown. */
export function describeScale(costs: MeasuredCosts): string {
  return [describeCosts(costs), describePlans(costs)].join('\n\n');
}

function describeCosts({ alone, together }: MeasuredCosts): string {
  const rows: [string, (costs: Costs) => string][] = [
    ['processor time of the server', ({ server_cpu_us }) => `${count(server_cpu_us)} µs`],
    ['of that create, claim, acknowledge', ({ call_cpu_us }) => call_cpu_us.map((us) => `${count(us)} µs`).join(', ')],
    ['processor time of those who call', ({ client_cpu_us }) => `${count(client_cpu_us)} µs`],
    ['bytes of the log', ({ wal_bytes }) => count(wal_bytes)],
    ['syncs of the log', ({ wal_syncs }) => wal_syncs.toFixed(2)],
    ['commits', ({ commits }) => commits.toFixed(2)],
    ['bytes kept, history and indexes included', ({ kept_bytes }) => count(kept_bytes)],
    ['until the next create of its project', ({ create_us }) => `${count(create_us)} µs`],
  ];
  return [
    `| one handoff | ${ways.alone} | ${ways.together} |`,
    '|---|---|---|',
    ...rows.map(([name, show]) => `| ${name} | ${show(alone)} | ${show(together)} |`),
  ].join('\n');
}

function describePlans({ alone, together }: MeasuredCosts): string {
  return [
    '| handoffs a day | at the peak | servers | bound by | busiest: processors, log | claim p50, p99 | kept a day | largest project |',
    '|---|---|---|---|---|---|---|---|',
    `| **${ways.alone}** | | | | | | | |`,
    ...day_sizes.map((size) => describePlan(planFor(size, alone), alone)),
    `| **${ways.together}** | | | | | | | |`,
    ...day_sizes.map((size) => describePlan(planFor(size, together), together)),
  ].join('\n');
}

function describePlan(plan: Plan, costs: Costs): string {
  const course = simulateServer({
    per_second: plan.loads[0] ?? 0,
    seconds,
    cores: assumptions.cores,
    calls_us: costs.call_cpu_us,
    work_us: 1e6,
    seed: 1,
  });
  const milliseconds = (us: number) => (us / 1_000).toFixed(1);
  const cells = [
    count(plan.per_day),
    `${count(plan.peak_per_second)}/s`,
    count(plan.servers),
    plan.bound,
    `${(100 * plan.utilisation).toFixed(0)} %, ${(plan.wal_bytes_per_second / 1e6).toFixed(1)} MB/s`,
    `${milliseconds(course.claim_p50_us)}, ${milliseconds(course.claim_p99_us)} ms`,
    `${(plan.kept_bytes_per_day / 1e9).toFixed(1)} GB`,
    `${(100 * plan.largest_project).toFixed(0)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}
