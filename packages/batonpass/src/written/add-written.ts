import type { Content, ContentInput } from '../core/content.ts';
import { limits } from '../core/limits.ts';
import { contentWords } from '../extraction/content-words.ts';
import { normalize } from '../extraction/merge-extractions.ts';
import { shorten } from '../extraction/plain-text.ts';
import type { CheckedAnswer, CheckedItem } from './check-answer.ts';

/** A small budget shows this much of a reversal: what no longer holds. */
const reversalCharactersMax = 110;

/** The words after an item that is less certain than the others. */
export const marks = {
  said: '',
  contradicted: '',
  pasted: ' (in what the person pasted)',
  told: ' (told by the agent, unverified)',
} as const;

type Lists = Pick<
  Required<ContentInput>,
  | 'where_it_stands'
  | 'instructions'
  | 'decisions'
  | 'files'
  | 'risks'
  | 'tried'
  | 'next_steps'
  | 'open_questions'
  | 'results'
  | 'environment'
> & { briefs: NonNullable<Content['briefs']> };

/**
 * A content made by rules, with the checked part of the agent's answer. The agent's text replaces
 * what rules guessed; what follows from tool calls, and the conversation's own words, stay after it. An answer can change
 * only the lists of a content.
 */
export function addWritten(mechanical: ContentInput, answer: CheckedAnswer): ContentInput {
  const lists = emptyLists();
  const add = new Adding(lists);
  if (answer.where_it_stands !== '') add.fact('summary', answer.where_it_stands);
  if (answer.contradiction !== undefined) {
    add.fact('contradicted', `What the agent says of success, but ${answer.contradiction}`);
  }
  if (answer.goal !== undefined) add.fact('summary', `Goal: ${answer.goal.text}`, answer.goal.evidence);
  const isWeak = ({ standing }: CheckedItem) => standing === 'told' || standing === 'pasted';
  for (const item of answer.items.filter((each) => !isWeak(each))) add.item(item);
  for (const { was, now } of answer.reversed) add.reversal(was, now);
  for (const item of answer.items.filter(isWeak)) add.item(item);
  const title = answer.title || mechanical.title;
  return {
    ...mechanical,
    title,
    summary: answer.where_it_stands || mechanical.summary,
    ...lists,
    where_it_stands: withRest(lists.where_it_stands, (mechanical.where_it_stands ?? []).filter(isProven), keyOf),
    instructions: withRest(lists.instructions, mechanical.instructions ?? [], keyOf),
    environment: withRest(lists.environment, mechanical.environment ?? [], keyOf),
    files: withRest(lists.files, mechanical.files ?? [], keyOf),
    tried: withRest(lists.tried, mechanical.tried ?? [], keyOf),
    results: withRest(lists.results, mechanical.results ?? [], keyOf),
    ...(mechanical.words && { words: withoutOvertaken(mechanical.words, answer.reversed) }),
  };
}

function emptyLists(): Lists {
  return {
    where_it_stands: [],
    instructions: [],
    decisions: [],
    files: [],
    risks: [],
    tried: [],
    next_steps: [],
    open_questions: [],
    results: [],
    environment: [],
    briefs: [],
  };
}

class Adding {
  readonly #lists: Lists;

  constructor(lists: Lists) {
    this.#lists = lists;
  }

  fact(kind: 'summary' | 'contradicted', content: string, evidence?: CheckedItem['evidence']): void {
    this.#lists.where_it_stands.push({ kind, content, ...(evidence && { evidence }) });
    this.#lists.briefs.push({ of: content, brief: content });
  }

  reversal(what: string, now: string): void {
    const named = `No longer: ${what}`;
    this.#lists.tried.push({ what: named, outcome: now === '' ? 'reversed' : `instead: ${now}` });
    this.#lists.briefs.push({ of: named, brief: shorten(named, reversalCharactersMax) });
  }

  item(item: CheckedItem): void {
    const mark = marks[item.standing];
    const isContradicted = item.contradiction !== undefined;
    const content = isContradicted ? `The agent says “${item.text}”, but ${item.contradiction}` : `${item.text}${mark}`;
    const named = isContradicted ? content : this.#place(item, content);
    // A dead end must be described in few words too.
    const lead = item.kind === 'deadend' ? 'Abandoned: ' : '';
    const brief = item.brief === '' || isContradicted ? content : `${lead}${item.brief}${mark}`;
    if (isContradicted) this.#lists.where_it_stands.push({ kind: 'contradicted', content });
    this.#lists.briefs.push({ of: named, brief: brief.length < content.length ? brief : content });
  }

  /** Adds an item to the list of its kind. @returns the name of the item there. */
  #place({ kind, paths, evidence, standing }: CheckedItem, content: string): string {
    const lists = this.#lists;
    const proof = evidence && { evidence };
    const source = 'agent-written' as const;
    switch (kind) {
      case 'instruction':
        // Only the person can bind all later work: without the person's own words it is no instruction.
        if (standing !== 'said') lists.where_it_stands.push({ kind: 'summary', content });
        else lists.instructions.push({ content, source, ...proof });
        return content;
      case 'decision':
        lists.decisions.push({
          content,
          source: 'ai-extracted',
          ...(standing === 'told' && { confidence: 0.5 }),
          ...proof,
        });
        return content;
      case 'done':
        lists.results.push({
          description: content,
          status: 'completed',
          ...(paths.length > 0 && { artifacts: paths }),
        });
        return content;
      case 'state':
        lists.where_it_stands.push({ kind: 'summary', content, ...proof });
        return content;
      case 'next':
        lists.next_steps.push(content);
        return content;
      case 'deadend':
        lists.tried.push({ what: content, outcome: 'abandoned' });
        return content;
      case 'question':
        lists.open_questions.push(content);
        return content;
      case 'risk':
        lists.risks.push({ description: content, ...proof });
        return content;
      case 'environment':
        lists.environment.push({ content, source, ...proof });
        return content;
      case 'file': {
        const [path] = paths;
        if (path === undefined) lists.environment.push({ content, source, ...proof });
        else lists.files.push({ path, relevance: 'high', context: content, ...proof });
        return path ?? content;
      }
    }
  }
}

type StateFact = NonNullable<ContentInput['where_it_stands']>[number];

/** What tool calls and order prove; a guessed goal and the host's recap are replaced by the agent's plain words. */
function isProven(fact: StateFact): boolean {
  return typeof fact === 'string' || !['goal', 'pending', 'recap'].includes(fact.kind);
}

type Named = string | { content?: string; path?: string; description?: string; what?: string };

function keyOf(item: Named): string {
  if (typeof item === 'string') return normalize(item);
  return normalize(item.content ?? item.path ?? item.description ?? item.what ?? '');
}

/** A sentence that contains so much of what no longer holds is outdated; the agent itself says what holds instead. */
const overtakenShareMin = 0.5;

/**
 * The conversation's own words without those that the agent says no longer hold. Fitted on labelled sessions: of the
 * outdated facts in a handoff of 2,000 tokens, a third came from such sentences.
 */
function withoutOvertaken(
  words: NonNullable<ContentInput['words']>,
  reversed: CheckedAnswer['reversed'],
): NonNullable<ContentInput['words']> {
  const overtaken = reversed.map(({ was }) => [...contentWords(was)]).filter(({ length }) => length > 1);
  return words.filter(({ content }) => {
    const said = contentWords(content);
    return overtaken.every((was) => was.filter((word) => said.has(word)).length < overtakenShareMin * was.length);
  });
}

/** A list, with the items of another list that it does not contain. */
function withRest<T extends Named>(own: readonly T[], rest: readonly T[], key: (item: T) => string): T[] {
  const known = new Set<string>();
  return [...own, ...rest]
    .filter((item) => {
      const name = key(item);
      const isNew = !known.has(name);
      known.add(name);
      return isNew;
    })
    .slice(0, limits.entries_max);
}
