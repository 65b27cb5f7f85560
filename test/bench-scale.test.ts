import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { runLoad } from '../bench/bloat-load.ts';
import {
  assumptions,
  type Costs,
  capacityOf,
  planFor,
  projectCapacity,
  sharesOf,
  utilisationOf,
} from '../bench/scale-model.ts';
import { describeScale, type MeasuredCosts } from '../bench/scale-report.ts';
import { simulateServer } from '../bench/scale-simulation.ts';
import { createMemoryStore } from '../packages/batonpass/src/stores/memory/store.ts';
import { root } from './tidy/source-files.ts';
import { verifies } from './verifies.ts';

const costs: Costs = {
  server_cpu_us: 1_000,
  call_cpu_us: [300, 400, 300],
  client_cpu_us: 500,
  wal_bytes: 6_000,
  wal_syncs: 1,
  commits: 3,
  kept_bytes: 4_000,
  create_us: 500,
};

const server = { per_second: 2_000, seconds: 5, cores: 4, calls_us: costs.call_cpu_us, work_us: 20_000, seed: 7 };

describe('the model of many servers', () => {
  verifies(['POSTGRES.cost-model'], 'a server is bound by the resource that is used up first', () => {
    const given = { ...assumptions, cores: 4, utilisation_max: 0.5 };
    expect(capacityOf(costs, given)).toEqual({ bound: 'processor', per_second: 2_000 });
    expect(capacityOf({ ...costs, wal_syncs: 5 }, given)).toEqual({ bound: 'syncs', per_second: 500 });
    expect(capacityOf({ ...costs, wal_bytes: 2e6 }, given)).toEqual({ bound: 'log', per_second: 50 });
    expect(projectCapacity(costs, given)).toBe(1_000);
    expect(utilisationOf(2_000, costs, given)).toBe(0.5);
  });

  verifies(
    ['POSTGRES.cost-model'],
    'what comes is what all servers together have, and none has more than is planned',
    () => {
      fc.assert(
        fc.property(
          fc.double({ min: 1e5, max: 1e10, noNaN: true }),
          fc.integer({ min: 50, max: 5_000 }),
          fc.integer({ min: 1_000, max: 5_000 }),
          (per_day, server_cpu_us, projects) => {
            const [its, given] = [
              { ...costs, server_cpu_us },
              { ...assumptions, projects },
            ];
            const plan = planFor(per_day, its, given);
            const together = plan.loads.reduce((sum, load) => sum + load, 0);
            expect(together).toBeCloseTo(plan.peak_per_second, 3);
            expect(plan.loads).toHaveLength(plan.servers);
            expect(plan.imbalance).toBeGreaterThanOrEqual(1 - 1e-9);
            const { per_second } = capacityOf(its, given);
            // A project is not split: only one that is larger than a server makes a server busier than it should be.
            const largest = (sharesOf(given)[0] ?? 0) * plan.peak_per_second;
            expect(Math.max(...plan.loads)).toBeLessThanOrEqual(
              Math.max(per_second, largest) * (1 + 1e-9) + (largest > per_second ? per_second : 0),
            );
            // With one server less, somebody would have too much.
            expect(plan.servers === 1 || plan.peak_per_second / (plan.servers - 1) >= per_second / 2).toBe(true);
          },
        ),
        { numRuns: 50 },
      );
    },
  );

  verifies(
    ['POSTGRES.cost-model'],
    'every simulated handoff is created, claimed and acknowledged once, in this order',
    () => {
      const course = simulateServer(server);
      const total = server.per_second * server.seconds;
      expect(course).toMatchObject({ created: total, claimed: total, acknowledged: total, out_of_state: 0 });
      expect(simulateServer(server)).toEqual(course);
      expect(simulateServer({ ...server, seed: 8 }).busy_us).not.toBe(course.busy_us);
    },
  );

  verifies(
    ['POSTGRES.cost-model'],
    'the simulation keeps the laws of queues: of utilisation, and of waiting that grows with it',
    () => {
      const course = simulateServer(server);
      const throughput = course.acknowledged / (course.took_us / 1e6);
      // Utilisation is throughput times what each takes: exactly by what was drawn, and nearly by the means it was drawn from.
      expect(course.utilisation).toBeCloseTo(
        (throughput * (course.busy_us / course.acknowledged)) / 1e6 / server.cores,
        9,
      );
      expect(
        course.utilisation / utilisationOf(throughput, costs, { ...assumptions, cores: server.cores }),
      ).toBeCloseTo(1, 1);
      expect(course.utilisation).toBeLessThanOrEqual(1);
      const busier = simulateServer({ ...server, per_second: 3_800 });
      expect(busier.utilisation).toBeGreaterThan(course.utilisation);
      expect(busier.claim_p99_us).toBeGreaterThan(course.claim_p99_us);
    },
  );
});

verifies(
  ['POSTGRES.bloat-bench'],
  'the load of the benchmark creates, claims and acknowledges each handoff once',
  async () => {
    const store = createMemoryStore();
    const { claims, created, acknowledged } = await runLoad({
      writer: store,
      receiver: store,
      rate: 400,
      seconds: 0.2,
      workers: 4,
    });
    expect(created).toBeGreaterThan(0);
    expect([acknowledged, claims.length >= created]).toEqual([created, true]);
    const { handoffs } = await store.list({ filter: {}, limit: 100 });
    expect(handoffs.map(({ delivery }) => [delivery.state, delivery.fence])).toEqual(
      handoffs.map(() => ['acknowledged', 1]),
    );
    await store.close();
  },
);

verifies(['POSTGRES.cost-model'], 'the document on scale has the tables that follow from the kept costs', () => {
  const kept = JSON.parse(readFileSync(join(root, 'docs/figures/scale.json'), 'utf8')) as MeasuredCosts;
  expect(readFileSync(join(root, 'docs/scale.md'), 'utf8')).toContain(describeScale(kept));
});
