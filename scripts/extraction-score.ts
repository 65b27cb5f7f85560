/**
 * Scores an extraction against a labelled conversation: greedy one-to-one matching on words and named evidence,
 * micro-averaged over conversations. It reproduces the reference scorer of the labelled conversations to the digit.
 */

export interface GoldEvidence {
  message: number;
  quote: string;
  support?: { message: number; quote: string }[];
}

export interface LabelledConversation {
  id: string;
  messages: { role: string; content: string }[];
  labels: {
    decisions: { content: string; explicit: boolean; evidence: GoldEvidence }[];
    files: { path: string; relevance: string; aliases?: string[] }[];
    risks: { description: string; severity: string; evidence: GoldEvidence }[];
    superseded: { content: string; evidence: GoldEvidence }[];
  };
}

/** What is scored: texts, and the message that each names as its evidence. */
export interface Prediction {
  decisions: { content: string; message?: number }[];
  filesReferenced: { path: string; relevance?: string }[];
  risks: { description: string; severity?: string; message?: number }[];
}

/** Hits, predictions and gold entries of one kind. */
export interface Tally {
  hit: number;
  predicted: number;
  gold: number;
}

export interface Score {
  decisions: Tally;
  files: Tally;
  risks: Tally;
  explicit: Tally;
  high_files: Tally;
  relevance: Tally;
  severity: Tally;
  superseded: number;
}

/** Which prediction met which gold entry, by index; for showing what was missed. */
export interface Matches {
  decisions: [prediction: number, gold: number][];
  files: [prediction: number, gold: number][];
  risks: [prediction: number, gold: number][];
}

interface Statement {
  text: string;
  message?: number;
}

interface GoldStatement {
  text: string;
  evidence: GoldEvidence;
}

const stopWords = new Set(
  (
    'a an the of to in on at for and or but is are be been was were it its this that these those with as by from we i ' +
    'you our your their they so if then than into not no do does did will would should can could have has had just also ' +
    'only there here what which who when how why all any some more most very about over per up out off'
  ).split(' '),
);
const suffixes = ['ations', 'ation', 'ings', 'ing', 'edly', 'ed', 'ies', 'es', 's', 'ly'];

function stem(word: string): string {
  const suffix = suffixes.find((ending) => word.endsWith(ending) && word.length - ending.length >= 3);
  return suffix === undefined ? word : word.slice(0, -suffix.length);
}

function toTokens(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .replace(/[/.-]/g, ' ')
      .match(/[a-z0-9_]+/g) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word) && word.length > 1).map(stem));
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const token of a) if (b.has(token)) count += 1;
  return count;
}

function similarity(prediction: Statement, gold: GoldStatement): number {
  const tokens = toTokens(prediction.text);
  if (tokens.size === 0) return 0;
  const supports = [gold.evidence, ...(gold.evidence.support ?? [])];
  const quotes = supports.map((support) => toTokens(support.quote));
  const isSame = supports.some((support) => support.message === prediction.message);
  const f1 = [toTokens(gold.text), ...quotes].map(
    (other) => (2 * shared(tokens, other)) / Math.max(1, tokens.size + other.size),
  );
  const best = Math.max(...f1);
  const contained = quotes.filter((quote) => quote.size >= 4).map((quote) => shared(tokens, quote) / quote.size);
  const containment = tokens.size <= 45 ? Math.max(0, ...contained) : 0;
  if (isSame && (best >= 0.3 || containment >= 0.7)) return 1 + best;
  if (best >= 0.5 || (containment >= 0.85 && prediction.message === undefined)) return best;
  return 0;
}

function match(predictions: readonly Statement[], gold: readonly GoldStatement[]): [number, number][] {
  const pairs = predictions
    .flatMap((prediction, i) => gold.map((entry, j) => ({ score: similarity(prediction, entry), i, j })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.i - a.i || b.j - a.j);
  const usedPredictions = new Set<number>();
  const usedGold = new Set<number>();
  const matches: [number, number][] = [];
  for (const { i, j } of pairs) {
    if (usedPredictions.has(i) || usedGold.has(j)) continue;
    usedPredictions.add(i);
    usedGold.add(j);
    matches.push([i, j]);
  }
  return matches;
}

function normalizePath(path: string): string {
  let normal = path
    .trim()
    .replace(/^[`'"]+|[`'"]+$/g, '')
    .replaceAll('\\', '/')
    .replace(/^@+/, '')
    .replace(/^#file:/, '')
    .replace(/(?::\d+(?:-\d+)?|#L\d+.*)$/, '');
  while (normal.startsWith('.//') || normal.startsWith('../')) normal = normal.slice(normal.indexOf('/') + 1);
  return normal.replace(/^\/+/, '');
}

function isSameFile(path: string, gold: { path: string; aliases?: string[] }): boolean {
  const normal = normalizePath(path);
  return [gold.path, ...(gold.aliases ?? [])]
    .map(normalizePath)
    .some((other) => normal === other || other.endsWith(`/${normal}`) || normal.endsWith(`/${other}`));
}

function matchFiles(prediction: Prediction, gold: LabelledConversation): [number, number][] {
  const seen = new Set<number>();
  return prediction.filesReferenced.flatMap(({ path }, i): [number, number][] => {
    const j = gold.labels.files.findIndex((file, index) => !seen.has(index) && isSameFile(path, file));
    if (j === -1) return [];
    seen.add(j);
    return [[i, j]];
  });
}

/** A score in which nothing has been counted yet. */
export function createScore(): Score {
  const tally = (): Tally => ({ hit: 0, predicted: 0, gold: 0 });
  return {
    decisions: tally(),
    files: tally(),
    risks: tally(),
    explicit: tally(),
    high_files: tally(),
    relevance: tally(),
    severity: tally(),
    superseded: 0,
  };
}

/** Adds one conversation's hits to the score and returns the matched pairs. */
export function addToScore(score: Score, prediction: Prediction, gold: LabelledConversation): Matches {
  const { labels } = gold;
  const said = prediction.decisions.map(({ content, message }) => ({ text: content, message }));
  const feared = prediction.risks.map(({ description, message }) => ({ text: description, message }));
  const toGold = ({ content, evidence }: { content: string; evidence: GoldEvidence }) => ({ text: content, evidence });
  const decisions = match(said, labels.decisions.map(toGold));
  const risks = match(
    feared,
    labels.risks.map(({ description, evidence }) => ({ text: description, evidence })),
  );
  const files = matchFiles(prediction, gold);
  count(score.decisions, decisions.length, said.length, labels.decisions.length);
  count(score.files, files.length, prediction.filesReferenced.length, labels.files.length);
  count(score.risks, risks.length, feared.length, labels.risks.length);
  const explicit = decisions.filter(([, j]) => labels.decisions[j]?.explicit).length;
  count(score.explicit, explicit, said.length, labels.decisions.filter((entry) => entry.explicit).length);
  const high = files.filter(([, j]) => labels.files[j]?.relevance === 'high').length;
  count(score.high_files, high, files.length, labels.files.filter((file) => file.relevance === 'high').length);
  const relevant = files.filter(([i, j]) => prediction.filesReferenced[i]?.relevance === labels.files[j]?.relevance);
  count(score.relevance, relevant.length, files.length, files.length);
  const severe = risks.filter(([i, j]) => prediction.risks[i]?.severity === labels.risks[j]?.severity);
  count(score.severity, severe.length, risks.length, risks.length);
  const matched = new Set(decisions.map(([i]) => i));
  const dropped = labels.superseded.map(toGold);
  score.superseded += said.filter(
    (entry, i) => !matched.has(i) && dropped.some((old) => similarity(entry, old) > 0),
  ).length;
  return { decisions, files, risks };
}

function count(tally: Tally, hit: number, predicted: number, gold: number): void {
  tally.hit += hit;
  tally.predicted += predicted;
  tally.gold += gold;
}

/** Precision, recall and F1; a precision of nothing predicted is 1 where there was nothing to find. */
export function rates({ hit, predicted, gold }: Tally): { precision: number; recall: number; f1: number } {
  const precision = predicted > 0 ? hit / predicted : gold === 0 ? 1 : 0;
  const recall = gold > 0 ? hit / gold : 1;
  return { precision, recall, f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}
