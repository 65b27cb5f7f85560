import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What a worker reported: one operation that its store had acknowledged. */
export interface Report {
  ready?: string;
  created?: string;
  claimed?: string;
  fence?: number;
  acknowledged?: string;
}

export interface RaceProcess {
  file: string;
  name: string;
  role: 'writer' | 'claimer' | 'receiver';
  count: number;
  /** Killed with SIGKILL after this many reports. Default: never. */
  reports_before_kill?: number;
}

/** Runs a worker to its end, natural or not, and returns everything that it reported. */
export async function runWorker({ file, name, role, count, reports_before_kill }: RaceProcess) {
  const worker = join(import.meta.dirname, 'race-worker.ts');
  const child = spawn(process.execPath, [worker, file, name, role, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += text;
  });
  const reports: Report[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const report = parseWhole(line);
    if (report !== undefined) reports.push(report);
    if (reports.length === reports_before_kill) child.kill('SIGKILL');
  }
  const { code, signal } = await ended;
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`Worker ${name} ended with ${code ?? signal}: ${complaints}`);
  return { reports, wasKilled: signal === 'SIGKILL' };
}

/** A killed worker can leave half a line; it had not reported that yet. */
function parseWhole(line: string): Report | undefined {
  return line.endsWith('}') ? (JSON.parse(line) as Report) : undefined;
}
