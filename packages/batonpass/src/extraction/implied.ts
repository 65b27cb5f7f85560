import { countShared, likeness } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import * as cues from './request-cues.ts';
import type { Sentence } from './sentences.ts';
import type { Turn, TurnInPlace } from './turns.ts';

/** Headings under which assistants state a design. */
const designHeading =
  /\b(?:principles?|decisions?|design|approach|architecture|schema|requirements?|interface|model|data|api|endpoints?|routes?|flow|lifecycle|storage|scope|structure|layout|contract|semantics|behaviou?r|rules|how it works|what this (?:commits|implies)|entwurf|architektur|schnittstellen?)\b/i;

/** One thing rather than another, or a rule of the thing: what binds the next one who builds. */
const structural =
  /\b(?:rather than|instead of|in favou?r of|no longer|never|always|only (?:on|when|for|the|a|in|if)|belongs to|becomes?|(?:gets?|is|are) (?:deleted|removed|renamed|replaced|dropped|exempt|stored|keyed|derived)|must (?:continue|be|not)|single source of truth|first-class|backward compatib|replaces?|single|one-to-one|regardless of|by default|defaults? to)\b/i;

/** A sentence that refers to what was said before, and cannot be understood alone. */
const refersBack =
  /^(?:that|this|it|these|those|they|which|both|same)\b(?! (?:folder|file|table|field|module|flag|command))/i;

/** "B) Core first" is offered, not chosen. */
const namesOption = /^(?:\(?[A-H]\)|(?:option|approach|alternative|variante?) (?:\d|[A-H])\b)/i;

/** The assistant says which of two ways it took. */
const chooses =
  /^(?:so )?i(?:'ve| have)? (?:used|kept|chose|made|put|reused|went with|left)\b.{3,120}\b(?:rather than|instead of|over|not in)\b/i;

/** A route, a command or a function call, and what it does. */
const opensWithInterface = /^\**`(?:(?:GET|POST|PUT|PATCH|DELETE) \/|--\w|[\w-]+ --\w)[^`]*`\**:?\s+(?!=)\w/;

/** Tells the person what to do: advice, no choice. */
const advises = /\byou(?:['’](?:ll|d))?\b/i;

/** The user objects to it. */
const objects =
  /\b(?:i (?:disagree|don'?t (?:like|agree|want))|disagree with|not (?:what|how) i|(?:that|this|it)(?:'s| is) (?:wrong|not right|too much|overkill)|das (?:stimmt|passt|geht) nicht)\b|^(?:wrong|incorrect|falsch)\b|^no[,.!]? (?:don'?t|not|we|that|i|it)\b/i;

/** A shorter word that a choice and an objection share may be anything. */
const nameLettersMin = 4;

/** Fewer words of its own say no choice. */
const wordsMin = 4;

/** Choices of one turn: of a report on work, of an answer, and of a design, whose choices are many. */
const reportChoicesMax = 1;
const turnChoicesMax = 4;
const designChoicesMax = 8;

/** A restatement is looked for in so many turns before, and in so many choices of each. */
const restatedTurns = 4;
const restatedChoicesMax = 40;

/** Reports on work done, checks and possibilities. */
const passing =
  /\b(?:tests? pass|all pass|lint|build succeeded|verified|let me|i'll|i will|i(?:'ve| have)|now (?:let|i|add|the|update)|could|might|may|if you|would you|want me|currently|today|right now|existing|that's (?:why|exactly)|the tension|works|was|were|previously|used to|the bug|optional|recommend\w*|suggest\w*)\b/i;

/** Answers that report finished work. */
const reportsWork =
  /\b(?:all (?:tests )?pass|tests? pass|0 issues|build (?:succeed|pass)|done\.|fixed\.|implemented)\b/i;

/**
 * The choices that the assistant states in its designs and summaries and that the user does not object to. Only structural or
 * contrastive statements count, the strongest of each turn: reports on finished work are full of details that are no rules.
 */
export function findImplied({ turn, before, next }: TurnInPlace): DecisionCandidate[] {
  // An explanation of how things are settles nothing.
  const asked = before.at(-1)?.sentences[0]?.plain ?? '';
  if (cues.asksForExplanation.test(asked)) return [];
  const stated = statedChoices(turn);
  if (stated.length === 0) return [];
  const objections = findObjections(next);
  const scored = stated
    .filter(({ words }) => !objections.some((objection) => isAgainst(objection, words)))
    .map((choice, place) => ({ choice, place, score: choice.points + (isRestated(choice, before) ? 2 : 0) }))
    .filter(({ score }) => score >= 3)
    .sort((a, b) => b.score - a.score || a.place - b.place);
  const isReport = turn.sentences.some((sentence) => reportsWork.test(sentence.text));
  const most = isReport ? reportChoicesMax : Math.min(designChoicesMax, Math.max(turnChoicesMax, scored.length / 2));
  return scored.slice(0, most).map(({ choice: { text, message } }) => ({
    content: toStatement(asStated(text)),
    confidence: 0.5,
    evidence: { message, quote: text },
    turn: turn.index,
  }));
}

/** "I used the existing table rather than a new one" says what is used. */
function asStated(text: string): string {
  return text.replace(/^(?:so )?i(?:'ve| have)? (?=(?:used|kept|chose|made|put|reused|went with|left)\b)/i, '');
}

/** What the user disagrees with, by its words: that sentence and the ones around it. */
export function findObjections(next: Turn | undefined): ReadonlySet<string>[] {
  if (next?.role !== 'user') return [];
  const { sentences } = next;
  const at = sentences.slice(0, 12).findIndex(({ plain }) => objects.test(plain));
  return at === -1 ? [] : sentences.slice(at, at + 2).map(({ words }) => words);
}

/** "I don't want mongo" is against MongoDB: two words that both have, or one long one at the least as a beginning. */
export function isAgainst(objection: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  if (countShared(words, objection) >= 2) return true;
  return [...objection].some(
    (said) => said.length >= nameLettersMin && [...words].some((word) => word.startsWith(said)),
  );
}

interface StatedChoice {
  /** An exact part of the message. */
  text: string;
  message: number;
  words: ReadonlySet<string>;
  points: number;
}

const statedByTurn = new WeakMap<Turn, StatedChoice[]>();

/** The statements of a turn that may be choices, each with its points; read once, since later turns look back. */
function statedChoices(turn: Turn): StatedChoice[] {
  const known = statedByTurn.get(turn);
  if (known !== undefined) return known;
  const stated = turn.sentences.flatMap((sentence, index) => {
    const points = ratePoints(sentence);
    if (points === 0) return [];
    const { text, message, words } = sentence;
    if (words.size >= wordsMin) return [{ text, message, words, points }];
    return readPrinciple(turn, index, points);
  });
  statedByTurn.set(turn, stated);
  return stated;
}

/** "**No deny rules.** They make …": a short bold sentence says its choice together with the one behind it. */
function readPrinciple(turn: Turn, index: number, points: number): StatedChoice[] {
  const [sentence, behind] = turn.sentences.slice(index, index + 2);
  if (sentence === undefined || behind?.block !== sentence.block || behind.message !== sentence.message) return [];
  const whole = turn.messages.find((message) => message.index === sentence.message)?.text ?? '';
  const text = whole.slice(sentence.at, behind.at + behind.text.length);
  return [{ text, message: sentence.message, words: new Set([...sentence.words, ...behind.words]), points }];
}

function ratePoints(sentence: Sentence): number {
  const { kind, text, heading } = sentence;
  if (kind === 'heading' || kind === 'cell' || text.length > 600) return 0;
  let points = 0;
  if (structural.test(text)) points += 2;
  if (designHeading.test(heading)) points += 1;
  if (sentence.opens && opensWithInterface.test(text)) points += 2;
  if (text.includes('**')) {
    if (sentence.opens && /^\s*\**(?:\d+[.)] )?\*\*|^"?\*\*/.test(text)) points += 1;
    if (/\*\*[^*]{3,}\*\*/.test(text)) points += 1;
  }
  return points > 0 && isStatement(sentence) ? points : 0;
}

/** Whether a sentence states how a thing is to be, and no report, question or list of code names. */
function isStatement({ plain, text, words, opens, number }: Sentence): boolean {
  if (isQuestion(plain) || refersBack.test(plain) || advises.test(plain)) return false;
  if (namesOption.test(plain) || (opens && /^[a-h]$/i.test(number ?? ''))) return false;
  if (!chooses.test(plain) && (passing.test(plain) || /\bI\b/.test(plain))) return false;
  if (/^→|^`[^`]+`\s*=|^(?:Added|Created|Updated) (?:to|in)\b/.test(plain)) return false;
  const isPrinciple = opens && /^\s*\*\*[^*]+\*\*/.test(text) && words.size >= 2;
  return (words.size >= wordsMin || isPrinciple) && words.size <= 32 && countCode(text) <= 3;
}

/** Sentences full of code names describe how something works. */
function countCode(text: string): number {
  return (text.match(/`[^`]+`/g) ?? []).length;
}

/** Said before in another turn of the assistant: what stays through a conversation was meant. */
function isRestated({ words }: StatedChoice, before: readonly Turn[]): boolean {
  return before.slice(-restatedTurns).some(
    (other) =>
      other.role === 'assistant' &&
      statedChoices(other)
        .slice(0, restatedChoicesMax)
        .some((stated) => likeness(words, stated.words) >= 0.6),
  );
}
