import type { Benchmark, Metric } from './frame.ts';
import { measureCosts } from './scale-calibration.ts';
import { planFor } from './scale-model.ts';
import { describeScale, type MeasuredCosts } from './scale-report.ts';
import { scaleTargets } from './targets.ts';

const handoffs = Number(process.env.BATON_SCALE_HANDOFFS ?? 5_000);
const callers = 16;

/** What a handoff costs a Postgres server here, and how many servers a billion a day would take by that. */
export const scale: Benchmark = {
  name: 'scale',
  what: 'what a handoff costs a Postgres server, and how many servers a billion a day would take by that',
  run: async () => {
    const costs: MeasuredCosts = {
      alone: await measureCosts({ handoffs, workers: 1 }),
      together: await measureCosts({ handoffs, workers: callers }),
    };
    // The line is what docs/figures/scale.json keeps; the tables are those of docs/scale.md.
    process.stderr.write(`${JSON.stringify(costs)}\n${describeScale(costs)}\n`);
    const note = `n = ${handoffs}, a call and a transaction at a time; ${callers} callers together`;
    const { alone, together } = costs;
    const of = (name: 'server_cpu_us' | 'wal_bytes') => ({ value: alone[name], note: `${note}: ${together[name]}` });
    const [servers, fewer] = [planFor(1e9, alone), planFor(1e9, together)];
    return [
      { ...scaleTargets.cpu, ...of('server_cpu_us') },
      { ...scaleTargets.wal, ...of('wal_bytes') },
      {
        ...scaleTargets.servers,
        value: servers.servers,
        note: `${note}: ${fewer.servers}; a model, see docs/scale.md`,
      },
    ] satisfies Metric[];
  },
};
