import type { Decision } from '../core/content.ts';
import type { Message } from '../core/conversation.ts';
import { findCarriedOut } from './carried-out.ts';
import { contentWords, countShared } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import type { Reversal } from './earlier-words.ts';
import type { ExtractedDecision } from './extraction.ts';
import { findImplied } from './implied.ts';
import { denies, readUndone } from './language-cues.ts';
import { isQuestion, readAnsweredLine, shorten, toPlainText, toStatement } from './plain-text.ts';
import { findRatifications, leftOut, putOff } from './ratifications.ts';
import * as cues from './request-cues.ts';
import { findRequests } from './requests.ts';
import { ChoicesInForce } from './reversals.ts';
import { openingSentences } from './selections.ts';
import type { Sentence } from './sentences.ts';
import { splitMessage } from './sentences.ts';
import type { Turn, TurnInPlace } from './turns.ts';

/** The choices in force at the end of a dialogue, and those from before it that it revoked, in their words. */
interface DecisionsInForce {
  decisions: ExtractedDecision[];
  revoked: string[];
  reversals: Reversal[];
  /** Choices that no list could hold. */
  dropped: number;
}

/** Collects the choices of a dialogue, turn by turn. */
export class Decisions {
  readonly #choices: ChoicesInForce;

  /** @param earlier - the choices in force when the dialogue began, which it may revoke. */
  constructor(earlier: readonly Decision[] = []) {
    this.#choices = new ChoicesInForce(earlier);
  }

  /** @param message - the first of the conversation, which may be a plan that was approved before it. */
  open(message: Message): void {
    for (const candidate of findApprovedPlan(message, 0)) this.#choices.add(candidate);
  }

  add(place: TurnInPlace): void {
    const { turn } = place;
    const opening = turn.role === 'user' ? turn.sentences.slice(0, openingSentences) : [];
    const undo = opening.find(({ plain }) => readUndone(plain) !== undefined);
    if (undo !== undefined) this.#choices.undo(undo, turn.index);
    for (const { words } of opening.filter(ordersNow)) this.#choices.lift(putOff, words);
    for (const candidate of findChoices(place)) this.#choices.add(candidate);
  }

  /** What the user said or ratified first, what was implied last; within each in the order said. */
  finish(): DecisionsInForce {
    const { decisions, revoked, reversals, dropped } = this.#choices.finish();
    const all = decisions.map(({ turn: _turn, ...decision }): ExtractedDecision => decision);
    return {
      decisions: [...all.filter(isExplicit), ...all.filter((decision) => !isExplicit(decision))],
      revoked,
      reversals,
      dropped,
    };
  }
}

/** "Go ahead and delete them": more words say another thing. */
const orderWordsMax = 6;

function ordersNow({ plain, words }: Sentence): boolean {
  return words.size <= orderWordsMax && !isQuestion(plain) && !denies(plain) && !cues.putsOff.test(plain);
}

function isExplicit({ confidence }: ExtractedDecision): boolean {
  return confidence === 1;
}

function findChoices(place: TurnInPlace): DecisionCandidate[] {
  const { turn, next } = place;
  if (turn.role === 'assistant') {
    const plans = turn.messages.flatMap((message) => findApprovedPlan(message, turn.index));
    // The options of a question are no choices: the answer is.
    const isAsked = next !== undefined && findAnswered(next, turn).length > 0;
    return isAsked ? plans : [...plans, ...findCarriedOut(place), ...findImplied(place)];
  }
  const before = place.before.at(-1);
  const answered = findAnswered(turn, before);
  const isFurther = ({ evidence }: DecisionCandidate) =>
    !answered.some(
      (each) => each.evidence.message === evidence.message && each.evidence.quote.includes(evidence.quote),
    );
  const requests = withCorrections(findRequests(turn, next), turn).filter(isFurther);
  const ratified = withCorrections(findRatifications(turn, before, requests), turn).filter(isFurther);
  // "Yup, do it that way" is one acceptance: the order that only points back says it twice.
  const own = requests.filter(
    (request) => ratified.length === 0 || (request.support === undefined && !repeats(request, ratified)),
  );
  return [...answered, ...ratified, ...own];
}

/** "Use 22. No wait, 20.": a choice that the next sentence corrects is kept together with the correction. */
function withCorrections(choices: readonly DecisionCandidate[], turn: Turn): DecisionCandidate[] {
  return choices.map((choice) => {
    const at = turn.sentences.findIndex(
      ({ message, text }) => message === choice.evidence.message && text === choice.evidence.quote,
    );
    const [said, next, further] = turn.sentences.slice(at);
    if (choice.isAnswer || at === -1 || said === undefined || next === undefined || !cues.takesBack.test(next.plain))
      return choice;
    const whole = [said, next, further].flatMap((sentence) => sentence?.plain ?? []).join(' ');
    return { ...choice, content: toStatement(shorten(whole, answeredCharactersMax)) };
  });
}

/** "1 does seem a decent path" says nothing without the text of option 1. */
const opensWithLabel = /^(?:#?\d{1,2}|[A-H]) (?:does|seems?|sounds?|looks?|is|feels?|works?)\b/;

/** Whether an acceptance of the same words already says all of it. */
function repeats(request: DecisionCandidate, ratified: readonly DecisionCandidate[]): boolean {
  const words = contentWords(request.content);
  return ratified.some(
    ({ evidence, content }) =>
      evidence.quote === request.evidence.quote &&
      (opensWithLabel.test(request.content) ||
        cues.putsOff.test(request.content) ||
        content.startsWith(leftOut) ||
        countShared(words, contentWords(content)) === words.size),
  );
}

/** A question and its answer say enough by themselves from this length on; below it the option's meaning fills it up. */
const answeredCharactersMax = 200;
const meaningCharactersMin = 40;

/**
 * What a person answered to questions that the host put with its own tool: "**Which store?** SQLite", where the
 * assistant's turn before asks just that. The option's own words say what it means.
 */
function findAnswered(turn: Turn, before: Turn | undefined): DecisionCandidate[] {
  if (before?.role !== 'assistant') return [];
  const asked = before.messages.map(({ text }) => text).join('\n');
  return turn.messages.flatMap(({ index, text }) =>
    text.split('\n').flatMap((line): DecisionCandidate[] => {
      const read = readAnsweredLine(line, asked);
      if (read === undefined) return [];
      const { question, answer } = read;
      const said = toPlainText(`${question} ${answer}`);
      const room = answeredCharactersMax - said.length;
      const content = toStatement(`${said}${room < meaningCharactersMin ? '' : meaningOf(answer.trim(), asked, room)}`);
      const evidence = { message: index, quote: line.trim() };
      return [{ content, confidence: 1, evidence, isAnswer: true, turn: turn.index }];
    }),
  );
}

/** The text of the option with this name in a list. */
function meaningOf(option: string, asked: string, charactersMax: number): string {
  const line = asked.split('\n').find((each) => each.startsWith(`- **${option}** - `));
  return line === undefined ? '' : ` — ${shorten(line.slice(`- **${option}** - `.length), charactersMax)}`;
}

const planCharactersMax = 600;
const stepCharactersMax = 120;

/** How a host opens a new context with a plan that the person approved. */
const opensWithPlan = /^\s*.{1,80}:\s+(?=#{1,3} )/;

/** The plan of a message that the person approved, with its heading and steps, as a choice of the person. */
function findApprovedPlan(message: Message, turn: number): DecisionCandidate[] {
  const { index, role, text, tool_calls } = message;
  const isOpening = role === 'system' && opensWithPlan.test(text);
  if (!isOpening && !tool_calls.some(({ plan }) => plan === 'approved')) return [];
  const sentences = splitMessage({ ...message, text: text.replace(opensWithPlan, (lead) => ' '.repeat(lead.length)) });
  const heading = sentences.find(({ kind }) => kind === 'heading');
  const [first] = sentences;
  const quoted = heading ?? first;
  if (quoted === undefined) return [];
  const title = (heading?.plain ?? '').replace(/^(?:\p{L}+ )?Plan(?:\s*[:–—-]\s*|$)/iu, '');
  const steps = sentences.filter(({ kind, opens }) => kind === 'item' && opens).map(({ plain }) => plain);
  const told = [title, ...steps.map((step) => shorten(step.replace(/[.;]$/, ''), stepCharactersMax))];
  const content = told.filter((part) => part !== '').join('; ') || (first?.plain ?? '');
  const whole = shorten(`Approved plan: ${content}`, planCharactersMax);
  const evidence = { message: index, quote: quoted.text };
  return [{ content: toStatement(whole), confidence: 1, isAnswer: true, evidence, turn }];
}
