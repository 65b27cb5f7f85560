import { limits } from '../core/limits.ts';
import { contentWords, countShared } from './content-words.ts';
import type { ExtractedRisk } from './extraction.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import * as requestCues from './request-cues.ts';
import { isPasted, readRequest, stripFillers } from './request-sentence.ts';
import * as cues from './risk-cues.ts';
import type { Sentence } from './sentences.ts';
import { SimilarTexts } from './similar-texts.ts';
import type { Turn, TurnInPlace } from './turns.ts';

/** A sentence needs this much to count as a risk; single weak words are everyday language. */
const scoreMin = 2;

/** What a risk shares at least with one that restates it. */
const restatedMin = 0.5;

/** What a risk shares at least with a later report that it is fixed. */
const fixedMin = 0.4;

interface RiskCandidate {
  risk: ExtractedRisk;
  words: ReadonlySet<string>;
  turn: number;
}

/** Risks that are still open at the end of a dialogue. */
interface OpenRisks {
  risks: ExtractedRisk[];
  /** Risks that no list could hold. */
  dropped: number;
}

const rank = { high: 0, medium: 1, low: 2 };

/**
 * Collects what someone said could go wrong, is unknown, unverified or limited. Restatements become one; a concern that
 * a later turn reports as fixed is none. Where there are too many, the lightest and oldest are left out.
 */
export class Risks {
  readonly #open = new SimilarTexts<RiskCandidate>();
  #dropped = 0;

  add(place: TurnInPlace): void {
    const { turn } = place;
    this.#settle(place);
    // What an explanation warns of in general is no risk of this work.
    if (requestCues.asksForExplanation.test(place.before.at(-1)?.sentences[0]?.plain ?? '')) return;
    let last: Sentence | undefined;
    for (const sentence of turn.sentences) {
      // What the first turn complains of is the problem to solve, not a risk of its solution.
      const isTask = turn.index === 0 && turn.role === 'user' && !cues.fears.test(sentence.text);
      if (isTask || scoreRisk(sentence) < scoreMin) continue;
      const goesOn = last !== undefined && isSameBlock(last, sentence) && cues.refersBack.test(sentence.plain);
      last = sentence;
      if (goesOn) continue;
      const candidate = toCandidate(sentence, turn);
      if (this.#open.findAlike(candidate.words, restatedMin).length === 0) this.#open.add(candidate);
    }
    if (this.#open.size > 2 * limits.entries_max) this.#shrink();
  }

  /** Drops the concerns that a turn reports as fixed, has fixed by the next one, or makes void by choosing otherwise. */
  #settle({ turn, next }: TurnInPlace): void {
    if (this.#open.size === 0) return;
    if (turn.role === 'assistant') {
      const fixes = turn.sentences.filter(({ text }) => cues.reportsFixed.test(text));
      for (const { words } of fixes) for (const risk of this.#open.findAlike(words, fixedMin)) this.#open.delete(risk);
      return;
    }
    const first = stripFillers(turn.sentences[0]?.plain ?? '');
    const isLeft = turn.sentences.length <= 3 && leaves.test(first);
    const isDone = next?.sentences.slice(0, 3).some(({ plain }) => opensWithDone.test(plain)) === true;
    if (!isLeft && !isDone) return;
    for (const candidate of [...this.#open.values()].filter((risk) => risk.turn === turn.index - 1)) {
      if (isLeft || turn.sentences.some((sentence) => isRemedy(sentence, candidate))) this.#open.delete(candidate);
    }
  }

  /** The gravest first. */
  finish(): OpenRisks {
    this.#shrink();
    const risks = [...this.#open.values()].map(({ risk }) => risk);
    return { risks: risks.sort((a, b) => rank[a.severity] - rank[b.severity]), dropped: this.#dropped };
  }

  #shrink(): void {
    const excess = this.#open.size - limits.entries_max;
    if (excess <= 0) return;
    const leastFirst = [...this.#open.values()].sort(
      (a, b) => rank[b.risk.severity] - rank[a.risk.severity] || a.turn - b.turn,
    );
    for (const candidate of leastFirst.slice(0, excess)) this.#open.delete(candidate);
    this.#dropped += excess;
  }
}

/** The option that was weighed is not done, so its drawbacks no longer matter. */
const leaves = /^(?:(?:that'?s |it'?s )?not worth|then not|never mind|forget (?:it|that))/i;

const opensWithDone =
  /^(?:done|fixed|added|changed|updated|implemented|removed|replaced|switched|moved|applied|rewrote|umgesetzt|both done|good (?:catch|point|call)|you'?re right)\b/i;

/** An order of the user that answers the concern: it names the same things, or comes right upon it. */
function isRemedy({ plain, words }: Sentence, { words: concern }: RiskCandidate): boolean {
  if (readRequest(plain, undefined) === undefined && !/^(?:then|so|ok(?:ay)?,?) /i.test(plain)) return false;
  return countShared(words, concern) >= 2 || /^(?:then|stimmt|dann)\b|\bfix (?:it|that|this)\b/i.test(plain);
}

function isSameBlock(a: Sentence, b: Sentence): boolean {
  return a.message === b.message && a.block === b.block;
}

function toCandidate(sentence: Sentence, turn: Turn): RiskCandidate {
  const description = toStatement(sentence.text);
  return {
    risk: {
      description,
      severity: readSeverity(description),
      evidence: { message: sentence.message, quote: sentence.text },
    },
    words: contentWords(description),
    turn: turn.index,
  };
}

/** Points for what the sentence says and for the heading it is under. */
function scoreRisk(sentence: Sentence): number {
  const { plain, kind, heading } = sentence;
  if (kind === 'heading' || plain.length < 12) return 0;
  let points = 0;
  if (cues.riskHeading.test(heading)) points += kind === 'prose' ? 1 : 2;
  if (cues.optionHeading.test(heading)) points -= 1;
  if (cues.strong.test(plain)) points += 2;
  if (points < scoreMin && cues.harm.test(plain)) points += 1;
  if (points === scoreMin - 1 && cues.weak.test(plain)) points += 1;
  return points >= scoreMin && isRiskStatement(sentence) ? points : 0;
}

/** Whether a sentence can be a concern: no reassurance, no order, no complaint or question of a user, no pasted text. */
function isRiskStatement({ plain, heading, role, words }: Sentence): boolean {
  if (words.size < 4 || words.size > 60 || cues.settled.test(plain) || cues.wasTried.test(plain)) return false;
  if (isQuestion(plain) && /questions?/i.test(heading)) return false;
  if (role === 'assistant') return !cues.agrees.test(plain) && !cues.orders.test(plain);
  if (isQuestion(plain) || isPasted(plain) || requestCues.isLegal.test(plain)) return false;
  return cues.fears.test(plain) || (!cues.complains.test(plain) && readRequest(plain, undefined) === undefined);
}

function readSeverity(description: string): ExtractedRisk['severity'] {
  if (cues.severe.test(description)) return 'high';
  return cues.minor.test(description) ? 'low' : 'medium';
}
