/**
 * Scores an extraction on a folder of labelled conversations:
 * `npm run eval:extraction -- DIR [--extractor rules|model|both] [--json] [--verbose] [--write FOLDER]`.
 * A model is chosen as for `baton extract`. Exits with 1 below the floor, which is for the rules alone.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Conversation } from '../packages/batonpass/src/core/conversation.ts';
import { modelSettingsOf, modelSettingsSchema } from '../packages/batonpass/src/core/model-settings.ts';
import { extractByRules } from '../packages/batonpass/src/extraction/extract-by-rules.ts';
import { extractConversation } from '../packages/batonpass/src/extraction/extract-conversation.ts';
import { mergeExtractions } from '../packages/batonpass/src/extraction/merge-extractions.ts';
import type { PartlyEvidenced } from '../packages/batonpass/src/extraction/partly-evidenced.ts';
import { findBelow, type Metric, toMetrics } from './extraction-metrics.ts';
import { addToScore, createScore, type LabelledConversation, type Prediction } from './extraction-score.ts';
import { readLabelled, toConversation, toPrediction } from './labelled-conversations.ts';
import { showMatches } from './show-matches.ts';

const extractors = ['rules', 'model', 'both'] as const;
type Extractor = (typeof extractors)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    extractor: { type: 'string', default: 'rules' },
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
    write: { type: 'string' },
  },
});
const [folder] = positionals;
const extractor = extractors.find((name) => name === values.extractor);
if (folder === undefined || extractor === undefined) {
  const words = '[--extractor rules|model|both] [--json] [--verbose] [--write FOLDER]';
  console.error(`Name the folder of labelled conversations: npm run eval:extraction -- DIR ${words}`);
  process.exitCode = 2;
} else {
  await evaluate(folder, extractor);
}

async function evaluate(directory: string, by: Extractor): Promise<void> {
  const labelled = await readLabelled(directory);
  if (labelled.length === 0) {
    console.error(`There are no labelled conversations (*.json) in ${directory}.`);
    process.exitCode = 2;
    return;
  }
  const score = createScore();
  for (const gold of labelled) {
    const extraction = await extract(toConversation(gold), by);
    const prediction = toPrediction(extraction);
    if (values.write !== undefined) await writePrediction(values.write, gold.id, prediction);
    const matches = addToScore(score, prediction, gold);
    if (values.verbose) showMatches(gold, { prediction, matches, extraction });
  }
  report(toMetrics(score), by);
}

async function extract(conversation: Conversation, by: Extractor): Promise<PartlyEvidenced> {
  const rules = extractByRules(conversation);
  if (by === 'rules') return rules;
  const { extraction, report: how } = await extractConversation(conversation, {
    extractor: 'model',
    settings: modelSettingsSchema.parse(modelSettingsOf(process.env)),
    environment: process.env,
    signal: new AbortController().signal,
  });
  // A figure of the rules must not pass for one of a model.
  if (how.note !== undefined) throw new Error(`${conversation.session}: ${how.note}`);
  return by === 'model' ? extraction : mergeExtractions([rules, extraction]);
}

async function writePrediction(into: string, id: LabelledConversation['id'], prediction: Prediction): Promise<void> {
  await mkdir(into, { recursive: true });
  await writeFile(join(into, `${id}.json`), JSON.stringify(prediction));
}

function report(metrics: readonly Metric[], by: Extractor): void {
  if (values.json) {
    const machine = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
    console.log(JSON.stringify({ metrics: metrics.map((metric) => ({ ...metric, unit: 'ratio' })), machine }));
  } else {
    console.log(`\n${'metric'.padEnd(32)}${'value'.padStart(8)}${'floor'.padStart(8)}${'goal'.padStart(8)}`);
    for (const { name, value, floor, aim } of metrics) {
      const shown = Number.isInteger(aim) ? String(value) : value.toFixed(3);
      console.log(`${name.padEnd(32)}${shown.padStart(8)}${String(floor ?? '').padStart(8)}${String(aim).padStart(8)}`);
    }
  }
  const below = by === 'rules' ? findBelow(metrics) : [];
  if (below.length > 0) {
    console.error(`Below the floor: ${below.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 1;
  }
}
