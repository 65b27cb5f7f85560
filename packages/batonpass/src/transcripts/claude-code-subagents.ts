import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ToolCall } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { type ClaudeCodeRow, isClaudeCodeRow, readRow } from './claude-code-rows.ts';
import { asObject, asText, parseLine } from './json-value.ts';
import type { SecretCounts } from './mask-conversation.ts';
import { cutReport } from './mask-conversation.ts';
import { maskRow, sweepRow } from './mask-row.ts';
import { SecretSweep } from './secret-sweep.ts';
import { readLines } from './transcript-lines.ts';

/** What a helper agent of a session did: plain data, its secrets masked. */
export interface SubagentWork {
  /** Its id, as its file and the result of its work name it. */
  agent: string;
  /** What it was started as: `Explore`, … */
  kind?: string;
  /** The call that started it, where its file has it. */
  tool_use_id?: string;
  /** ISO 8601; of its first row. */
  at?: string;
  /** Files and commands, each once, with the last outcome. */
  calls: { call: ToolCall; masked?: SecretCounts; outcome_masked?: SecretCounts }[];
  /** The beginning of its last message. */
  report?: { text: string; masked?: SecretCounts };
}

/** A helper's file as it was read, so that one that did not change is not read again. */
export interface KnownSubagent {
  bytes: number;
  modified_ms: number;
  work: SubagentWork;
}

/**
 * The work of a session's helpers, by the names of their files next to its transcript: `<session>/subagents/agent-*.jsonl`.
 * A file that cannot be read is left out, as is one that is no regular file.
 *
 * @param earlier - what an earlier call gave.
 */
export async function readSubagents(
  transcript: string,
  earlier: Readonly<Record<string, KnownSubagent>> = {},
): Promise<Record<string, KnownSubagent>> {
  const folder = join(dirname(transcript), basename(transcript, '.jsonl'), 'subagents');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^agent-[\w-]{1,100}\.jsonl$/.test(name)).sort();
  const known: [string, KnownSubagent][] = [];
  for (const name of files.slice(-limits.subagents_max)) {
    const path = join(folder, name);
    const file = await lstat(path).catch(() => undefined);
    if (file === undefined || !file.isFile()) continue;
    const before = Object.hasOwn(earlier, name) ? earlier[name] : undefined;
    const isSame = before?.bytes === file.size && before.modified_ms === file.mtimeMs;
    const work = isSame ? before.work : await readWork(path, file.size).catch(() => undefined);
    if (work !== undefined) known.push([name, { bytes: file.size, modified_ms: file.mtimeMs, work }]);
  }
  return Object.fromEntries(known);
}

async function readWork(path: string, bytes: number): Promise<SubagentWork | undefined> {
  const sweep = new SecretSweep();
  const rows: ClaudeCodeRow[] = [];
  let report: ClaudeCodeRow | undefined;
  if (bytes === 0) return undefined;
  for await (const { text } of readLines(createReadStream(path, { end: bytes - 1 }))) {
    const value = asObject(parseLine(text ?? ''));
    if (value === undefined || !isClaudeCodeRow(value)) continue;
    const reading = readRow({ ...value, isSidechain: false }, undefined);
    if (!('row' in reading)) continue;
    if (reading.row.role === 'assistant' && reading.row.text !== '') report = reading.row;
    reading.row.text = reading.row === report ? reading.row.text.slice(0, 8_000) : '';
    const row = maskRow(reading.row);
    if (reading.row === report) report = row;
    rows.push(row);
    sweepRow(row, sweep);
  }
  await sweep.run();
  const meta = await readMeta(path.replace(/\.jsonl$/, '.meta.json'));
  const at = rows.find((row) => row.at !== undefined)?.at;
  return {
    agent: basename(path, '.jsonl').slice('agent-'.length),
    ...meta,
    ...(at !== undefined && { at }),
    calls: compactCalls(rows),
    ...(report !== undefined && {
      report: { text: cutReport(report.text), ...(report.masked && { masked: report.masked }) },
    }),
  };
}

async function readMeta(path: string): Promise<Pick<SubagentWork, 'kind' | 'tool_use_id'>> {
  // Older versions wrote no such file.
  const meta = asObject(parseLine(await readFile(path, 'utf8').catch(() => '')));
  const kind = asText(meta?.agentType);
  const tool_use_id = asText(meta?.toolUseId);
  return { ...(kind !== undefined && { kind }), ...(tool_use_id !== undefined && { tool_use_id }) };
}

/** Each file and command once, so that a helper that read a hundred files does not drown the conversation. */
function compactCalls(rows: readonly ClaudeCodeRow[]): SubagentWork['calls'] {
  const byId = new Map<string, SubagentWork['calls'][number]>();
  const byWork = new Map<string, SubagentWork['calls'][number]>();
  for (const row of rows) {
    for (const { id, call, masked } of row.calls) {
      if (call.path === undefined && call.command === undefined) continue;
      const entry: SubagentWork['calls'][number] = { call: { ...call }, ...(masked && { masked }) };
      byId.set(id, entry);
      byWork.set(JSON.stringify([call.effect, call.path, call.command]), entry);
    }
    for (const { id, outcome, masked } of row.results) {
      const entry = byId.get(id);
      if (entry === undefined) continue;
      entry.call.outcome = outcome;
      entry.outcome_masked = masked;
    }
  }
  const calls = [...byWork.values()];
  const weigh = ({ call: { effect, command } }: (typeof calls)[number]) =>
    effect === 'write' || effect === 'delete' ? 0 : command === undefined ? 2 : 1;
  const kept = new Set(calls.toSorted((a, b) => weigh(a) - weigh(b)).slice(0, limits.subagent_calls_max));
  return calls.filter((call) => kept.has(call));
}
