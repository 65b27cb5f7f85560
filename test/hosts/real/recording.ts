import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, type HostName } from './programs.ts';
import type { RealStage } from './real-stage.ts';

/** Longer texts of a host's own, as its instructions, are cut: nothing reads them. */
const characters_max = 200;

const folder = join(import.meta.dirname, '../recorded');

/** Keeps the transcripts and payloads of the two sessions of a pair as fixtures, without this machine's paths. */
export function writeRecording(stage: RealStage, host: HostName): void {
  const payloads = stage.payloads().map(({ payload }) => payload);
  const sessions = [...new Set(payloads.map(({ session_id }) => session_id))];
  mkdirSync(join(folder, host), { recursive: true });
  for (const [index, name] of (['sender', 'receiver'] as const).entries()) {
    const own = payloads.filter(({ session_id }) => session_id === sessions[index]);
    write(join(host, `${name}.jsonl`), readRows(own[0]?.transcript_path ?? ''), stage);
    write(join(host, `${name}-payloads.jsonl`), own, stage);
  }
}

/** Keeps all that hosts did in a scene as one fixture: each hook with its payload, after the rows that were there before it. */
export function writeSteps(stage: RealStage, host: HostName, scene: string): void {
  const steps: object[] = [];
  const written = new Map<string, number>();
  const addRows = (path: string, end?: number) => {
    const rows = existsSync(path) ? readRows(path).slice(written.get(path) ?? 0, end) : [];
    steps.push(...rows.map((row) => ({ path, row })));
    written.set(path, (written.get(path) ?? 0) + rows.length);
  };
  for (const { payload, rows } of stage.payloads()) {
    addRows(payload.transcript_path, rows);
    steps.push({ hook: payload });
  }
  for (const path of written.keys()) addRows(path);
  write(join(host, `${scene}-steps.jsonl`), steps, stage);
}

function readRows(path: string): object[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}

function write(name: string, values: readonly unknown[], stage: RealStage): void {
  const lines = values.map((value) => `${JSON.stringify(scrub(value, stage))}\n`);
  writeFileSync(join(folder, name), lines.join(''));
}

function scrub(value: unknown, stage: RealStage): unknown {
  if (Array.isArray(value)) return value.map((each) => scrub(each, stage));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [scrub(key, stage), scrub(each, stage)]));
  if (typeof value !== 'string') return value;
  const dashed = stage.project.replace(/[^a-zA-Z0-9]/g, '-');
  const places = [
    [stage.project, '/home/sam/project'],
    [stage.home, '/home/sam'],
    [dashed, '-home-sam-project'],
    [cacheFolder, '/opt/hosts'],
  ] as const;
  const text = places.reduce((scrubbed, [here, there]) => scrubbed.replaceAll(here, there), value);
  const isRead = /(?:<|&lt;)handoff(?:>|&gt;)|^<session_context>/.test(text);
  return text.length > characters_max && !isRead ? `${text.slice(0, characters_max)}…` : text;
}
