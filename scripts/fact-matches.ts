import { countCharacters, windowsOf, wordClass, wordsOf } from './reference-text.ts';

/** What the next agent must know of a session, and what it must not believe any more. */
export interface SessionFacts {
  id: string;
  host: string;
  facts: LabelledFact[];
  stale?: Statement[];
}

/** A statement that a text can be searched for. */
export interface Statement {
  content: string;
  /** Strings that any faithful wording holds. */
  key: string[];
  quote?: string;
  evidence?: { quote?: string };
}

interface LabelledFact extends Statement {
  kind: string;
  weight: number;
}

/** What one text gives of one session: the weight found of the weight there is, and items that no longer hold. */
export interface Recovered {
  weight: number;
  weight_max: number;
  stale: number;
  stale_max: number;
  characters: number;
  kinds: Record<string, [found: number, of: number]>;
}

/** Searches a text for what its session's next agent needs. */
export function recover(text: string, { facts, stale = [] }: SessionFacts): Recovered {
  const windows = windowsOf(text).map((each) => ({ text: each, words: wordsOf(each) }));
  const found: Recovered = {
    weight: 0,
    weight_max: 0,
    stale: stale.filter((statement) => holds(windows.filter(isAffirmed), statement)).length,
    stale_max: stale.length,
    characters: countCharacters(text),
    kinds: {},
  };
  for (const fact of facts) {
    const isFound = holds(windows, fact);
    found.kinds[fact.kind] ??= [0, 0];
    const kind = found.kinds[fact.kind] as [number, number];
    kind[0] += isFound ? 1 : 0;
    kind[1] += 1;
    found.weight += isFound ? fact.weight : 0;
    found.weight_max += fact.weight;
  }
  return found;
}

/** Whether an item of a handoff expresses one of the labelled facts. */
export function isLabelled(item: string, { facts }: SessionFacts): boolean {
  const text = item.toLowerCase();
  const words = wordsOf(item);
  return facts.some((fact) => {
    if (holdsKeys(text, fact)) return true;
    const known = wordsOf(`${fact.content} ${fact.evidence?.quote ?? ''}`);
    return words.size >= 3 && sharedWords(words, known) / words.size >= 0.5;
  });
}

interface Window {
  text: string;
  words: ReadonlySet<string>;
}

function holds(windows: readonly Window[], statement: Statement): boolean {
  const sentences = [statement.content, statement.quote || (statement.evidence?.quote ?? '')]
    .map(wordsOf)
    .filter(({ size }) => size >= 4);
  return windows.some(
    ({ text, words }) =>
      holdsKeys(text, statement) || sentences.some((each) => sharedWords(each, words) / each.size >= 0.65),
  );
}

function holdsKeys(text: string, { key }: Statement): boolean {
  const needed = Math.min(key.length, Math.max(2, Math.ceil((key.length * 6) / 10)));
  return key.filter((each) => holdsKey(text, each.toLowerCase())).length >= needed;
}

/** A short key is matched only as a whole word. */
function holdsKey(text: string, key: string): boolean {
  if (countCharacters(key) > 3) return text.includes(key);
  const literal = key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![${wordClass}])${literal}(?![${wordClass}])`, 'u').test(text);
}

function sharedWords(sentence: ReadonlySet<string>, words: ReadonlySet<string>): number {
  let count = 0;
  for (const each of sentence) if (words.has(each)) count += 1;
  return count;
}

const reversed = new RegExp(
  `instead|rather than|(?<![${wordClass}])not(?![${wordClass}])|no longer|n't|reject|supersed|dropped|reverted|abandon|withdrawn|` +
    'without|failed|不再|改为|而不是|取消|放弃|ya no|en lugar|nicht mehr|statt',
  'u',
);

function isAffirmed({ text }: Window): boolean {
  return !reversed.test(text);
}
