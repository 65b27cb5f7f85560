import type { Conversation, Message } from '../core/conversation.ts';
import { contentWords } from './content-words.ts';
import type { EarlierWord } from './earlier-words.ts';
import { bindsAnother, givesOrder, opensClause, undoes, withdraws, withoutOpening } from './language-cues.ts';
import { isLogLine, type OwnWords, ownWordsOf, withoutAttachmentMarks } from './own-words.ts';
import { toPlainText } from './plain-text.ts';
import { acceptsStrongly, takesBack } from './request-cues.ts';
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

const topic = /\p{L}{4,}/gu;
const topicsMax = 2;
/** A word reaches it when person, agent and file names each use it a few times. */
const topicWeightMin = 6;
/** A file that was written counts as much as so many that were read. */
const writtenWeight = 3;
/** Words in the file names of any project. */
const common: ReadonlySet<string> = new Set(
  'code core data docs file files index json lib main module package page project readme resources source sources spec test tests text tmp utils'.split(
    ' ',
  ),
);

/** How much a part of a request counts by its position and form; `unseen`: the words that a title has no room for. */
const weights = { opening: 1.5, later: 0.8, asks: 1.4, binds: 0.5, question: 0.7, unseen: 0.3, reply: 0.4 } as const;
/** A request so many requests later, and a sentence so many sentences later in its message, counts half. */
const requestHalf = 8;
const sentenceHalf = 3;
/** A shorter message, as "go on", belongs to the request before it. */
const requestCharactersMin = 25;
const requestCharactersRead = 2_000;
/** A longer message asks for something of its own. */
const replyCharactersMax = 60;
/** A closing question is at the very end. */
const questionEndCharacters = 12;
/** Requests that are weighed in addition to the first. */
const requestsMax = 30;
/** Text of the agent that counts as much as one use of a tool. */
const workCharacters = 500;

/**
 * The goal of a conversation in at most ten words: of the first request, and of those that much work followed, the part
 * whose words the conversation speaks of most. Headings, paths, addresses, lines of logs and greetings are no
 * title. Empty where the person asked nothing in words.
 *
 * @param words - the sentences of the conversation that matter most.
 */
export function findTitle(conversation: Conversation, pasted: OwnWords, words: readonly EarlierWord[]): string {
  const plan = findPlanTitle(conversation);
  if (plan !== '') return plan;
  const counts = new Map<string, number>();
  for (const { content } of words) for (const term of termsOf(content)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const requests = readRequests(conversation, pasted);
  const most = Math.max(...requests.map(({ work }) => work));
  let best = { text: '', score: 0 };
  for (const [turn, { message, work, isReply }] of requests.entries()) {
    const sentences = splitMessage(message).filter(isOwn).slice(0, messageSentencesMax);
    const followed = (weights.later * Math.sqrt(work / Math.max(1, most))) / (1 + turn / requestHalf);
    const weight = turn === 0 ? weights.opening : followed * (isReply ? weights.reply : 1);
    for (const [place, { plain, text }] of sentences.entries()) {
      // What answers, allows or takes back says its subject only with the words before it.
      if (turn > 0 && answersOnly(plain)) continue;
      for (const part of partsOf(withoutAttachmentMarks(toPlainText(text)))) {
        const score = (scoreOf(part, counts) * weight) / (1 + place / sentenceHalf);
        if (score > best.score) best = { text: part.text, score };
      }
    }
  }
  const goal = best.text.charAt(0).toUpperCase() + best.text.slice(1);
  return goal === '' ? '' : withTopics(goal, findTopics(conversation, pasted));
}

function answersOnly(plain: string): boolean {
  return takesBack.test(plain) || acceptsStrongly.test(plain) || withdraws(plain) || undoes(plain);
}

/** The title with up to two topics that it does not name, as far as ten words go. */
function withTopics(goal: string, topics: readonly string[]): string {
  const named = goal.toLowerCase();
  const others = topics
    .filter((topic) => !named.includes(topic))
    .slice(0, Math.min(topicsMax, wordsMax - wordsOf(goal)));
  return others.length === 0 ? goal : `${goal} (${others.join(', ')})`;
}

/**
 * The topics of a conversation: words that the names of its files, the person and the agent all use, the most used first.
 * It needs no language. It finds no topic in a script that no file name is written in.
 */
function findTopics({ messages }: Conversation, pasted: OwnWords): string[] {
  const inPaths = new Map<string, number>();
  const byPerson = new Map<string, number>();
  const byAgent = new Map<string, number>();
  const count = (counts: Map<string, number>, text: string, weight = 1) => {
    for (const [word] of text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .matchAll(topic))
      if (!common.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  for (const message of messages) {
    if (message.role === 'user') count(byPerson, ownWordsOf(message, pasted).slice(0, requestCharactersRead));
    if (message.role === 'assistant') count(byAgent, message.text.slice(0, requestCharactersRead));
    for (const { path, effect } of message.tool_calls) {
      count(inPaths, path?.split(/[\\/]/).slice(-2).join(' ') ?? '', effect === 'write' ? writtenWeight : 1);
    }
  }
  return [...byPerson]
    .map(([word, said]) => {
      const weight = Math.sqrt(said) * Math.log1p(inPaths.get(word) ?? 0) * Math.log1p(byAgent.get(word) ?? 0);
      return { word, weight };
    })
    .filter(({ weight }) => weight >= topicWeightMin)
    .sort((left, right) => right.weight - left.weight)
    .map(({ word }) => word);
}

/** The heading of the plan that a host began the session with; empty where it began with none. */
function findPlanTitle({ messages }: Conversation): string {
  const first = messages.find(({ text }) => text !== '');
  if (first?.role !== 'system') return '';
  const heading = /^.{1,80}:\s+#{1,3} +(?<title>.+)/.exec(first.text)?.groups?.title ?? '';
  return toGivenTitle(heading.replace(/^(?:\p{L}+ )?Plan\s*[:–—-]\s*/iu, ''));
}

/** What the person asked in one message, and how much work followed until the next. */
interface Request {
  message: Message;
  work: number;
  /** It answers a question of the agent. */
  isReply: boolean;
}

/** The first request, and those that the most work followed, in their order; of short messages alone the first. */
function readRequests({ messages }: Conversation, pasted: OwnWords): Request[] {
  const requests: Request[] = [];
  let short: Request | undefined;
  let isReply = false;
  for (const message of messages) {
    const last = requests.at(-1) ?? short;
    if (message.role !== 'user') {
      if (message.text !== '') isReply = /[?？]["')*\s]*$/.test(message.text.slice(-questionEndCharacters));
      if (last !== undefined) last.work += message.tool_calls.length + message.text.length / workCharacters;
      continue;
    }
    const own = ownWordsOf(message, pasted);
    if (withoutAddresses(own.slice(0, requestCharactersRead)).trim().length >= requestCharactersMin)
      requests.push({
        message: { ...message, text: own },
        work: 0,
        isReply: isReply && own.length <= replyCharactersMax,
      });
    else if (own !== '') short ??= { message: { ...message, text: own }, work: 0, isReply };
  }
  const named = requests.length === 0 && short !== undefined ? [short] : requests;
  const most = new Set(
    named
      .slice(1)
      .sort((left, right) => right.work - left.work)
      .slice(0, requestsMax),
  );
  return named.filter((request, place) => place === 0 || most.has(request));
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
const clauseEnd = /[,;:!?](?=\s)|\s[–—-](?=\s)|[.…](?=\s)|[，；：。！？、]/g;

/** What a sentence says in a row of whole clauses that has at most ten words; of a longer clause its beginning. */
function partsOf(sentence: string): Part[] {
  const ends = [...sentence.matchAll(clauseEnd)].map(({ index }) => index);
  const clauses = [-1, ...ends].map((end, place) => ({ from: end + 1, to: ends[place] ?? sentence.length }));
  const isQuestion = /[?？]\W*$/.test(sentence);
  const isAside = /^[(（]/.test(sentence);
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
function scoreOf({ text, clause, weight }: Part, counts: ReadonlyMap<string, number>): number {
  const terms = termsOf(text);
  let sum = 0;
  for (const term of termsOf(clause)) {
    sum += Math.log1p(0.2 + (counts.get(term) ?? 0)) * (terms.has(term) ? 1 : weights.unseen);
  }
  return (sum * weight) / Math.sqrt(terms.size + 4);
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const wideRun = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;

/** Its content words; of a script without spaces each two neighbouring characters. Short small words bind others. */
function termsOf(text: string): Set<string> {
  const terms = new Set([...contentWords(text.replace(wideRun, ' '))].filter((word) => word.length > 3));
  for (const [run] of text.matchAll(wideRun))
    for (let at = 0; at < run.length - 1; at += 1) terms.add(run.slice(at, at + 2));
  for (const [name] of text.matchAll(/(?<![\p{L}\d])\p{Lu}{2,3}(?![\p{L}\d])/gu)) terms.add(name.toLowerCase());
  return terms;
}

/** How many words a text has, a script without spaces counted by its characters. */
function wordsOf(text: string): number {
  const characters = text.match(wide)?.length ?? 0;
  const spaced = text.replace(wide, ' ').match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return spaced + characters / wideCharactersAWord;
}

/** Without paths and addresses, which name a location and no work. */
function withoutAddresses(text: string): string {
  return text.replace(/\S+:\/\/\S+|@?(?:[A-Za-z]:)?(?:[\w.~-]*[/\\]){1,}\S*/g, ' ');
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
function cutToWords(text: string): string {
  if (wordsOf(text) <= wordsMax) return text;
  const pieces =
    text.match(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|\s+/gu,
    ) ?? [];
  let head = '';
  let clause = '';
  let opened = 0;
  for (const piece of pieces) {
    if (wordsOf(head + piece) > wordsMax) break;
    if (opensClause(text.slice(head.length))) {
      // "and see if" says nothing that could end a title.
      const isWhole = wordsOf(head.slice(opened)) >= wordsMin;
      if (isWhole && wordsOf(head) >= clauseWordsMin) clause = head.trimEnd();
      opened = head.length;
    }
    head += piece;
  }
  if (clause !== '') return `${clause}…`;
  return `${head.replace(/(?:\s+\p{Ll}{1,3}){1,3}\s*$/u, '').trimEnd()}…`;
}
