import { readFileSync } from 'node:fs';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';

/** Reads one transcript in a separate process, and reports its duration and its peak memory. */
const [path = ''] = process.argv.slice(2);
const started = performance.now();
const { messages, unread } = await readTranscript({ path });
console.log(
  JSON.stringify({
    messages: messages.length,
    unread: unread.lines,
    ms: Math.round(performance.now() - started),
    peak_mb: Math.round(readPeak_kib() / 1_024),
  }),
);

/** The most that this program had. Linux counts in `maxRSS` what the process that started it had, too. */
function readPeak_kib(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
