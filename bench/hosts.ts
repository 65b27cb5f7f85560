import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { measureDrift } from './drift.ts';
import { type Benchmark, type Metric, summarize } from './frame.ts';
import { measureSessionHooks } from './session-hooks.ts';

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');
const handoffs = 1_000;
const claims = 400;
const warm_up = 50;

/** What an agent's host waits for. */
export const hosts: Benchmark = {
  name: 'hosts',
  what: 'what an agent’s host waits for: hooks, a claim over MCP, a check of files',
  run: async () => [...(await measureSessionHooks()), ...(await measureMcpClaim()), ...measureDrift()],
};

/** How long a claim takes over stdio from a store with many open handoffs, compared with a listing on the same connection. */
async function measureMcpClaim(): Promise<Metric[]> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  try {
    const store = `sqlite:${join(folder, 'baton.db')}`;
    await fill(folder, store);
    const client = new Client({ name: 'bench', version: '1.0.0' });
    const args = [program, 'mcp', '--cwd', folder, '--store', store];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
    const samples: Record<'claim' | 'listing' | 'ping', number[]> = { claim: [], listing: [], ping: [] };
    for (let round = -warm_up; round < claims; round += 1) {
      const durations = {
        claim: await time(() => claimOne(client)),
        // Without a cache of the client's own: the server answers each.
        listing: await time(() => client.request({ method: 'tools/list' })),
        ping: await time(() => client.ping()),
      };
      if (round < 0) continue;
      for (const [name, duration_ms] of Object.entries(durations))
        samples[name as keyof typeof samples].push(duration_ms);
    }
    await client.close();
    return describe(samples);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(cwd: string, store: string): Promise<void> {
  const baton = await openBaton({ cwd, store });
  for (let number = 1; number <= handoffs; number += 1) {
    const content = {
      summary: `Handoff number ${number}`,
      task_id: `task-${number % 7}`,
      decisions: ['Keep the queue in one file'],
      files: ['src/queue.ts'],
      next_steps: ['Measure it'],
    };
    await baton.handoff.create({ content });
  }
  await baton.close();
}

/** Throws where nothing was claimed, so that no failure is timed as a success. */
async function claimOne(client: Client): Promise<void> {
  const { structuredContent } = await client.callTool({ name: 'handoff_claim', arguments: {} });
  const { handoff } = structuredContent as { handoff: { token?: string } | null };
  if (handoff?.token === undefined) throw new Error(`Nothing was claimed: ${JSON.stringify(structuredContent)}`);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start_ms = performance.now();
  await work();
  return performance.now() - start_ms;
}

function describe(samples: Record<'claim' | 'listing' | 'ping', number[]>): Metric[] {
  const claim = summarize(samples.claim);
  const listing = summarize(samples.listing);
  const ping = summarize(samples.ping);
  const peers = `a ping takes ${ping.median.toFixed(2)} ms, a listing ${listing.median.toFixed(2)} ms`;
  return [
    {
      name: 'MCP claim over stdio with 1,000 open handoffs, p50',
      value: claim.median,
      unit: 'ms',
      floor: 3,
      aim: 2,
      better: 'lower',
      note: `n = ${samples.claim.length}; ${claim.minimum.toFixed(2)}–${claim.maximum.toFixed(2)}; ${peers}`,
    },
  ];
}
