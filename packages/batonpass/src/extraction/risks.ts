import { limits } from '../core/limits.ts';
import { contentWords, countShared } from './content-words.ts';
import type { ExtractedRisk } from './extraction.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import * as requestCues from './request-cues.ts';
import { isPasted, readRequest, stripFillers } from './request-sentence.ts';
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
      const isTask = turn.index === 0 && turn.role === 'user' && !fears.test(sentence.text);
      if (isTask || scoreRisk(sentence) < scoreMin) continue;
      const goesOn = last !== undefined && isSameBlock(last, sentence) && refersBack.test(sentence.plain);
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
      const fixes = turn.sentences.filter(({ text }) => reportsFixed.test(text));
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
  if (riskHeading.test(heading)) points += kind === 'prose' ? 1 : 2;
  if (optionHeading.test(heading)) points -= 1;
  if (strong.test(plain)) points += 2;
  if (points < scoreMin && harm.test(plain)) points += 1;
  if (points === scoreMin - 1 && weak.test(plain)) points += 1;
  return points >= scoreMin && isRiskStatement(sentence) ? points : 0;
}

/** Whether a sentence can be a concern: no reassurance, no order, no complaint or question of a user, no pasted text. */
function isRiskStatement({ plain, heading, role, words }: Sentence): boolean {
  if (words.size < 4 || words.size > 60 || settled.test(plain) || wasTried.test(plain)) return false;
  if (isQuestion(plain) && /questions?/i.test(heading)) return false;
  if (role === 'assistant') return !agrees.test(plain) && !orders.test(plain);
  if (isQuestion(plain) || isPasted(plain) || requestCues.isLegal.test(plain)) return false;
  return fears.test(plain) || (!complains.test(plain) && readRequest(plain, undefined) === undefined);
}

function readSeverity(description: string): ExtractedRisk['severity'] {
  if (severe.test(description)) return 'high';
  return minor.test(description) ? 'low' : 'medium';
}

/** Words by which people say that something may go wrong, in tables. */

/** Enough alone: the sentence speaks of a danger, a gap or a limit. */
const strong =
  /\b(?:(?<!(?:low|lower|lowest|minimum|minimal|zero|no)[- ])risks?(?!-free)|risky|caveat|concern(?:s|ed|ing)?|worr(?:y|ied|ies)|danger(?:ous)?|gotcha|pitfall|downside|trade-?off|limitation|race condition|unverified|untested|not (?:been )?(?:verified|tested|exercised|covered|validated)|couldn'?t (?:\w+ )?(?:verify|test|exercise|drive|run|check|confirm|reproduce)|could not (?:\w+ )?(?:verify|test|exercise|check|confirm)|(?:haven'?t|have not|hasn'?t|has not)(?: been)? (?:\w+[- ]){0,2}(?:verified|tested|checked|measured|thought|looked|profiled|exercised)|could only (?:check|test|verify|run|try)|only (?:tested|checked|verified|tried) (?:in|on|with|by|locally)|still (?:needs?|requires?|depends?|lacks?)|worth (?:flagging|noting)|keep in mind|be aware|heads[- ]up|achtung|vorsicht|nicht getestet|ungetestet|risiko|ungeklärt|unklar|doesn'?t survive|don'?t survive|can'?t survive|won'?t survive|data loss|accidental(?:ly)?|would break|could break|may break|might break|will break|breaks? (?:if|when|on|existing)|fails? (?:if|when)|without (?:it|this|that),|no (?:throttling|validation|rate limit|tests?|fallback|retry|migration|way to|guarantee|protection)\b|vulnerab\w+|leak(?:s|ed|ing)?|unbounded|deadlock|memory leak|out of sync|needs? a real|depends? on|unknown|no .{1,40} (?:available|possible|yet)|failing to|unclear|not sure (?:if|whether|that|how)|be careful|watch out|beware|open question|edge cases)\b/i;

/** Possibility and lack: everyday words, which count only together with others. */
const weak =
  /\b(?:could|might|may|would|can'?t|cannot|not yet|no .{1,30} yet|only|however|but|unless|until|if|verify|ensure|make sure|still|limited|never|doesn'?t|won'?t|must|handle|note that|consider|könnte|wenn|falls)\b/i;

/** What the harm would be. */
const harm =
  /\b(?:silently|stale|accumulat\w+|assum(?:e|es|ing|ption)|lose|loses|lost|loss|break|breaks|broken|fail|fails|failing|failure|wrong|confus\w+|corrupt\w*|crash\w*|leak\w*|exhaust\w*|block(?:s|ed|ing)?|conflict\w*|collide\w*|duplicate\w*|inconsisten\w+|slow\w*|delay\w*|overflow|timeout|time out|expos\w+|privacy|insecure|attack\w*|malicious|orphan\w*|unattributable|impossible|obscure|regress\w*|degrad\w+|outage|down ?time|mislead\w*|incompatib\w+|backward compatib\w+|migration|missing|malformed|goof|pile up|fall(?:s|ing)? behind|cut off|hard(?:er)? to|tension|lossy|verloren|gelöscht|kaputt|too (?:slow|large|big|easy|many|much))\b/i;

/** Headings over risks. */
const riskHeading =
  /\b(?:risks?|caveats?|concerns?|considerations?|limitations?|known issues?|gotchas?|warnings?|trade-?offs?|worth flagging|open questions?|could not|couldn'?t|verification checklist|potential)\b/i;

/** Under a heading of an option, drawbacks are the option's own. */
const optionHeading = /\b(?:options?|alternatives?|pros|cons)\b/i;

/** Said to calm, or of the past, or of what was just done: no risk is left. */
const settled =
  /\b(?:no (?:risk|issue|problem|concern)s?\b|low risk|safe because|harmless|benign|negligible|nothing (?:urgent|accumulates)|lowest risk|not an edge case|correct\)|by design|already (?:tested|covered|handled|checked)|ready (?:to|for)|not a (?:problem|concern|bug)|is fine|0 issues|all (?:tests )?pass|tests? pass|fixed|resolved|let me|i'll|now (?:i|let)|what i (?:verified|checked|confirmed)|i (?:verified|confirmed|checked) (?!only)|previously|used to|the (?:bug|problem|issue) (?:was|is)|root cause|pre-existing|want me to|would you like|i'd recommend|i recommend|my recommendation|i'd suggest|are expected)\b/i;

/** A later word that the concern is gone. */
const reportsFixed = /\b(?:fixed|resolved|no longer|now (?:handles?|works?|passes|verified)|verified)\b/i;

/** Harm to data, people or the whole. */
const severe =
  /\b(?:data loss|los(?:e|es|t|ing) (?:\w+ ){0,2}(?:data|history|work|writes?|records?)|secur\w+|privacy|private|(?:leak|expos|publish|commit|steal)\w* (?:\w+ ){0,3}(?:data|secrets?|tokens?|credentials?|keys?|history)|attackers?|vulnerab\w+|injection|publish your|production (?:down|outage)|system-wide|unattributable|irreversibl\w+|exhaust\w*|defeat\w*|accumulat\w+)\b/i;

/** Rare, cosmetic or easily worked round. */
const minor =
  /\b(?:minor|small|rare(?:ly)?|unlikely|cosmetic|edge case|obscure|narrow|trivial|cheap|tiny|slight(?:ly)?|wide|tidiness|harmless|nice to have|simply|theoretical|malformed|no throttling|at a quick glance|naming|label|wording|tags?)\b/i;

/** The speaker says that he is afraid of something. */
const fears = /\b(?:risks?|risky|concern(?:s|ed)?|worr(?:y|ied)|afraid|danger\w*|be careful|watch out)\b/i;

/** The answer agrees with a complaint by saying it again. */
const agrees =
  /^(?:right|good (?:catch|point|call)|you'?re (?:absolutely |completely )?right|yes|yep|yeah|exactly|agreed|got it|fair|understood|true)\b/i;

/** The user complains of how it is: that is the task. */
const complains =
  /\b(?:there(?:'s| is| are)|we (?:have|get|see)|i (?:see|get|got|noticed|have|had)|it (?:works|shows|looks|takes|does)|why)\b/i;

/** An order for how a thing is to behave. */
const orders =
  /^(?:fail|return|show|add|store|use|throw|update|print|write|abort|reject|skip|run|get|so get|create|remove|change|make|set|keep|the \w+ (?:must|should) (?!not\b|still\b))/i;

/** What was tried and given up is a dead end. */
const wasTried = /\b(?:i|we) (?:first )?(?:tried|attempted)\b/i;

/** Says of what was just said that it is unverified, or what it leads to. */
const refersBack = /^(?:\W*\w+\W+){0,4}(?:that|this|it|these|those)\b/i;
