import { type Content, type Decision, isByPerson } from '../core/content.ts';
import { isImplied } from '../core/implied.ts';
import { neutralizeLine, neutralizeSpoken, withoutMarks } from './neutralize.ts';
import {
  bare,
  decisionLine,
  fileLine,
  instructionLine,
  json,
  listed,
  type PromptItem,
  pointerLine,
  quoted,
  type RawLine,
  referenceLine,
  resultLine,
  snapshotLines,
  sourceOf,
} from './prompt-lines.ts';

/** A part of a rendered handoff, its items the most important first. */
export interface PromptSection {
  name: PromptSectionName;
  heading: string;
  /** How its items are counted in the notice of what was cut: one, and several. */
  unit: readonly [string, string];
  /** The part of the room that is kept for it before what is left goes by priority. */
  share: number;
  /** Below it the share goes to other sections; absent for none. */
  share_tokens_min?: number;
  /** Running text: it ends where it was cut, without gaps. */
  ordered: boolean;
  /** Half a command is of no use: an item is shown whole or not at all. */
  isWhole: boolean;
  /** Quotes of the conversation: they get the room that the shares leave. */
  isSpoken: boolean;
  /** Made from what other sections hold: shown only where it says more. */
  isDerived: boolean;
  /** The most that are shown; absent where the room alone decides. */
  items_max?: number;
  items: readonly PromptItem[];
}

/** What each section has in every handoff. */
export const layout = {
  where_it_stands: { heading: 'Where it stands', unit: ['fact', 'facts'], share: 0.2 },
  instructions: { heading: 'Standing instructions', unit: ['instruction', 'instructions'], share: 0.12 },
  summary: { heading: 'Summary', unit: ['line of the summary', 'lines of the summary'], share: 0.2, ordered: true },
  next_steps: { heading: 'Next steps (proposed)', unit: ['next step', 'next steps'], share: 0.15 },
  decisions: { heading: 'Decisions', unit: ['decision', 'decisions'], share: 0.3 },
  tried: { heading: 'Dead ends', unit: ['dead end', 'dead ends'], share: 0.06 },
  open_questions: { heading: 'Open questions', unit: ['question', 'questions'], share: 0.05 },
  risks: { heading: 'Risks', unit: ['risk', 'risks'], share: 0.08 },
  results: { heading: 'Results', unit: ['result', 'results'], share: 0.03 },
  environment: { heading: 'Commands that worked', unit: ['command', 'commands'], share: 0.05, isWhole: true },
  files: { heading: 'Files', unit: ['file', 'files'], share: 0.12 },
  references: { heading: 'References', unit: ['reference', 'references'], share: 0.01 },
  context_snapshot: { heading: 'Context kept elsewhere', unit: ['note', 'notes'], share: 0 },
  answer: { heading: 'Last answer', unit: ['sentence of it', 'sentences of it'], share: 0, isSpoken: true },
  words: { heading: 'Earlier words', unit: ['earlier sentence', 'earlier sentences'], share: 0, isSpoken: true },
  body: { heading: 'Body', unit: ['line of the body', 'lines of the body'], share: 0, ordered: true },
  payload: { heading: 'Payload (JSON)', unit: ['payload', 'payloads'], share: 0, ordered: true },
  extra: { heading: 'Further fields (JSON)', unit: ['field set', 'field sets'], share: 0, ordered: true },
} as const satisfies Record<string, Partial<PromptSection>>;

/** The parts of a rendered handoff, in the order in which they appear and get room. */
export type PromptSectionName = keyof typeof layout;

/**
 * The sections that a content has something for; every text in them is neutralized, each item is one line.
 *
 * @param budget_tokens - the part of an item beyond it is not read, so that the work is bounded by the budget.
 */
export function listPromptSections(content: Content, budget_tokens: number): PromptSection[] {
  const session = content.origin?.session;
  const isCompact = budget_tokens < COMPACT_TOKENS_BELOW;
  const hasWords = (content.words ?? []).length > 0;
  // Next to quotes, what is in no message was written by hand, and comes first.
  const said = bare((content.words ?? []).map(({ content: words }) => words).join(' '));
  const rankOfText = (text: string) => Number(said.includes(bare(text)));
  const lines: Record<PromptSectionName, RawLine[]> = {
    where_it_stands: listState(content, isCompact).map((fact, place, facts) =>
      stateLine(fact, { session, label: labelOf(fact, facts.slice(place + 1)) }),
    ),
    instructions: (content.instructions ?? []).map((instruction) => instructionLine(instruction, session)),
    // Where the importance is given, the summary is the most important.
    summary: content.briefs === undefined ? quoted(content.summary) : [],
    decisions: rank(
      content.decisions.filter((decision) => !isToldAlready(decision, content)),
      content.origin?.trigger === undefined ? rankOfDecision : rankOfSaved,
    ).map((decision) => decisionLine(decision, session)),
    next_steps: rank(content.next_steps, rankOfText).map((step) => ({ ...listed(step), of: step })),
    files: rank(content.files, (file) => degree(file.relevance)).map((file) => fileLine(file, session)),
    risks: rank(content.risks, (risk) => degree(risk.severity) - (hasWords && !risk.evidence ? 3 : 0)).map((risk) => ({
      ...listed(`[${risk.severity}] ${risk.description}`, sourceOf(risk.evidence, session)),
      of: risk.description,
    })),
    tried: content.tried.map(({ what, outcome }) => ({ ...listed(`${what} → ${outcome}`), of: what })),
    open_questions: rank(content.open_questions, rankOfText).map((question) => ({ ...listed(question), of: question })),
    results: content.results.map(resultLine),
    environment: (content.environment ?? []).map((fact) => ({
      ...listed(fact.content, sourceOf(fact.evidence, session)),
      of: fact.content,
    })),
    references: content.references.map(referenceLine),
    context_snapshot: snapshotLines(content.context_snapshot),
    ...spokenLines(content.words ?? [], isCompact),
    body: content.body === undefined ? [] : quoted(content.body),
    payload: content.payload_ref === undefined ? json(content.payload) : [pointerLine(content.payload_ref)],
    extra: json(content.extra),
  };
  const characters_max = budget_tokens * CHARACTERS_A_TOKEN_MAX;
  const briefs = new Map((content.briefs ?? []).map(({ of, brief }, order) => [of, { brief, order }] as const));
  // What a person pinned, edited or wrote has its share however small that is.
  const pinned = new Set<string>(
    (['decisions', 'instructions'] as const).filter((name) =>
      (content[name] ?? []).some((item) => isByPerson(item.source)),
    ),
  );
  if (content.risks.some(({ evidence }) => evidence === undefined)) pinned.add('risks');
  return names
    .filter((name) => lines[name].length > 0)
    .map((name) => ({
      name,
      ordered: false,
      isSpoken: false,
      isDerived: name === 'summary' && content.origin?.extractor === 'rules',
      isWhole: false,
      ...layout[name],
      ...(hasWords && {
        share: name === 'where_it_stands' && isCompact ? STATE_SHARE_COMPACT : (shareNextToWords[name] ?? 0),
        share_tokens_min: name === 'where_it_stands' || pinned.has(name) ? 0 : SHARE_NEXT_TO_WORDS_TOKENS_MIN,
      }),
      ...(name === 'decisions' && hasWords && { items_max: Math.ceil(budget_tokens / TOKENS_A_DECISION_MIN) }),
      // An agent writes more about its environment than commands.
      ...(name === 'environment' && !lines[name].every(({ raw }) => raw.startsWith('`')) && { heading: 'Environment' }),
      items: lines[name].map((line) => itemOf(line, { characters_max, briefs })),
    }));
}

/**
 * Shares of a content that quotes the conversation: the quotes carry most of it, so that lists made from them take
 * less, and a summary nothing. Fitted on labelled sessions, as is the least share.
 */
const shareNextToWords: Partial<Record<PromptSectionName, number>> = {
  where_it_stands: 0.3,
  instructions: 0.08,
  next_steps: 0.06,
  decisions: 0.1,
  tried: 0.05,
  open_questions: 0.04,
  risks: 0.04,
  results: 0.02,
  environment: 0.06,
  files: 0.03,
};

/** The state at the end is the most useful for its length: in a short text it may take half. */
const STATE_SHARE_COMPACT = 0.5;

/** Below it the frame is as short as it can be, and the conversation's sentences are one section. */
export const COMPACT_TOKENS_BELOW = 1_000;

/** A smaller one of these has room for a heading and little else: its room goes to the quotes. */
const SHARE_NEXT_TO_WORDS_TOKENS_MIN = 75;

/** A token is hardly ever worth more; a longer item cannot be shown whole. */
const CHARACTERS_A_TOKEN_MAX = 12;

/** So that 15 decisions are the most that a budget of 2,000 tokens shows of a conversation. */
const TOKENS_A_DECISION_MIN = 134;

const names = Object.keys(layout) as PromptSectionName[];

/** What the line of a fact begins with, by its kind. */
export const stateLabels: Record<StateFact['kind'], string> = {
  summary: '',
  recap: 'Recap by the host: ',
  goal: 'Asked earlier: ',
  asked: 'Asked last: ',
  interrupted: '',
  question: 'Waiting for an answer: ',
  check: '',
  contradicted: 'Contradiction: ',
  doing: 'In progress: ',
  todo: 'To do: ',
  done: 'Done: ',
  changed: '',
  pending: 'Pending: ',
};

type StateFact = NonNullable<Content['where_it_stands']>[number];

/** The facts of the state; of a short text the title says the goal, and the words of the main request are among the others. */
function listState({ where_it_stands = [], words = [], briefs }: Content, isCompact: boolean): readonly StateFact[] {
  const isSaid = isCompact && words.length > 0 && briefs === undefined;
  return isSaid ? where_it_stands.filter(({ kind }) => kind !== 'goal') : where_it_stands;
}

/** @param later - the facts behind it: of two requests only the last was the last. */
function labelOf({ kind }: StateFact, later: readonly StateFact[]): string {
  return kind === 'asked' && later.some((fact) => fact.kind === 'asked') ? 'Asked before: ' : stateLabels[kind];
}

function stateLine(
  { content, evidence }: StateFact,
  { session, label }: { session: string | undefined; label: string },
): RawLine {
  const line = { ...listed(`${label}${content}`, sourceOf(evidence, session)), of: content };
  return label === '' ? { ...line, by: 'agent' } : line;
}

/** Whether the same sentence is among the instructions already, or is the main request. */
function isToldAlready(
  { source, evidence }: Decision,
  { instructions = [], where_it_stands = [] }: Pick<Content, 'instructions' | 'where_it_stands'>,
): boolean {
  if (isByPerson(source) || evidence === undefined) return false;
  const { message, quote } = evidence;
  return (
    instructions.some(({ evidence: other }) => other?.message === message && other.quote === quote) ||
    where_it_stands.some(
      ({ kind, content, evidence: other }) =>
        kind === 'goal' && other?.message === message && content.startsWith(quote),
    )
  );
}

/** The conversation's sentences by rank: those of the agent's last message, and all others. */
function spokenLines(
  words: NonNullable<Content['words']>,
  isCompact: boolean,
): { answer: RawLine[]; words: RawLine[] } {
  const last = words.findLast(({ by }) => by === 'agent')?.message;
  const lines = words
    .map(({ message, by, content, rank, reversed, same_line: isSameLine = false }, place) => ({
      line: {
        mark: '- ' as const,
        raw: reversed ? `${content} (no longer holds)` : content,
        by,
        suffix: '',
        group: `${message} ${by}:`,
        place,
        isSameLine,
        rank,
      },
      section: message === last && !isCompact ? 'answer' : 'words',
    }))
    .sort((left, right) => left.line.rank - right.line.rank);
  const of = (name: PromptSectionName) => lines.filter(({ section }) => section === name).map(({ line }) => line);
  return { answer: of('answer'), words: of('words') };
}

/** How much of each item is read, and the briefs. */
interface Looked {
  characters_max: number;
  briefs: ReadonlyMap<string, { brief: string; order: number }>;
}

/** Neutralizes when the text is first asked for: of a long body only the lines that have a chance are. */
function itemOf(
  { mark, raw, suffix, group, place, isSameLine, rank, of, by }: RawLine,
  { characters_max, briefs }: Looked,
): PromptItem {
  const short = of === undefined ? undefined : briefs.get(of);
  let text: string | undefined;
  const partial = raw.length > characters_max;
  const neutralize = (given: string) => (by === undefined ? neutralizeLine(given) : neutralizeSpoken(given, by));
  const read = () =>
    partial
      ? `${neutralize(raw.slice(0, characters_max))}… (${raw.length - characters_max} more characters)`
      : neutralize(raw);
  return {
    mark,
    suffix,
    partial,
    ...(group !== undefined && { group, place, isSameLine, rank }),
    ...(short !== undefined && { brief: neutralizeLine(withoutMarks(short.brief)), order: short.order }),
    get text() {
      text ??= read();
      return text;
    },
  };
}

/** The most important first; equals keep their order. */
function rank<T>(items: readonly T[], rankOf: (item: T) => number): T[] {
  return items.toSorted((left, right) => rankOf(left) - rankOf(right));
}

const degree = (word: 'high' | 'medium' | 'low') => ['high', 'medium', 'low'].indexOf(word);

function rankOfDecision(decision: Decision): number {
  if (isByPerson(decision.source)) return 0;
  return isImplied(decision) ? 2 : 1;
}

/** What a session saved by itself has its own before what it was given: what was pinned is given, and old. */
function rankOfSaved(decision: Decision): number {
  return Number(isImplied(decision));
}
