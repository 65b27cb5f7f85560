import type { PartlyEvidenced } from '../packages/batonpass/src/extraction/partly-evidenced.ts';
import type { LabelledConversation, Matches, Prediction } from './extraction-score.ts';

/** What was predicted for a conversation, and what of it was met. */
interface Shown {
  prediction: Prediction;
  matches: Matches;
  extraction: PartlyEvidenced;
}

/** Writes each item of an extraction with whether it was met, and each label that was missed. */
export function showMatches({ id, labels }: LabelledConversation, { prediction, matches, extraction }: Shown): void {
  console.log(`\n=== ${id}\n${extraction.summary}`);
  show('D', matches.decisions, {
    said: extraction.decisions.map(
      ({ confidence, evidence, content, supersedes = [] }) =>
        `(${confidence}, ${evidence?.message ?? 'no evidence'}) ${content}${supersedes.length > 0 ? ` [supersedes: ${supersedes.join(' | ')}]` : ''}`,
    ),
    wanted: labels.decisions.map(
      ({ explicit, evidence, content }) =>
        `${explicit ? 'explicit' : 'implied'} ${evidence.message}: ${content} << ${evidence.quote}`,
    ),
  });
  show('F', matches.files, {
    said: prediction.filesReferenced.map(({ path, relevance }) => `${path} (${relevance})`),
    wanted: labels.files.map(({ path, relevance }) => `${path} (${relevance})`),
  });
  show('R', matches.risks, {
    said: prediction.risks.map(({ message, severity, description }) => `(${message}, ${severity}) ${description}`),
    wanted: labels.risks.map(
      ({ evidence, severity, description }) => `${evidence.message} ${severity}: ${description} << ${evidence.quote}`,
    ),
  });
  for (const { what, outcome } of extraction.tried) console.log(`  T ${what} → ${outcome}`);
  for (const { content } of extraction.next_steps) console.log(`  N ${content}`);
  for (const { content } of extraction.open_questions) console.log(`  Q ${content}`);
}

function show(
  mark: string,
  pairs: readonly [prediction: number, gold: number][],
  { said, wanted }: { said: readonly string[]; wanted: readonly string[] },
): void {
  const hits = new Set(pairs.map(([prediction]) => prediction));
  const met = new Set(pairs.map(([, gold]) => gold));
  for (const [index, text] of said.entries()) console.log(`  ${mark} ${hits.has(index) ? '+' : '-'} ${text}`);
  for (const [index, text] of wanted.entries()) if (!met.has(index)) console.log(`  ${mark} MISSED ${text}`);
}
