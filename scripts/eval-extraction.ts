/**
 * Scores the extraction by rules on a folder of labelled conversations:
 * `npm run eval:extraction -- DIR [--json] [--verbose] [--write FOLDER]`. Exits with 1 below the floor.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { extractByRules } from '../packages/batonpass/src/brainstorm/extract-by-rules.ts';
import type { Extraction } from '../packages/batonpass/src/brainstorm/extraction.ts';
import { readTranscript } from '../packages/batonpass/src/transcripts/read-transcript.ts';
import {
  addToScore,
  createScore,
  type LabelledConversation,
  type Matches,
  type Prediction,
  rates,
  type Score,
} from './extraction-score.ts';

interface Metric {
  name: string;
  value: number;
  floor: number | undefined;
  aim: number;
  better: 'higher' | 'lower';
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, verbose: { type: 'boolean' }, write: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Name the folder of labelled conversations: npm run eval:extraction -- DIR [--json] [--verbose]');
  process.exitCode = 2;
} else {
  await evaluate(folder);
}

async function evaluate(directory: string): Promise<void> {
  const names = await listConversations(directory);
  if (names.length === 0) {
    console.error(`There are no labelled conversations (*.json) in ${directory}.`);
    process.exitCode = 2;
    return;
  }
  const score = createScore();
  for (const name of names) {
    const gold: LabelledConversation = JSON.parse(await readFile(join(directory, name), 'utf8'));
    const extraction = await extract(gold);
    const prediction = toPrediction(extraction);
    if (values.write !== undefined) await writePrediction(values.write, gold.id, prediction);
    const matches = addToScore(score, prediction, gold);
    if (values.verbose) showMatches(gold, prediction, matches, extraction);
  }
  report(toMetrics(score));
}

/** A folder that cannot be read holds none. */
async function listConversations(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((file) => file.endsWith('.json')).sort();
}

/** Labelled messages have gaps where tool calls were; their indices must stay, so that evidence points at them. */
async function extract(gold: LabelledConversation): Promise<Extraction> {
  const text = JSON.stringify({
    messages: gold.messages.map(({ role, content }) => ({ role, content: content || '-' })),
  });
  return extractByRules(await readTranscript({ text, name: gold.id }));
}

function toPrediction(extraction: Extraction): Prediction {
  return {
    decisions: extraction.decisions.map(({ content, evidence }) => ({ content, message: evidence.message })),
    filesReferenced: extraction.files.map(({ path, relevance }) => ({ path, relevance })),
    risks: extraction.risks.map(({ description, severity, evidence }) => ({
      description,
      severity,
      message: evidence.message,
    })),
  };
}

async function writePrediction(into: string, id: string, prediction: Prediction): Promise<void> {
  await mkdir(into, { recursive: true });
  await writeFile(join(into, `${id}.json`), JSON.stringify(prediction));
}

function showMatches(
  gold: LabelledConversation,
  prediction: Prediction,
  matches: Matches,
  extraction: Extraction,
): void {
  console.log(`\n=== ${gold.id}\n${extraction.summary}`);
  const { labels } = gold;
  const show = (what: string, pairs: [number, number][], said: readonly string[], wanted: readonly string[]) => {
    const hits = new Map(pairs);
    const met = new Set(hits.values());
    for (const [i, text] of said.entries()) console.log(`  ${what} ${hits.has(i) ? '+' : '-'} ${text}`);
    for (const [j, text] of wanted.entries()) if (!met.has(j)) console.log(`  ${what} MISSED ${text}`);
  };
  const dec = extraction.decisions.map(
    (entry) =>
      `(${entry.confidence}, ${entry.evidence.message}) ${entry.content}${entry.supersedes ? ` [supersedes: ${entry.supersedes.join(' | ')}]` : ''}`,
  );
  show(
    'D',
    matches.decisions,
    dec,
    labels.decisions.map(
      (entry) =>
        `${entry.explicit ? 'explicit' : 'implied'} ${entry.evidence.message}: ${entry.content} << ${entry.evidence.quote}`,
    ),
  );
  show(
    'F',
    matches.files,
    prediction.filesReferenced.map((file) => `${file.path} (${file.relevance})`),
    labels.files.map((file) => `${file.path} (${file.relevance})`),
  );
  show(
    'R',
    matches.risks,
    prediction.risks.map((risk) => `(${risk.message}, ${risk.severity}) ${risk.description}`),
    labels.risks.map(
      (risk) => `${risk.evidence.message} ${risk.severity}: ${risk.description} << ${risk.evidence.quote}`,
    ),
  );
  for (const step of extraction.next_steps) console.log(`  N ${step.content}`);
  for (const question of extraction.open_questions) console.log(`  Q ${question.content}`);
}

function toMetrics(score: Score): Metric[] {
  const metric = (name: string, value: number, aim: number, floor?: number): Metric => ({
    name,
    value,
    floor,
    aim,
    better: 'higher',
  });
  const decisions = rates(score.decisions);
  return [
    metric('decisions F1', decisions.f1, 0.7, 0.455),
    metric('decisions precision', decisions.precision, 0.7),
    metric('decisions recall', decisions.recall, 0.7),
    metric('explicit decisions recall', score.explicit.hit / Math.max(1, score.explicit.gold), 0.75),
    metric('files F1', rates(score.files).f1, 0.92, 0.815),
    metric('files relevance accuracy', rates(score.relevance).precision, 0.7),
    metric('files of high relevance recall', score.high_files.hit / Math.max(1, score.high_files.gold), 0.92),
    metric('risks F1', rates(score.risks).f1, 0.45, 0.194),
    metric('risks precision', rates(score.risks).precision, 0.45),
    metric('risks recall', rates(score.risks).recall, 0.45),
    metric('risks severity accuracy', rates(score.severity).precision, 0.6),
    { name: 'superseded predicted', value: score.superseded, floor: undefined, aim: 2, better: 'lower' },
  ];
}

function report(metrics: readonly Metric[]): void {
  const below = metrics.filter(({ value, floor }) => floor !== undefined && value <= floor);
  if (values.json) {
    const machine = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
    console.log(JSON.stringify({ metrics: metrics.map((metric) => ({ ...metric, unit: 'ratio' })), machine }));
  } else {
    console.log(`\n${'metric'.padEnd(32)}${'value'.padStart(8)}${'floor'.padStart(8)}${'goal'.padStart(8)}`);
    for (const { name, value, floor, aim } of metrics) {
      const shown = Number.isInteger(aim) ? String(value) : value.toFixed(3);
      console.log(
        `${name.padEnd(32)}${shown.padStart(8)}${(floor?.toFixed(3) ?? '').padStart(8)}${String(aim).padStart(8)}`,
      );
    }
  }
  if (below.length > 0) {
    console.error(`Below the floor: ${below.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 1;
  }
}
