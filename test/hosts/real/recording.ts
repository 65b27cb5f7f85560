import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStoredRows, storedSession } from '../../../packages/batonpass/src/transcripts/opencode-store.ts';
import { sessionFile } from '../../../packages/batonpass/src/workspace/hosts/session-file.ts';
import { cacheFolder, type HostName } from './programs.ts';
import type { KeptPayload, RealStage } from './real-stage.ts';

/** Longer texts of a host's own, as its instructions, are cut: nothing reads them. */
const characters_max = 200;

const folder = join(import.meta.dirname, '../recorded');

/** Keeps the transcripts and payloads of the two sessions of a pair as fixtures, without this machine's paths. */
export async function writeRecording(stage: RealStage, host: HostName): Promise<void> {
  const payloads = stage.payloads().map(({ payload }) => payload);
  const sessions = [...new Set(payloads.map(({ session_id }) => session_id))];
  mkdirSync(join(folder, host), { recursive: true });
  for (const [index, name] of (['sender', 'receiver'] as const).entries()) {
    const own = payloads.filter(({ session_id }) => session_id === sessions[index]);
    const rows = own[0] === undefined ? [] : await readRows(transcriptOf(own[0], stage, host));
    write(join(host, `${name}.jsonl`), rows, stage);
    write(join(host, `${name}-payloads.jsonl`), own, stage);
  }
}

/** Keeps all that hosts did in a scene as one fixture: each hook with its payload, after the rows that were there before it. */
export async function writeSteps(stage: RealStage, host: HostName, scene: string): Promise<void> {
  const steps: object[] = [];
  const written = new Map<string, number>();
  const addRows = async (path: string, end?: number) => {
    const rows = (await readRows(path)).slice(written.get(path) ?? 0, end);
    steps.push(...rows.map((row) => ({ path, row })));
    written.set(path, (written.get(path) ?? 0) + rows.length);
  };
  for (const { payload, rows } of stage.payloads()) {
    await addRows(transcriptOf(payload, stage, host), rows);
    steps.push({ hook: payload });
  }
  for (const path of written.keys()) await addRows(path);
  write(join(host, `${scene}-steps.jsonl`), steps, stage);
}

/** Where a session's transcript is; some hosts name it to some hooks alone. */
function transcriptOf(payload: KeptPayload['payload'], stage: RealStage, host: HostName): string {
  return payload.transcript_path ?? sessionFile({ host, session: payload.session_id }, stage.environment) ?? '';
}

async function readRows(path: string): Promise<object[]> {
  const stored = storedSession(path);
  if (stored === undefined && !existsSync(path)) return [];
  const lines = (stored === undefined ? readFileSync(path, 'utf8') : await readStoredRows(stored)).split('\n');
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
