import { contentWords } from './content-words.ts';
import { toPlainText, toStatement } from './plain-text.ts';
import * as cues from './request-cues.ts';
import type { Turn } from './turns.ts';

/** The sentence from where it comes to the point. */
export function stripFillers(text: string): string {
  return toPlainText(text).replace(cues.fillers, '').trim();
}

/** What a user's sentence settles, as a statement; nothing where it settles nothing. @param next - the answer to it. */
export function readRequest(plain: string, next: Turn | undefined): string | undefined {
  const point = stripFillers(plain);
  if (contentWords(point).size < 1 || isPasted(plain)) return undefined;
  if (/\?["')\]]*$/.test(plain)) return readQuestion(point, next);
  if (isRequest(point)) return toStatement(point);
  // "Yup, update the README, then let's look at …": the part before is a choice of its own.
  const head = point
    .slice(0, cues.proposesTogether.exec(point)?.index ?? 0)
    .replace(/[\s,;]*(?:then|and|so)?[\s,;]*$/i, '');
  return contentWords(head).size >= 2 && isRequest(head) ? toStatement(head) : undefined;
}

function readQuestion(point: string, next: Turn | undefined): string | undefined {
  if (/\bi thought we\b/i.test(point)) return isCarriedOut(next) ? toStatement(point.replace(/\?+$/, '')) : undefined;
  const act = stripFillers(cues.asksForAct.exec(point)?.groups?.act ?? '');
  // "Can we …" asks for the thing itself; "can you …" may ask for any act.
  const isOurs = /^(?:can|could|should|shall)(?:n'?t)?\s+(?:we|the|it|this|that)\b/i.test(point);
  const isOrder = isShaping(act) && (isOurs || cues.opensWithShaping.test(act));
  const isOwnAnswer = cues.opensWithShaping.test(point) || /,\s*(?:no|right|yeah|ok|correct)\?$/i.test(point);
  if (!isOrder && !isOwnAnswer) return undefined;
  const said = isOrder ? act : point.replace(/,\s*(?:no|right|yeah|ok|correct)\?$/i, '');
  return isCarriedOut(next) ? toStatement(said.replace(/\?+$/, '')) : undefined;
}

/** Whether the answer's first words take the question as an order. */
function isCarriedOut(next: Turn | undefined): boolean {
  const head = (next?.sentences.slice(0, 3) ?? []).map((sentence) => toPlainText(sentence.text));
  return !head.some((text) => cues.declines.test(text)) && head.some((text) => cues.carriesOut.test(text));
}

function isRequest(point: string): boolean {
  const together = cues.proposesTogether.exec(point);
  if (together !== null) return isShaping(stripFillers(together.groups?.rest ?? ''));
  if (/^i thought we\b/i.test(point)) return true;
  if (cues.acceptsNamed.test(point) && !cues.reports.test(point)) return !/^\(|\bcurrent(?:ly)?\b/i.test(point);
  if (cues.forbids.test(point)) return true;
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

/** Whether the words are no order for one act or one answer. */
function isShaping(act: string): boolean {
  return act !== '' && !cues.opensWithPassing.test(act);
}

/** Logs, code and tool output that the user pasted without a fence. */
function isPasted(plain: string): boolean {
  return /^(?:\$|>|at \S+[.(]|Error\b|\w*(?:Error|Exception):|\[\d|\d{2}:\d{2}|[{}<[/]|const |import |#)|[{};]\s*$/.test(
    plain,
  );
}
