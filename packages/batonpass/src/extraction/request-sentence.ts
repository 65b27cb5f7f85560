import { asAssertion } from './assertion.ts';
import { contentWords } from './content-words.ts';
import { contrasts, readUndone, withoutQuotations, withoutWish } from './language-cues.ts';
import { isQuestion, toPlainText, toStatement, withoutQuestionMark } from './plain-text.ts';
import * as cues from './request-cues.ts';
import type { Turn } from './turns.ts';

/** The sentence from where it comes to the point. */
export function stripFillers(text: string): string {
  return toPlainText(text).replace(cues.fillers, '').trim();
}

/** What a user's sentence settles, as a statement; nothing where it settles nothing. @param next - the answer to it. */
export function readRequest(plain: string, next: Turn | undefined): string | undefined {
  const point = stripFillers(withoutWish(stripFillers(plain)));
  if (contentWords(point).size < 1 || isPasted(plain) || isLegalText(plain)) return undefined;
  if (isQuestion(plain)) return readQuestion(point, next);
  if (asksWithoutMark.test(point)) return readQuestion(point, next);
  if (isRequest(withoutLongQuotation(point))) return toStatement(asOrder(point));
  // "Yup, update the README, then let's look at …": the part before is a choice of its own.
  const head = point
    .slice(0, cues.proposesTogether.exec(point)?.index ?? 0)
    .replace(/[\s,;]*(?:then|and|so)?[\s,;]*$/i, '');
  return contentWords(head).size >= 2 && isRequest(head) ? toStatement(asOrder(head)) : undefined;
}

/** Opens like a question of what is to be, or ends as one; many are written without their mark. */
const asksWithoutMark =
  /^(?:(?:can|could|may) (?:we|i)|(?:shall|should) (?:we|i|it|they|this|that|the))\b|\s(?:right|correct)[.!]?$/i;

/** "Don't write any code yet" holds until the next word. */
const holdsForNow = /\b(?:do not|don['’]?t|no)\b.*\byet\b/i;

function readQuestion(marked: string, next: Turn | undefined): string | undefined {
  const point = withoutQuestionMark(marked);
  if (/\bi thought we\b/i.test(point)) return isCarriedOut(next) ? toStatement(point) : undefined;
  // "Do we have the same in other shells?" wants to know, and a "yes" to two ways chooses neither.
  if ((cues.asks.test(point) && !cues.asksForAct.test(point)) || /\bor\b/i.test(point)) return undefined;
  const act = stripFillers(cues.asksForAct.exec(point)?.groups?.act ?? '');
  // "Can we …" asks for the thing itself; "can you …" may ask for any act.
  const isOurs = /^(?:can|could|should|shall)(?:n'?t)?\s+(?:we|the|it|this|that)\b/i.test(point);
  const isOrder = isShaping(act) && (isOurs || cues.opensWithShaping.test(act));
  const tag = /,\s*(?:no|right|yeah|ok|correct)$/i;
  const isOwnAnswer =
    cues.opensWithShaping.test(point) || (tag.test(point) && (/^we\b/i.test(point) || cues.statesWill.test(point)));
  if (!isOrder && !isOwnAnswer) return undefined;
  if (!isCarriedOut(next)) return undefined;
  const asserted = asAssertion(point);
  // "Can the app remember the last tab?" says what the app should do.
  if (isOrder && !/^(?:can|could|should|shall)(?:n'?t)?\s+(?:we|it|this|that)\b/i.test(point) && asserted !== point)
    return toStatement(asserted);
  return toStatement(isOrder ? act : point.replace(tag, ''));
}

/** Whether the answer's first words take the question as an order. */
function isCarriedOut(next: Turn | undefined): boolean {
  const head = (next?.sentences.slice(0, 3) ?? []).map((sentence) => toPlainText(sentence.text));
  return !head.some((text) => cues.declines.test(text)) && head.some((text) => cues.carriesOut.test(text));
}

/** Drops the words that say somebody wants it: what is wanted is the choice. */
function asOrder(point: string): string {
  const order =
    /^(?:let'?s|let us)\s+(?:also\s+|just\s+|actually\s+|then\s+|please\s+)?(?<rest>(?!not\b|see\b|say\b)[a-z][\s\S]*)$/i.exec(
      point,
    )?.groups?.rest;
  return order ?? point;
}

/** Licences and terms that were pasted: words of law, or nothing but capitals. */
function isLegalText(plain: string): boolean {
  return cues.isLegal.test(plain) || (plain.length > 40 && plain === plain.toUpperCase());
}

/** Without a quoted sentence, which is no order of the one who quotes it. */
function withoutLongQuotation(point: string): string {
  const own = withoutQuotations(point);
  return point.length - own.length > quotedCharactersMin ? own.trim() : point;
}
const quotedCharactersMin = 24;

/** "npm, not yarn" chooses; a longer sentence with a contrast in it explains. */
const contrastWordsMax = 8;

function isRequest(point: string): boolean {
  const together = cues.proposesTogether.exec(point);
  if (together !== null) return shapes(stripFillers(together.groups?.rest ?? ''));
  if (/^i thought we\b/i.test(point)) return true;
  if (cues.acceptsNamed.test(point) && !cues.reports.test(point) && !cues.opensWithPassing.test(point))
    return !/^\(|\bcurrent(?:ly)?\b/i.test(point);
  if (cues.asks.test(point) || readUndone(point) !== undefined) return false;
  if (cues.changesMind.test(point)) return true;
  if (contrasts(point) && contentWords(point).size <= contrastWordsMax && !cues.reports.test(point)) return true;
  if (cues.isOwnDuty.test(point) || cues.onlyAccepts.test(point)) return false;
  if (cues.forbids.test(point)) return !holdsForNow.test(point);
  if (cues.asksInGerman.test(point)) return false;
  if (cues.ordersInGerman.test(point)) return true;
  if (cues.opensWithPassing.test(point)) return false;
  if (cues.opensWithShaping.test(point)) return true;
  const act = cues.namesAct.exec(point)?.groups?.act;
  if (act !== undefined && !isShaping(stripFillers(act))) return false;
  if (cues.setsScope.test(point)) return true;
  if (cues.reports.test(point)) return cues.settlesInReport.test(point);
  const permitted = cues.permits.exec(point)?.groups?.act;
  if (permitted !== undefined && cues.opensWithShaping.test(permitted)) return true;
  return cues.statesWill.test(point);
}

/** "Let's dive into …" goes on with the work; "let's keep …", "let's not …" settle something. */
function shapes(rest: string): boolean {
  return (
    isShaping(rest) &&
    (cues.opensWithShaping.test(rest) || cues.forbids.test(rest) || /^(?:go|not|never)\b/i.test(rest))
  );
}

/** Whether the words are no order for one act or one answer. */
function isShaping(act: string): boolean {
  return act !== '' && !cues.opensWithPassing.test(act);
}

/** Logs, code and tool output that the user pasted without a fence. */
export function isPasted(plain: string): boolean {
  return /^(?:\$|>|at \S+[.(]|Error\b|\w*(?:Error|Exception):|\[\d|\d{2}:\d{2}|[{}<[/]|const |import |#)|[{};]\s*$/.test(
    plain,
  );
}
