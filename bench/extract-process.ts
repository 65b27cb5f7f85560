import { extractByRules } from '../packages/batonpass/src/extraction/extract-by-rules.ts';
import { readTranscript } from '../packages/batonpass/src/transcripts/read-transcript.ts';

/** Reads and extracts one transcript in a separate process, so that its memory is its own. */

/** What it took. */
export interface ExtractionCost {
  read_ms: number;
  extract_ms: number;
  /** The most memory that the process had at once, all of Node included. */
  memory_mib: number;
  /** What it had before the first byte was read: Node and the modules. */
  baseline_mib: number;
  messages: number;
  decisions: number;
}

const [path = ''] = process.argv.slice(2);
const baseline_mib = process.memoryUsage.rss() / 2 ** 20;
const begun_ms = performance.now();
const conversation = await readTranscript({ path });
const read_ms = performance.now() - begun_ms;
const { decisions } = extractByRules(conversation);
const extract_ms = performance.now() - begun_ms - read_ms;
const cost: ExtractionCost = {
  read_ms,
  extract_ms,
  memory_mib: process.resourceUsage().maxRSS / 1_024,
  baseline_mib,
  messages: conversation.messages.length,
  decisions: decisions.length,
};
process.stdout.write(JSON.stringify(cost));
