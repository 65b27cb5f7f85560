/**
 * Checks that our score agrees with the reference scorer of the labelled conversations: `node scripts/check-score.ts DIR`,
 * where DIR holds `score.py`. The reference needs `python3`; without it the check fails and reports that.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractByRules } from '../packages/batonpass/src/extraction/extract-by-rules.ts';
import { addToScore, createScore, type Prediction, rates, type Score, type Tally } from './extraction-score.ts';
import { readLabelled, toConversation, toPrediction } from './labelled-conversations.ts';

/** Predictions as they are, and changed in ways in which two scorers could differ. */
const variants: Record<string, (prediction: Prediction) => Prediction> = {
  'as extracted': (prediction) => prediction,
  'without the messages that they name': ({ decisions, risks, ...rest }) => ({
    ...rest,
    decisions: decisions.map(({ message: _message, ...decision }) => decision),
    risks: risks.map(({ message: _message, ...risk }) => risk),
  }),
  'with words and files left out, and the rest backwards': ({ decisions, filesReferenced, risks }) => ({
    decisions: decisions.map((each) => ({ ...each, content: each.content.slice(each.content.length / 3) })).reverse(),
    filesReferenced: filesReferenced.filter((_file, index) => index % 2 === 0),
    risks: risks.map((each) => ({ ...each, description: each.description.slice(0, 60) })).reverse(),
  }),
};

const [directory = ''] = process.argv.slice(2);
if (spawnSync('python3', ['--version']).status !== 0) {
  process.stderr.write('There is no python3 here, so the reference scorer cannot run: nothing was compared.\n');
  process.exitCode = 1;
} else {
  for (const [name, change] of Object.entries(variants)) await compare(name, change);
}

async function compare(name: string, change: (prediction: Prediction) => Prediction): Promise<void> {
  const labelled = await readLabelled(directory);
  const folder = mkdtempSync(join(tmpdir(), 'baton-score-'));
  try {
    const score = createScore();
    for (const gold of labelled) {
      const prediction = change(toPrediction(extractByRules(toConversation(gold))));
      writeFileSync(join(folder, `${gold.id}.json`), JSON.stringify(prediction));
      addToScore(score, prediction, gold);
    }
    const { stdout, stderr, status } = spawnSync('python3', [join(directory, 'score.py'), folder], {
      encoding: 'utf8',
    });
    const agrees = labelled.length > 0 && status === 0 && normalize(stdout) === normalize(describe(score));
    process.stdout.write(`${agrees ? 'agree' : 'DIFFER'}: ${labelled.length} conversations, ${name}\n`);
    if (agrees) return;
    process.stderr.write(`The reference says:\n${stdout}${stderr}\nOurs says:\n${describe(score)}\n`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A score in the words of the reference. */
function describe(score: Score): string {
  const line = (name: string, tally: Tally) => {
    const { precision, recall, f1 } = rates(tally);
    const counts = `(hit ${tally.hit} pred ${tally.predicted} gold ${tally.gold})`;
    return `${name} P ${precision.toFixed(3)} R ${recall.toFixed(3)} F1 ${f1.toFixed(3)} ${counts}`;
  };
  const share = ({ hit, gold }: Tally) => (hit / Math.max(1, gold)).toFixed(3);
  return [
    line('decisions', score.decisions),
    line('files', score.files),
    line('risks', score.risks),
    `decisions_explicit_recall ${share(score.explicit)}`,
    `files_high_recall ${share(score.high_files)}`,
    `relevance accuracy on matched files ${share(score.relevance)}; severity accuracy on matched risks ${share(score.severity)}; predicted superseded decisions ${score.superseded}`,
  ].join('\n');
}

/** White space apart, and the last digit of a figure, which the two round differently. */
function normalize(text: string): string {
  return text
    .replace(/\d\.\d{3}/g, (figure) => Number(figure).toFixed(2))
    .replace(/\s+/g, ' ')
    .trim();
}
