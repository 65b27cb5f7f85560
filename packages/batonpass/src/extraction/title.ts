import type { Conversation } from '../core/conversation.ts';
import { readCommitReports } from '../core/git-reports.ts';
import { hasCommitted } from './commits.ts';
import { contentWords } from './content-words.ts';
import type { EarlierWord } from './earlier-words.ts';
import { bindsAnother, givesOrder, opensClause, withoutOpening } from './language-cues.ts';
import { isLogLine, withoutAttachmentMarks } from './log-lines.ts';
import { type MainRequest, topicWords } from './main-request.ts';
import { type OwnWords, ownWordsOf } from './own-words.ts';
import { toPlainText, withoutAddresses } from './plain-text.ts';
import { type Sentence, splitMessage } from './sentences.ts';

const wordsMax = 10;
const wordsMin = 3;
/** A title that is cut keeps whole clauses where these have so many words. */
const clauseWordsMin = 6;
/** A word of a script without spaces has about so many characters. */
const wideCharactersAWord = 2;
/** Sentences of one message that are weighed: what follows there is detail. */
const messageSentencesMax = 12;
const sentenceCharactersMax = 600;

const topic = /\p{L}[\p{L}\p{N}]{2,}/gu;
const topicsMax = 2;
/** A word reaches it when person, agent and files or commands each use it twice. */
const topicWeightMin = 2;
/** A file that was written counts as much as so many that were read. */
const writtenWeight = 3;
/** Words in the files and commands of any project. */
const common: ReadonlySet<string> = new Set(
  'app code commit core data dev docs feat file files fix html http https index json lib main module package page project push readme resources source sources spec src test tests text the tmp utils'.split(
    ' ',
  ),
);

/** How much a part of a request counts by its form; `unseen`: the words that a title has no room for. */
const weights = { asks: 1.4, made: 1.4, binds: 0.5, question: 0.7, item: 0.7, unseen: 0.3 } as const;
/** A sentence so many sentences later in its message counts half. */
const sentenceHalf = 3;
const requestCharactersRead = 2_000;
const commandCharactersRead = 400;
/** How much a word counts that the person did not say first in this request. */
const knownWeight = 0.3;

/** What was found of the conversation before. */
interface Found {
  main: MainRequest | undefined;
  pasted: OwnWords;
  /** The sentences of the conversation that matter most. */
  words: readonly EarlierWord[];
}

/**
 * The goal of a conversation in at most ten words: of its main request the part whose words the conversation speaks of
 * most, or the subject of a commit that the agent made where this holds more of them. Headings, paths, addresses, lines of
 * logs and greetings are no title. Empty where the person asked nothing in words.
 */
export function findTitle(conversation: Conversation, { main, pasted, words }: Found): string {
  const plan = findPlanTitle(conversation);
  if (plan !== '' || main === undefined) return plan;
  const counts = new Map<string, number>();
  for (const { content } of words)
    for (const term of topicWords(content)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (term: string) =>
    Math.log1p(main.introduced.get(term) ?? 0) + knownWeight * Math.log1p(0.2 + (counts.get(term) ?? 0));
  let best = { text: '', score: 0 };
  const sentences = splitMessage(main.message).filter(isOwn).slice(0, messageSentencesMax);
  for (const [place, { text, kind }] of sentences.entries()) {
    for (const part of partsOf(withoutAttachmentMarks(toPlainText(text)))) {
      const score = (scoreOf(part, weightOf) * (kind === 'item' ? weights.item : 1)) / (1 + place / sentenceHalf);
      if (score > best.score) best = { text: part.text, score };
    }
  }
  const made = bestOf(findSubjects(conversation), weightOf);
  if (made.score > best.score) return made.text;
  const quotes = best.text.match(/["“”]/g)?.length ?? 0;
  // A quotation mark whose partner is in another clause says nothing.
  const text = quotes % 2 === 1 ? best.text.replace(/["“”]/g, '') : best.text;
  const goal = text.charAt(0).toUpperCase() + text.slice(1);
  return goal === '' ? '' : withTopics(goal, findTopics(conversation, pasted));
}

/** The subjects of the commits that the agent made: it names its work in them. */
function findSubjects({ messages }: Conversation): string[] {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls).filter(hasCommitted);
  return calls.flatMap(({ outcome }) => readCommitReports(outcome?.text ?? '')).map(({ subject }) => subject);
}

/** "fix(import): " of a subject in the form of Conventional Commits. */
const commitType = /^\w+(?:\([^()]*\))?!?:\s+(?=\S)/;

/** The subject that holds most of what is spoken of, without its type. */
function bestOf(subjects: readonly string[], weightOf: (term: string) => number): { text: string; score: number } {
  let best = { text: '', score: 0 };
  for (const subject of subjects) {
    const clause = toPlainText(subject.replace(commitType, ''));
    const text = cutToWords(clause);
    const score = scoreOf({ text, clause, weight: weights.made }, weightOf);
    if (score > best.score) best = { text: text.charAt(0).toUpperCase() + text.slice(1), score };
  }
  return best;
}

/** The title with up to two topics that it does not name, together at most ten words. */
function withTopics(goal: string, topics: readonly string[]): string {
  const named = contentWords(goal);
  const others: string[] = [];
  for (const topic of topics) {
    const [stem = topic] = contentWords(topic);
    if (others.length < topicsMax && !named.has(stem) && !goal.toLowerCase().includes(topic)) others.push(topic);
    named.add(stem);
  }
  return others.length === 0 ? goal : `${cutToWords(goal, wordsMax - others.length)} (${others.join(', ')})`;
}

/**
 * The topics of a conversation: words that the person, the agent, and the names of files or the commands all use, the most
 * used first. It needs no language. It finds no topic in a script that no file name is written in.
 */
function findTopics({ messages }: Conversation, pasted: OwnWords): string[] {
  const inTools = new Map<string, number>();
  const byPerson = new Map<string, number>();
  const byAgent = new Map<string, number>();
  const count = (counts: Map<string, number>, text: string, weight = 1) => {
    for (const [word] of text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .matchAll(topic))
      if (!common.has(word) && contentWords(word).size > 0) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  for (const message of messages) {
    if (message.role === 'user') count(byPerson, ownWordsOf(message, pasted).slice(0, requestCharactersRead));
    if (message.role === 'assistant') count(byAgent, message.text.slice(0, requestCharactersRead));
    for (const { path, command = '', effect } of message.tool_calls) {
      const [name = '', folder = ''] = (path?.split(/[\\/]/) ?? []).reverse();
      count(inTools, `${folder} ${name.replace(/\.\w+$/, '')}`, effect === 'write' ? writtenWeight : 1);
      count(inTools, argumentsOf(command));
    }
  }
  return [...byPerson]
    .map(([word, said]) => {
      const weight = Math.sqrt(said) * Math.log1p(inTools.get(word) ?? 0) * Math.log1p(byAgent.get(word) ?? 0);
      return { word, weight };
    })
    .filter(({ weight }) => weight >= topicWeightMin)
    .sort((left, right) => right.weight - left.weight)
    .map(({ word }) => word);
}

/** What a command's programs work on: its first line without their names and without quoted texts. */
function argumentsOf(command: string): string {
  const [line = ''] = command.slice(0, commandCharactersRead).split('\n');
  return line.replace(/"[^"]*"?|'[^']*'?/g, ' ').replace(/(?:^|[|;&]+)\s*(?:\w+=\S+\s+)*\S+/g, ' ');
}

/** The heading of the plan that a host began the session with; empty where it began with none. */
function findPlanTitle({ messages }: Conversation): string {
  const first = messages.find(({ text }) => text !== '');
  if (first?.role !== 'system') return '';
  const heading = /^.{1,80}:\s+#{1,3} +(?<title>.+)/.exec(first.text)?.groups?.title ?? '';
  return toGivenTitle(heading.replace(/^(?:\p{L}+ )?Plan\s*[:–—-]\s*/iu, ''));
}

/**
 * What was given as a title, in one line of at most ten words: the first of its sentences that names some work. A
 * heading, a path, an address or a line of a log names none; empty where there is nothing else.
 */
export function toGivenTitle(given: string | undefined): string {
  const line = withoutUrls(given ?? '');
  const sentences = line
    .split(/(?<=[.!?…])\s+|(?<=[。！？])/)
    .map(toPlainText)
    .filter((sentence) => wordsOf(withoutAddresses(sentence)) >= 1 && !isLogLine(sentence));
  return cutToWords(sentences.find((sentence) => wordsOf(sentence) >= wordsMin) ?? sentences[0] ?? '');
}

function isOwn({ kind, text, plain }: Sentence): boolean {
  return (
    (kind === 'prose' || kind === 'item') &&
    text.length <= sentenceCharactersMax &&
    !isLogLine(plain) &&
    !givesOrder(plain)
  );
}

interface Part {
  text: string;
  /** All of the clause, of which the text may be the beginning. */
  clause: string;
  /** How much its form counts. */
  weight: number;
}

/** Ends of clauses, in any script. */
const clauseEnd = /[,;:!?](?=\s)|\s[–—-](?=\s)|[.…](?=\s)|[，；：。！？]/g;

/** What a sentence says in a row of whole clauses that has at most ten words; of a longer clause its beginning. */
function partsOf(given: string): Part[] {
  const isAside = /^[(（]/.test(given);
  const sentence = isAside ? given.replace(/^[(（]+|[)）]+(?=[.。]?$)/g, '') : given;
  const ends = [...sentence.matchAll(clauseEnd)].map(({ index }) => index);
  const clauses = [-1, ...ends].map((end, place) => ({ from: end + 1, to: ends[place] ?? sentence.length }));
  const isQuestion = /[?？]\W*$/.test(sentence);
  return clauses.flatMap(({ from }, first) => {
    let part: Part | undefined;
    let weight = (isQuestion ? weights.question : 1) * (isAside ? weights.binds : 1);
    for (const { from: clause, to } of clauses.slice(first)) {
      const { text, asks } = withoutOpening(sentence.slice(from, to));
      if (bindsAnother(sentence.slice(clause, to).trim())) weight = weights.binds;
      const named = text.replace(/^\S*[/\\]\S*\s+|[\s.:;,。，；：、…]+$/g, '');
      if (part !== undefined && wordsOf(named) > wordsMax) break;
      if (wordsOf(withoutAddresses(named)) < wordsMin) continue;
      const line = cutToWords(withoutUrls(asks ? named.replace(/\s*[?？]$/, '') : named));
      part = { text: line, clause: named, weight: asks ? weights.asks : weight };
    }
    return part ?? [];
  });
}

/** How much of what is spoken of most it has, without a reward for length alone. */
function scoreOf({ text, clause, weight }: Part, weightOf: (term: string) => number): number {
  const terms = topicWords(text);
  let sum = 0;
  for (const term of topicWords(clause)) sum += weightOf(term) * (terms.has(term) ? 1 : weights.unseen);
  return (sum * weight) / Math.sqrt(terms.size + 4);
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
/** How many words a text has, a script without spaces counted by its characters. */
function wordsOf(text: string): number {
  const characters = text.match(wide)?.length ?? 0;
  const spaced = text.replace(wide, ' ').match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return spaced + characters / wideCharactersAWord;
}

/** An address at a title's end is no part of it. */
function withoutUrls(text: string): string {
  return text
    .replace(/\S+:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\s:,，：]+$/, '')
    .trim();
}

/** At most ten words, cut where a further clause begins, else at a word; what only binds others does not stay at the end. */
function cutToWords(text: string, max = wordsMax): string {
  if (wordsOf(text) <= max) return text;
  const pieces =
    text.match(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|\s+/gu,
    ) ?? [];
  let head = '';
  let clause = '';
  let opened = 0;
  for (const piece of pieces) {
    if (wordsOf(head + piece) > max) break;
    if (opensClause(text.slice(head.length))) {
      // "and see if" says nothing that could end a title.
      const isWhole = wordsOf(head.slice(opened)) >= wordsMin;
      if (isWhole && wordsOf(head) >= clauseWordsMin) clause = head.trimEnd();
      opened = head.length;
    }
    head += piece;
  }
  if (clause !== '') return `${clause}…`;
  return `${head.replace(/(?:\s+\p{Ll}{1,3}){1,3}\s*$/u, '').replace(/[\s+&|/–-]+$/, '')}…`;
}
