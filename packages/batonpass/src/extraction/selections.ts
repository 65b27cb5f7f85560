import { contentWords } from './content-words.ts';
import { denies } from './language-cues.ts';
import { isQuestion } from './plain-text.ts';
import { asksForExplanation } from './request-cues.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

const label = '(?:#?\\d{1,2}|[a-h])';
const labels = `${label}(?:\\s*(?:,\\s*and|,\\s*und|,|and|und|&|\\+)\\s*${label})*`;

/** What people put before the label that they choose. */
const choosing =
  "(?:(?:ok(?:ay)?|yes|yep|yup|yeah|ja|sure|please|then|so|just|i(?:'d| would)?|let'?s|go with|do|apply|fix|implement|take|pick|choose|use|say|nimm|mach|lieber|only|for|with)[,.:]?\\s+)*";

const alone = new RegExp(`^${choosing}(?<list>${labels})(?:\\s+(?:please|only|then|first|now|bitte))?[.!)]?$`);
const approved = new RegExp(
  `^${choosing}(?:option |number |#)?(?<list>${label})\\s+(?:does |would |also )*(?:seems?|sounds?|looks?|feels?|is|works?|be)\\b(?:.{0,40}\\b(?:good|great|fine|best|right|better|decent|reasonable|sensible|ok(?:ay)?|cleanest|simplest)\\b)`,
);
const rejected = new RegExp(
  `^(?:and |but |please |also )*(?:ignore|skip|drop|leave out|leave|forget(?: about)?|not|no|without|except|omit|postpone|defer|decline|reject)\\s+(?:items?|points?|numbers?|steps?|options?)?\\s*(?<list>${labels})(?=[\\s.,;!]|$)`,
);
const named =
  /\b(?:options?|choices?|approach|variant|variante|möglichkeit|punkt|nummer|number|item|point|step)s?\s+#?(\d{1,2}|[a-h])\b/g;
/** The speaker compares the options or reports on them, and chooses none. */
const weighs = /\b(?:each of|between|looks? like|seems?|appears?)\b/;
const ordinals: Readonly<Record<string, string>> = {
  first: '1',
  second: '2',
  third: '3',
  former: '1',
  latter: '2',
  erste: '1',
  zweite: '2',
  dritte: '3',
};

/** A choice or an acceptance is at the beginning of a turn. */
export const openingSentences = 8;

/** The labels that a short sentence chooses: "option 2", "#1 and #3", "B", "the first"; none where it chooses none. */
export function readLabels(plain: string): string[] {
  if (plain.length > 160) return [];
  // "2, but without the cache" chooses 2 with a change.
  const text = plain.toLowerCase().replace(/[,;] (?:but|except|aber|mais|pero) .*$/, '');
  if (isQuestion(text) || asksForExplanation.test(text) || /^you\b/.test(text) || rejected.test(text)) return [];
  const liked = approved.exec(text)?.groups?.list;
  if (liked !== undefined && !/\bnot\b|n['’]t\b/.test(text)) return [liked];
  if (contentWords(text).size > 10 || weighs.test(text) || denies(text)) return [];
  const hashed = [...text.matchAll(/#(\d{1,2})\b/g)].map((match) => match[1] ?? '');
  if (hashed.length > 0) return hashed;
  const byName = [...text.matchAll(named)].map((match) => match[1] ?? '');
  if (byName.length > 0) return byName;
  const list = alone.exec(text)?.groups?.list;
  if (list !== undefined) return splitLabels(list);
  const ordinal =
    /^(?:(?:yes|ok(?:ay)?|ja|go with|let'?s (?:do|go with|take))[, ]+)?(?:the |die |das |den )?(?<word>first|second|third|former|latter|erste|zweite|dritte)n?(?: one| option| variante| möglichkeit)?\b(?! (?:of|thing|step|time|we|i|version))/.exec(
      text,
    )?.groups?.word ?? '';
  const place = ordinals[ordinal];
  return place === undefined ? [] : [place];
}

/** The number of the next entry in the same line. */
const goesOn = /^\s*\d{1,2}\.\s/;

/** The labels that a sentence of a reply chooses; "B. But keep A for tests" chooses B, and is no list of one entry. */
export function chosenLabels(sentence: Sentence, turn: Turn): string[] {
  const { number, opens, plain, message, at, text } = sentence;
  const behind = turn.messages.find(({ index }) => index === message)?.text.slice(at + text.length);
  const isAlone = turn.sentences.every((other) => other.number === number) && !goesOn.test(behind ?? '');
  return number !== undefined && opens && isAlone ? [number.toLowerCase()] : readLabels(plain);
}

/** The labels that a short sentence leaves out: "ignore 3", "skip 6, ops does that". */
export function readRejected(plain: string): string[] {
  const list = plain.length > 160 ? undefined : rejected.exec(plain.toLowerCase())?.groups?.list;
  return list === undefined ? [] : splitLabels(list);
}

function splitLabels(list: string): string[] {
  return list
    .split(/[^a-z\d]+(?:and|und)?[^a-z\d]*/)
    .filter((entry) => entry !== '' && entry !== 'and' && entry !== 'und');
}

/**
 * The options that the last request chooses by number or name, in plain text; empty where it chooses none.
 *
 * @param end - the last turns of a dialogue.
 */
export function describeChosen(end: readonly Turn[]): string {
  const at = end.findLastIndex(({ role }) => role === 'user');
  const before = end[at - 1];
  if (before === undefined) return '';
  const turn = end[at];
  const labels = turn?.sentences.slice(0, openingSentences).flatMap((said) => chosenLabels(said, turn)) ?? [];
  const chosen = labels.flatMap((label) => findLabelled(before, label)?.plain ?? []);
  return [...new Set(chosen)].join('; ');
}

/** The option of this name, else the entry of this number or letter, else the alternative at this position. */
export function findLabelled(before: Turn, label: string): Sentence | undefined {
  return (
    findNamed(before, label) ??
    before.sentences.findLast((entry) => entry.opens && entry.number === label) ??
    before.sentences.find((entry) => entry.opens && entry.plain.toLowerCase().startsWith(`(${label})`)) ??
    findAlternative(before, label)
  );
}

/** The heading or entry that opens with "Option B". */
export function findNamed(before: Turn, label: string): Sentence | undefined {
  const pattern = new RegExp(
    `^\\W*(?:option|approach|choice|variante?|möglichkeit)\\s+${label}\\b(?!\\s+(?:is|are|was|would|needs|has|seems|looks|keeps|gives|ist|wäre))`,
    'i',
  );
  return before.sentences.find((entry) => entry.opens && pattern.test(entry.text) && !isQuestion(entry.text));
}

/** Two ways that the end of an answer weighs in prose: "the first" means the sentence that names it. */
function findAlternative(before: Turn, label: string): Sentence | undefined {
  const place = Number(label);
  if (!(place >= 1 && place <= 3) || before.sentences.some((entry) => entry.number !== undefined)) return undefined;
  const ways = before.sentences
    .slice(-5)
    .filter(({ kind, plain }) => kind !== 'heading' && /\b(?:would|could)\b/i.test(plain) && !isQuestion(plain));
  return ways.length >= 2 ? ways[place - 1] : undefined;
}
