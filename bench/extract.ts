import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { build } from 'rolldown';
import { extractByRules } from '../packages/batonpass/src/extraction/extract-by-rules.ts';
import { inFreshFolder } from './contest.ts';
import type { ExtractionCost } from './extract-process.ts';
import { type Benchmark, type Metric, summarize } from './frame.ts';
import { createShortConversation } from './sample-conversation.ts';
import { createTranscriptLines } from './sample-transcript.ts';
import { extractTargets } from './targets.ts';

const short_messages = 50;
const rounds = 31;
const warm_up = 5;
const small_bytes = 1_000_000;
const large_bytes = 100_000_000;

/** What the extraction by rules costs, for a short conversation and for the longest sessions that there are. */
export const extract: Benchmark = {
  name: 'extract',
  what: 'extraction by rules: 50 messages, and a transcript of 100 MB in a process of its own',
  run: async () => [measureShort(), ...(await measureLong({ small_bytes, large_bytes }))],
};

/** @returns the middle of some runs over 50 messages that are in memory already. */
export function measureShort(): Metric {
  const conversation = createShortConversation(short_messages);
  const sample: number[] = [];
  for (let round = -warm_up; round < rounds; round += 1) {
    const start_ms = performance.now();
    extractByRules(conversation);
    if (round >= 0) sample.push(performance.now() - start_ms);
  }
  const { median, minimum, maximum } = summarize(sample);
  const characters = conversation.messages.reduce((sum, { text }) => sum + text.length, 0);
  const note = `n = ${rounds}, ${characters} characters; ${minimum.toFixed(1)}–${maximum.toFixed(1)} ms`;
  return { ...extractTargets.short, value: median, note };
}

/** Files of these sizes, each read and extracted by a separate process. */
export async function measureLong(sizes: { small_bytes: number; large_bytes: number }): Promise<Metric[]> {
  return inFreshFolder(async (folder) => {
    const program = join(folder, 'extract-process.mjs');
    await bundle(program);
    const small = await measure(program, join(folder, 'small.jsonl'), sizes.small_bytes);
    const large = await measure(program, join(folder, 'large.jsonl'), sizes.large_bytes);
    const total_ms = large.read_ms + large.extract_ms;
    const parts = `reading ${large.read_ms.toFixed(0)} ms, extraction ${large.extract_ms.toFixed(0)} ms; ${large.messages} messages`;
    const growth = large.extract_ms / small.extract_ms / (sizes.large_bytes / sizes.small_bytes);
    const compared = `${small.extract_ms.toFixed(0)} ms against ${large.extract_ms.toFixed(0)} ms`;
    return [
      { ...extractTargets.long, value: total_ms / 1_000, note: parts },
      { ...extractTargets.growth, value: growth, note: compared },
      {
        ...extractTargets.memory,
        value: large.memory_mib,
        note: `${large.baseline_mib.toFixed(0)} MiB before the first byte is read; ${small.memory_mib.toFixed(0)} MiB for the small one`,
      },
    ];
  });
}

/** As a package ships it: stripping the types of hundreds of modules takes 45 MiB that no user's process has. */
async function bundle(program: string): Promise<void> {
  const input = join(import.meta.dirname, 'extract-process.ts');
  await build({ input, platform: 'node', logLevel: 'silent', output: { file: program, codeSplitting: false } });
}

async function measure(program: string, path: string, bytes: number): Promise<ExtractionCost> {
  await pipeline(Readable.from(createTranscriptLines(bytes)), createWriteStream(path));
  const cost: ExtractionCost = JSON.parse(execFileSync(process.execPath, [program, path], { encoding: 'utf8' }));
  if (cost.decisions === 0) throw new Error(`Nothing was extracted from ${path}.`);
  return cost;
}
