import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';

/** Reads one transcript in a process of its own, and tells how long it took and the most memory that it had. */
const [path = ''] = process.argv.slice(2);
const started = performance.now();
const { messages, unread } = await readTranscript({ path });
console.log(
  JSON.stringify({
    messages: messages.length,
    unread: unread.lines,
    ms: Math.round(performance.now() - started),
    // On Linux and macOS alike Node gives kibibytes here.
    peak_mb: Math.round(process.resourceUsage().maxRSS / 1_024),
  }),
);
