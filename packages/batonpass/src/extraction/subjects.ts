import { contentWords } from './content-words.ts';
import type { ExtractedDecision } from './extraction.ts';
import { toStatement } from './plain-text.ts';
import { asksForExplanation, isLegal, opensWithPassing } from './request-cues.ts';
import { readRequest, stripFillers } from './request-sentence.ts';
import type { Sentence } from './sentences.ts';
import type { TurnInPlace } from './turns.ts';

/** Sentences of the user that are weighed; of a long dialogue its first ones, which say what it is for. */
const sentencesMax = 400;

/** Of one turn: what follows is detail or pasted. */
const turnSentencesMax = 12;

/** Words by which somebody says what he is after. */
const goal =
  /\b(?:(?:i|we)(?:'d| would)? (?:want|need|like|have to|should|must)|let'?s|goal|task|issue|feature|implement|add|build|create|fix|make|move|refactor|support|write|design|plan|review|explain|migrate|update|replace|remove|how (?:would|should|do|can)|can (?:you|we)|ich (?:will|möchte|brauche|hätte)|wir (?:wollen|brauchen|müssen|sollten))\b/i;

/** It goes on from what was said before, or only fills in a form: "Columns: name, role". */
const standsOnWords =
  /^(?:it|this|that|these|those|they|then|and|but|nah|no|yes|ok(?:ay)?|what happened)\b|^[\w ]{2,24}: /i;

/** What a conversation is about. */
export interface Subject {
  /** What was asked, as one sentence; empty where nobody said anything. */
  task: string;
  /** How often each word was said, by the user and in decisions: what is central has the common words. */
  weights: ReadonlyMap<string, number>;
}

/** Collects what the user asks for, and finds what the whole is about. */
export class Subjects {
  readonly #spoken: { sentence: Sentence; turn: number }[] = [];
  readonly #weights = new Map<string, number>();
  #first: Sentence | undefined;

  add({ turn }: TurnInPlace): void {
    this.#first ??= turn.sentences[0];
    if (turn.role !== 'user') return;
    for (const sentence of turn.sentences.slice(0, turnSentencesMax)) {
      const isProse = sentence.kind === 'prose' || sentence.kind === 'item' || sentence.kind === 'heading';
      if (!isProse || sentence.text.length > 600) continue;
      this.#weigh(sentence.words);
      if (this.#spoken.length < sentencesMax) this.#spoken.push({ sentence, turn: turn.index });
    }
  }

  finish(decisions: readonly ExtractedDecision[]): Subject {
    for (const { content } of decisions) this.#weigh(contentWords(content));
    const replaced = new Set(decisions.flatMap(({ supersedes = [] }) => supersedes));
    const task = this.#findTask(replaced);
    return { task: task === undefined ? '' : toStatement(task.plain), weights: this.#weights };
  }

  #weigh(words: ReadonlySet<string>): void {
    for (const word of words) this.#weights.set(word, (this.#weights.get(word) ?? 0) + 1);
  }

  /** The sentence of the user that asks for what is spoken of most; what was said first weighs most. */
  #findTask(replaced: ReadonlySet<string>): Sentence | undefined {
    const long = this.#spoken.filter(
      ({ sentence: { words, plain } }) =>
        words.size >= 3 && !standsOnWords.test(plain) && !isLegal.test(plain) && !replaced.has(toStatement(plain)),
    );
    const opening = long[0]?.turn ?? 0;
    let best: { sentence: Sentence; score: number } | undefined;
    for (const { sentence, turn } of long) {
      const early = turn === opening ? (sentence === long[0]?.sentence ? 5 : 3) : 1 / (1 + (turn - opening) / 8);
      const asks = goal.test(sentence.plain) || readRequest(sentence.plain, undefined) !== undefined ? 2 : 1;
      const looks =
        opensWithPassing.test(stripFillers(sentence.plain)) || asksForExplanation.test(sentence.plain) ? 0.6 : 1;
      const score = early * asks * looks * centrality(sentence.words, this.#weights);
      if (best === undefined || score > best.score) best = { sentence, score };
    }
    return best?.sentence ?? this.#spoken[0]?.sentence ?? this.#first;
  }
}

/** How much of what is spoken of most a text has, without a reward for length alone. */
export function centrality(words: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const word of words) sum += Math.log1p(weights.get(word) ?? 0);
  return sum / Math.sqrt(words.size + 4);
}
