import { countShared, likeness } from './content-words.ts';
import type { ExtractedStatement } from './extraction.ts';
import { denies, readUndone } from './language-cues.ts';
import { readShortAnswer } from './numbered-answers.ts';
import { isQuestion, isQuoted, toStatement } from './plain-text.ts';
import type { Sentence } from './sentences.ts';
import { type Turn, turnsBack } from './turns.ts';

/** Steps and questions of long ago are done or dropped; only the end of a dialogue says what is open. */
const statementsMax = 12;

const nextHeading =
  /\b(?:next (?:up|steps?|actions?)|remaining|to[- ]?dos?|action items?|follow-?ups?|still (?:open|to do|missing)|what(?:'s| is) (?:left|next|missing)|left to do|later|out of scope|deferred|nächste schritte|noch (?:zu tun|offen)|als nächstes)\b|(?<![\p{L}])(?:prochaines? (?:étapes?|actions?)|(?:reste )?à faire|próxim[oa]s? (?:pasos?|passos?|etapas?)|pendientes?|por hacer|pendências|следующ\p{L}+ шаг\p{L}*|что дальше|осталось|prossimi passi)(?![\p{L}])|下一步|待办|待辦|后续|後續|次のステップ|残りの作業|今後の(?:作業|予定)|다음 단계/iu;
const nextCue =
  /\b(?:next(?: up| step)?[,:]|next step (?:is|would be|will be)|next (?:i|we)(?:'ll| will|'d)?|follow-?up|still (?:needs? to|to do|have to|has to|missing)|remaining|to ?do:|left to do|tomorrow|afterwards?|then we'?ll|come back to (?!you|me|it\b)|before (?:we )?(?:merg|ship|releas|deploy)\w*|needs? to be (?:done|added|verified|tested)|not (?:done|wired|implemented) yet|please (?:confirm|verify|run|check)|als nächstes|müssen wir noch|fehlt noch)\b/i;
const done =
  /\b(?:done|finished|completed|all (?:tests )?pass|let me|i['’]ll (?:start|begin)|before:|now (?:let|i))\b/i;
/** What the speaker is about to do by himself, or says to be kind. */
const narrates =
  /^(?:so |now |ok(?:ay)?,? |first,? |then,? )*(?:i['’](?:ll|m|ve|d)|i (?:will|am|have|would)|let me|thanks?|thank you|great|good luck|feel free)\b/i;

const questionHeading =
  /\b(?:open (?:questions?|decisions?|points?)|questions? for you|unresolved|to decide|undecided|offene (?:fragen|punkte))\b/i;
const questionCue =
  /\b(?:open question|still open|undecided|not (?:decided|settled)|to be decided|tbd|not yet decided|unresolved|need(?:s)? to decide|have(?:n't| not) decided|the one decision|not sure (?:yet )?(?:if|whether|how|which)|stays yours)\b/i;

/**
 * What is to be done next, as the end of the dialogue says it, in the order said: the last list of steps, and what was
 * said of them since.
 */
export function extractNextSteps(end: readonly Turn[]): ExtractedStatement[] {
  const turns = end.slice(-turnsBack);
  const listed = turns.findLast((turn) => turn.role === 'assistant' && turn.sentences.some(isListedStep));
  const last = turns.findLast((turn) => turn.role === 'assistant');
  // What an older list names was done, or the last answer would name it again.
  const isReplaced = listed !== last && last?.sentences.some(isNamedStep) === true;
  return collect(turns, (sentence, turn) => {
    if (sentence.isDone || isQuestion(sentence.plain) || isSettledLater(sentence, turn, turns)) return false;
    if (isListedStep(sentence)) return (turn === listed && !isReplaced) || turn.role === 'user';
    // A cue in an older answer refers to something that has been done since.
    return isNamedStep(sentence) && (turn === last || turn.role === 'user');
  });
}

/** Whether a sentence outside of a list says what is next. */
function isNamedStep({ text, plain }: Sentence): boolean {
  return nextCue.test(text) && !done.test(text) && !narrates.test(plain);
}

/** What share of a step's words the agent must say again in a later turn, and that it is done. */
const doneShare = 0.5;
/** What share of them the person must say again to ask for just that step. */
const takenShare = 0.8;
const reportsDone =
  /\b(?:done|finished|completed?|added|fixed|created|updated|implemented|removed|wrote|written|moved|renamed|replaced|pushed|merged|deployed|passes|now (?:works|has|uses|is)|is (?:in place|there)|works)\b|✓|✅/i;

/** The person leaves a step out, or has done it. */
const setsAside =
  /(?<![\p{L}])(?:skip|drop|leave|omit|already|myself|lass|weglassen|schon|bereits|selbst|déjà|laisse|ya|deja|уже|сам)(?![\p{L}])|已经|跳过|もう|自分で/iu;

/** Everything is done: no earlier step is left. */
const nothingLeft =
  /^(?:(?:and|then|so|ok(?:ay)?|great)[,.]? )*(?:both|all|everything) (?:of (?:it|them|that) )?(?:is |are )?(?:done|fixed|finished)\b|\bnothing (?:else |more )?(?:is )?(?:open|left|to do)\b|nichts mehr offen|plus rien à faire|nada (?:más )?pendiente|没有(?:其他|别的|待办)/i;

/** Whether the agent reports later that a step was done, or the person asks for it, answers it, leaves it out or undoes the work. */
function isSettledLater({ words, number }: Sentence, turn: Turn, turns: readonly Turn[]): boolean {
  const label = number === undefined ? undefined : new RegExp(`(?<![\\p{L}\\d.])${number}(?![\\p{L}\\d%])`, 'iu');
  return turns.slice(turns.indexOf(turn) + 1).some(({ role, sentences, index }) =>
    sentences.some(({ text, plain, words: later }) => {
      if (nothingLeft.test(plain)) return true;
      const shared = countShared(words, later);
      if (role === 'assistant')
        return shared >= doneShare * words.size && reportsDone.test(text) && !nextCue.test(text);
      // What the person chose last is still to be done.
      const isWorkedOn = index !== turns.at(-1)?.index;
      const isAnswered = isWorkedOn && label?.test(plain) === true && plain.length <= answerCharactersMax;
      const isTaken = isWorkedOn && shared >= takenShare * words.size;
      if (isAnswered || isTaken || readUndone(plain) !== undefined) return true;
      return shared >= doneShare * words.size
        ? denies(plain) || setsAside.test(plain)
        : shared > 0 && setsAside.test(plain);
    }),
  );
}

/** "1 yes, 2 is not needed" answers a list of steps; a longer sentence with a number speaks of other things. */
const answerCharactersMax = 160;

/** An entry of a list under "Next steps", whether that is a heading or a line with a colon. */
function isListedStep({ kind, opens, lead, heading }: Sentence): boolean {
  return kind === 'item' && opens && (nextHeading.test(lead) || (lead === '' && nextHeading.test(heading)));
}

/** Unanswered questions: questions named as open, and the last turn's questions about the subject. */
export function extractOpenQuestions(end: readonly Turn[]): ExtractedStatement[] {
  const last = end.at(-1);
  return collect(end.slice(-turnsBack), (sentence, turn) => {
    const asks = isQuestion(sentence.plain);
    if (questionCue.test(sentence.text)) return !isAnswered(sentence, turn, end);
    const isUnder = questionHeading.test(sentence.heading) || questionHeading.test(sentence.lead);
    if (isUnder) return (asks || sentence.opens) && !isAnswered(sentence, turn, end);
    return (
      asks &&
      turn === last &&
      turn.role === 'assistant' &&
      !isQuoted(sentence.text) &&
      !/^(?:want|would you like|shall|should|soll) (?:me|i|ich)?\b/i.test(sentence.plain)
    );
  });
}

/** The user's next turn settles it in some words: "30 days." */
function isAnswered(sentence: Sentence, turn: Turn, end: readonly Turn[]): boolean {
  const next = end[end.indexOf(turn) + 1];
  if (turn.role !== 'assistant' || next?.role !== 'user') return false;
  return readShortAnswer(next, turn)?.support?.some(({ quote }) => quote === sentence.text) === true;
}

function collect(turns: readonly Turn[], accepts: (sentence: Sentence, turn: Turn) => boolean): ExtractedStatement[] {
  const kept: { statement: ExtractedStatement; words: ReadonlySet<string> }[] = [];
  for (const turn of turns) {
    for (const sentence of turn.sentences) {
      if (sentence.kind === 'heading' || sentence.kind === 'cell' || !accepts(sentence, turn)) continue;
      const { words, text, message } = sentence;
      if (words.size < 2 || words.size > 50) continue;
      const same = kept.findIndex((earlier) => likeness(earlier.words, words) >= 0.6);
      if (same !== -1) kept.splice(same, 1);
      kept.push({ statement: { content: toStatement(text), evidence: { message, quote: text } }, words });
    }
  }
  return kept.slice(-statementsMax).map(({ statement }) => statement);
}
