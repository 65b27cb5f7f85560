import type { Message } from '../../core/conversation.ts';
import type { Evidence } from '../../core/evidence.ts';
import { limits } from '../../core/limits.ts';
import { keyOfText } from '../carried-list.ts';
import type { ExtractedFile } from '../extraction.ts';
import type { DroppedItems, RefusedItem } from '../extraction-report.ts';
import { toProjectPath } from '../file-path.ts';
import type { PartlyEvidenced } from '../partly-evidenced.ts';
import type { ModelAnswer } from './answer-schema.ts';
import { checkProof } from './check-evidence.ts';

type Decision = PartlyEvidenced['decisions'][number];
type Risk = PartlyEvidenced['risks'][number];
type Statement = PartlyEvidenced['next_steps'][number];

/** What the windows of a conversation gave so far, each item once. */
export interface Gathered {
  decisions: Decision[];
  files: Map<string, ExtractedFile>;
  risks: Risk[];
  /** Of the last two windows: what was next before that has been done, dropped or said again. */
  next_steps: Statement[][];
  open_questions: Statement[][];
  /** Orders, each quoted from a message of the user. */
  instructions: Required<Statement>[];
  done: Statement[];
  tried: PartlyEvidenced['tried'];
  environment: Statement[];
  title: string;
  summary: string;
  dropped: DroppedItems;
  /** In the words that were refused, each once. */
  refused: RefusedItem[];
  moved_quotes: number;
}

/** Nothing yet. */
export function createGathered(): Gathered {
  return {
    decisions: [],
    files: new Map(),
    risks: [],
    next_steps: [],
    open_questions: [],
    instructions: [],
    done: [],
    tried: [],
    environment: [],
    title: '',
    summary: '',
    dropped: { invented_quotes: 0, refused_paths: 0, unproven_reversals: 0 },
    refused: [],
    moved_quotes: 0,
  };
}

/** The highest confidence of a decision that nobody stated in words. */
const CONFIDENCE_IMPLIED = 0.5;

/**
 * Adds what a model answered for one window. An item whose quote nobody said is dropped and counted; one without a
 * quote is kept as implied. Of two items that say the same, the one with evidence stays.
 *
 * @param known - the decisions that the window was shown, in the order of their numbers.
 */
export function addAnswer(
  gathered: Gathered,
  answer: ModelAnswer,
  { window, known }: { window: readonly Message[]; known: readonly Decision[] },
): void {
  const prove = (item: { message: number; quote: string }) => proveItem(gathered, item, window);
  const replaced = takeBack(gathered, answer.no_longer_in_force, { window, known });
  for (const item of answer.decisions) addDecision(gathered, item, { evidence: prove(item), replaced });
  for (const item of answer.filesReferenced) addFile(gathered, item, prove(item));
  for (const { description, severity, ...item } of answer.risks) {
    const evidence = prove(item);
    if (evidence === 'invented') continue;
    addOnce(gathered.risks, { description: toLine(description), severity, ...evidence }, (risk) => risk.description);
  }
  const toStatements = (items: ModelAnswer['next_steps']): Statement[] =>
    items.flatMap(({ content, ...item }) => {
      const evidence = prove(item);
      return evidence === 'invented' || toLine(content) === '' ? [] : [{ content: toLine(content), ...evidence }];
    });
  gathered.next_steps = [...gathered.next_steps, toStatements(answer.next_steps)].slice(-2);
  gathered.open_questions = [...gathered.open_questions, toStatements(answer.open_questions)].slice(-2);
  for (const item of toStatements(answer.instructions)) {
    if (isSaidByUser(item, window)) addOnce(gathered.instructions, item, ({ content }) => content);
  }
  for (const item of toStatements(answer.done)) addOnce(gathered.done, item, ({ content }) => content);
  for (const item of toStatements(answer.environment)) {
    if (item.evidence !== undefined) addOnce(gathered.environment, item, ({ content }) => content);
  }
  for (const { what, outcome, ...item } of answer.dead_ends) {
    if (prove(item) === 'invented' || toLine(outcome) === '') continue;
    addOnce(gathered.tried, { what: toLine(what), outcome: toLine(outcome) }, (attempt) => attempt.what);
  }
  gathered.title = toLine(answer.title).slice(0, limits.title_characters_max).toWellFormed() || gathered.title;
  gathered.summary = toLine(answer.summary) || gathered.summary;
}

/** Nothing else than the user's own words orders anything. */
function isSaidByUser(item: Statement, window: readonly Message[]): item is Required<Statement> {
  return window.some(({ index, role }) => role === 'user' && index === item.evidence?.message);
}

type Proven = { evidence?: Evidence };

function proveItem(
  gathered: Gathered,
  item: { message: number; quote: string },
  window: readonly Message[],
): Proven | 'invented' {
  const proof = checkProof(item, window);
  if (proof.kind === 'implied') return {};
  if (proof.kind === 'invented') {
    gathered.dropped.invented_quotes += 1;
    addOnce(gathered.refused, { kind: 'quote', content: toLine(item.quote) }, ({ content }) => content);
    return 'invented';
  }
  if (proof.moved) gathered.moved_quotes += 1;
  return { evidence: proof.evidence };
}

/** A choice that was reversed, and the message that did so. */
interface Replaced {
  content: string;
  message: number;
}

/** Removes the decisions that a window reverses, each only with a quote that proves it. */
function takeBack(
  gathered: Gathered,
  reversals: ModelAnswer['no_longer_in_force'],
  { window, known }: { window: readonly Message[]; known: readonly Decision[] },
): Replaced[] {
  return reversals.flatMap(({ decision: number, ...item }) => {
    const proof = checkProof(item, window);
    const decision = known[number];
    if (proof.kind !== 'said' || decision === undefined || !gathered.decisions.includes(decision)) {
      gathered.dropped.unproven_reversals += 1;
      return [];
    }
    gathered.decisions = gathered.decisions.filter((other) => other !== decision);
    return [{ content: decision.content, message: proof.evidence.message }];
  });
}

function addDecision(
  { decisions }: Gathered,
  { content, confidence }: ModelAnswer['decisions'][number],
  { evidence, replaced }: { evidence: Proven | 'invented'; replaced: Replaced[] },
): void {
  if (evidence === 'invented') return;
  const isSaid = evidence.evidence !== undefined;
  const decision: Decision = {
    content: toLine(content),
    confidence: isSaid ? confidence : Math.min(confidence, CONFIDENCE_IMPLIED),
    ...evidence,
  };
  // The first choice of a message replaces what that message reverses.
  const supersedes = replaced.filter(({ message }) => message === evidence.evidence?.message);
  if (supersedes.length > 0) {
    decision.supersedes = supersedes.map((each) => each.content);
    replaced.splice(0, replaced.length, ...replaced.filter((each) => !supersedes.includes(each)));
  }
  addOnce(decisions, decision, (each) => each.content);
}

function addFile(
  { files, dropped, refused }: Gathered,
  { path: spelt, relevance, context }: ModelAnswer['filesReferenced'][number],
  evidence: Proven | 'invented',
): void {
  if (evidence === 'invented') return;
  const path = toProjectPath(spelt);
  if (path === undefined || path.length > limits.name_characters_max) {
    dropped.refused_paths += 1;
    addOnce(refused, { kind: 'path', content: toLine(spelt) }, ({ content }) => content);
    return;
  }
  const earlier = files.get(path);
  const isMore = earlier === undefined || rank[relevance] < rank[earlier.relevance];
  files.set(path, {
    path,
    relevance: isMore ? relevance : earlier.relevance,
    context: toLine(context),
    ...(evidence.evidence === undefined && earlier?.evidence !== undefined ? { evidence: earlier.evidence } : evidence),
  });
}

const rank = { high: 0, medium: 1, low: 2 };

function addOnce<T extends object>(list: T[], item: T, wordsOf: (item: T) => string): void {
  const key = keyOf(wordsOf(item));
  if (key === '') return;
  const place = list.findIndex((other) => keyOf(wordsOf(other)) === key);
  const earlier = list[place];
  if (earlier === undefined) list.push(item);
  else if (!('evidence' in earlier) && 'evidence' in item) list[place] = item;
}

function keyOf(text: string): string {
  return keyOfText(text).toLowerCase();
}

/** One line, so that no item looks like several, or like the frame around it. */
function toLine(text: string): string {
  return text.slice(0, limits.model_entry_characters_max).toWellFormed().replace(/\s+/g, ' ').trim();
}

/** The lists of all windows, each in the order in which it was said, files by relevance. */
export function listGathered(
  gathered: Gathered,
): Pick<PartlyEvidenced, 'decisions' | 'files' | 'risks' | 'next_steps' | 'open_questions'> {
  const once = (lists: readonly Statement[][]) => {
    const items: Statement[] = [];
    for (const item of lists.flat()) addOnce(items, item, ({ content }) => content);
    return items;
  };
  return {
    decisions: gathered.decisions,
    files: [...gathered.files.values()].sort((left, right) => rank[left.relevance] - rank[right.relevance]),
    risks: gathered.risks,
    next_steps: once(gathered.next_steps),
    open_questions: once(gathered.open_questions),
  };
}

/** What somebody said, then what was implied, each in its order. */
export function saidFirst<T extends Proven>(items: readonly T[]): T[] {
  const { said = [], implied = [] } = Object.groupBy(items, (item) =>
    item.evidence === undefined ? 'implied' : 'said',
  );
  return [...said, ...implied];
}
