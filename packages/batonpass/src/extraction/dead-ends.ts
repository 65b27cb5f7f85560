import { limits } from '../core/limits.ts';
import type { ExtractedAttempt } from './extraction.ts';
import { toPlainText, toStatement } from './plain-text.ts';
import { opensWithPassing, opensWithShaping } from './request-cues.ts';
import type { Sentence } from './sentences.ts';
import { SimilarTexts } from './similar-texts.ts';
import type { TurnInPlace } from './turns.ts';

/** Something was tried, and how it ended. */
const tried =
  /\b(?:tried|attempted|experimented with|went with|switched to|started with)\b[^.]{3,160}?(?<turn>,? (?:but|and (?:it|that|this) (?:still|didn'?t|did not|doesn'?t|failed|broke)|yet|however|without (?:success|luck|effect)|which (?:didn'?t|did not|broke|failed|made))\b|\s[—–-]\s|: )/i;

/** A statement that the approach itself failed or was abandoned. */
const abandoned =
  /\b(?:(?:didn'?t|did not|doesn'?t|does not|won'?t|never) (?:help|work(?: out)?|fix (?:it|this|that)|change anything|make a difference)|(?:dead end|no luck|to no avail|in vain)|(?:gave|give|giving) up on|(?:abandoned|ruled out|backed out|rolled back|reverted) (?!to\b|and\b|it\b|that\b)|turned out (?:to be )?(?:wrong|not|too|impossible|a dead end)|made (?:it|things) worse)\b/i;

/** A wish, a possibility, or how a thing behaves: nobody tried anything. */
const notTried =
  /\?["')]*$|^(?:if|when|unless|let'?s|please|should|could|would)\b|\b(?:might|may|could|would|will|if (?:it|that|this)|in case|whether|make sure|should|want|need to|users? (?:tried|attempted)|i'll|let me|next)\b/i;

/** What makes it clear that somebody of this conversation did it. */
const doneHere =
  /\b(?:i|we|i've|we've|already|first|then|attempt|approach|that|this|tried|reverting|reverted|rolled back)\b/i;

/** Fewer words of its own do not say what was given up. */
const namedWordsMin = 4;

interface Attempt extends ExtractedAttempt {
  words: ReadonlySet<string>;
}

/** Collects what somebody says was tried and abandoned, so that the next one does not try it again. */
export class DeadEnds {
  readonly #found = new SimilarTexts<Attempt>();

  add({ turn }: TurnInPlace): void {
    for (const [index, sentence] of turn.sentences.entries()) {
      const attempt = readAttempt(sentence, turn.sentences[index - 1]);
      if (attempt === undefined) continue;
      for (const same of this.#found.findAlike(attempt.words, 0.6)) this.#found.delete(same);
      this.#found.add(attempt);
    }
    while (this.#found.size > limits.entries_max) this.#deleteOldest();
  }

  finish(): ExtractedAttempt[] {
    return [...this.#found.values()].map(({ what, outcome }) => ({ what, outcome }));
  }

  #deleteOldest(): void {
    for (const attempt of this.#found.values()) {
      this.#found.delete(attempt);
      return;
    }
  }
}

function readAttempt(sentence: Sentence, before: Sentence | undefined): Attempt | undefined {
  const { text, kind, plain: said } = sentence;
  // "Keep X but accept that Y won't work" is offered, not tried.
  if (opensWithShaping.test(said) || opensWithPassing.test(said)) return undefined;
  if (kind === 'heading' || kind === 'cell' || kind === 'quote' || text.length > 400) return undefined;
  const turn = tried.exec(text);
  const isAbandoned = abandoned.test(text);
  if (!isAbandoned && (turn === null || !/n'?t\b|\bnot\b|fail|broke|wors|error|still|luck|success/i.test(text)))
    return undefined;
  if (notTried.test(sentence.plain) || !doneHere.test(text) || sentence.words.size < 2) return undefined;
  const { words } = sentence;
  const split = turn?.groups?.turn;
  const plain = sentence.plain;
  const at = split === undefined ? -1 : plain.indexOf(split.trim(), 8);
  if (split !== undefined && at > 0)
    return { what: toStatement(plain.slice(0, at)), outcome: toOutcome(plain.slice(at)), words };
  // "That didn't help.": what was done is said before.
  const refersBack = /^(?:but |so |sadly |unfortunately )?(?:it|that|this|which|no luck|neither)\b/i.test(plain);
  const what = refersBack && before?.message === sentence.message ? toStatement(before.plain) : '';
  if (refersBack && what === '') return undefined;
  // "Reverted and pushed." does not say what.
  if (what === '' && (sentence.words.size < namedWordsMin || /^wait\b/i.test(plain))) return undefined;
  return what === ''
    ? { what: toStatement(plain), outcome: 'Given up.', words }
    : { what, outcome: toStatement(plain), words: new Set([...words, ...(before?.words ?? [])]) };
}

function toOutcome(rest: string): string {
  return toStatement(toPlainText(rest.replace(/^[\s,:;—–-]*(?:but|and|yet|however|which)?[\s,]+/i, '')));
}
