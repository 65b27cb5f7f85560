import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';

/** What an agent in a separate process does with one task. */
interface AgentWork {
  file: string;
  name: string;
  role: 'creates' | 'claims';
  count: number;
  /** Killed with SIGKILL after this many reports. Default: never. */
  reports_before_kill?: number;
}

/** Runs an agent to its end, natural or not. @returns the ids that it had received, in order. */
export async function runAgent({ file, name, role, count, reports_before_kill }: AgentWork): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'agent-process.ts'), file, name, role, `${count}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const ids: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // A killed process can leave half a line; it had not reported that yet.
    if (line.endsWith('.')) ids.push(line.slice(0, -1));
    if (ids.length === reports_before_kill) child.kill('SIGKILL');
  }
  const code = await ended;
  if (code !== 0 && reports_before_kill === undefined) throw new Error(`Agent ${name} ended with ${code}.`);
  return ids;
}

/** `node agent-process.ts FILE NAME ROLE COUNT`: each id is reported after its call was answered, before the next one. */
async function work([file = '', name = '', role = '', count = '']: readonly string[]): Promise<void> {
  await using service = new HandOffService(file, { agent: name, logLevel: 'silent' });
  for (let index = 0; index < Number(count); index += 1) {
    const payload = { by: name, index, text: 'x'.repeat(1_000) };
    const id =
      role === 'creates'
        ? await service.createHandoff('shared', payload, name)
        : (await service.claimHandoff('shared'))?.handoffId;
    if (id === undefined) return;
    writeSync(1, `${id}.\n`);
  }
}

if (import.meta.main) await work(process.argv.slice(2));
