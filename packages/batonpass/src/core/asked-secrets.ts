import { isMixed, isPlaceholder, isPlainWord, type TextValue } from './secret-values.ts';
import { askAfter, askAlone, askBefore, cueStart } from './secret-words.ts';
import { readCue } from './spoken-secrets.ts';

/** A question is at the end of what its writer says. */
const QUESTION_CHARACTERS = 600;

/** An answer begins with the secret, or has it in its first sentences. */
const REPLY_CHARACTERS = 300;

const SENTENCE_CHARACTERS = 200;

/** What may follow an answer in its own clause: nothing, or the quote that closes it. */
const answerEnd = /^(?:["'`”»]|[.,;]?[ \t]*(?:\r?\n|\\n|$))/;
const answerStart = /^["'`”»*_)]{0,4}(?:[ \t]{0,2}[=:→][ \t]{0,2})?[ \t]{0,4}(?:\r?\n[ \t>]{0,8}){0,2}["'`“„«*]{0,3}/;

/** Words that answer the asker and give nothing. */
const noAnswer =
  /^(?:sorry|please|thanks?|later|never ?mind|continue|proceed|go-ahead|whatever|maybe|sure|already|somewhere|exactly|agreed|danke|bitte|weiter|später|keine?s?|keine-ahnung|gracias|luego|ninguna?|merci|aucune?|plus-tard|obrigad[oa]|grazie|nessuna?|geen|later|dzięki)$/i;

/** Whether the end of a text asks for a password, a key or a token: "What is the password?", "Please send me the token." */
export function asksForSecret(text: string): boolean {
  const tail = text.slice(-QUESTION_CHARACTERS);
  return tail.split(/(?<=[.!?。！？])\s+|\n+/).some(isQuestionForSecret);
}

/** Whether one sentence asks for a secret itself: its policy, its field or its change is none. */
function isQuestionForSecret(sentence: string): boolean {
  for (const { index } of sentence.matchAll(cueStart)) {
    const named = readCue(sentence, index);
    if (named === undefined) continue;
    const before = sentence.slice(0, named.from);
    const after = sentence.slice(named.to);
    if (askAfter.test(after) && (askBefore.test(before) || isAskedAfter(after))) return true;
    if (askAlone.test(after) && before.trim().split(/\s+/).length <= 4) return true;
  }
  return false;
}

/** In the scripts without spaces the question follows the name. */
function isAskedAfter(after: string): boolean {
  return /^[^\s\p{P}\p{ASCII}]/u.test(after);
}

/** The secrets in an answer to such a question: a word alone, or words that look like a token. */
export function findInReply(reply: string): TextValue[] {
  const alone = reply.trim();
  if (!/\s/.test(alone)) {
    const from = reply.indexOf(alone);
    return isAnswer(alone) ? [{ from, to: from + alone.length, text: alone, quoted: false }] : [];
  }
  return [...reply.slice(0, REPLY_CHARACTERS).matchAll(/\S+/g)].flatMap(({ index, 0: run }) => {
    // The last word goes on behind the piece that is looked at.
    const whole = /^\S{1,400}/.exec(reply.slice(index))?.[0] ?? run;
    const head = /^["'`“„«‘(*[]*/.exec(whole)?.[0].length ?? 0;
    const text = whole.slice(head).replace(/["'`”»’)*\].,;:?]+$/, '');
    const from = index + head;
    return isToken(text) ? [{ from, to: from + text.length, text, quoted: false }] : [];
  });
}

/** The answers that follow such a question in the same text, as the notes of a question tool have them. */
export function findAnswered(text: string): TextValue[] {
  const found: TextValue[] = [];
  for (const { index } of text.matchAll(/[?？]/g)) {
    const rest = text.slice(index + 1, index + 1 + SENTENCE_CHARACTERS);
    const start = answerStart.exec(rest)?.[0].length ?? 0;
    const answer = /^[^\s"'`”»*]{5,}/.exec(rest.slice(start))?.[0].replace(/[.,;]+$/, '');
    if (start === 0 || answer === undefined || !isToken(answer)) continue;
    if (!answerEnd.test(rest.slice(start + answer.length))) continue;
    const before = text.slice(Math.max(0, index + 1 - SENTENCE_CHARACTERS), index + 1);
    const sentence = before.split(/[.!?。！？]\s+|\n+|["*]/).at(-1) ?? '';
    const from = index + 1 + start;
    if (isQuestionForSecret(sentence)) found.push({ from, to: from + answer.length, text: answer, quoted: false });
  }
  return found;
}

function isAnswer(word: string): boolean {
  if (isMixed(word) || /^\d{4,12}$/.test(word)) return true;
  return isPlainWord(word.replace(/[.!]+$/, '')) && !noAnswer.test(word.replace(/[.!]+$/, ''));
}

/** Mixed as no version, measure, number of a ticket or name of a file is. */
function isToken(word: string): boolean {
  if (word.length < 6 || isPlaceholder(word) || !isMixed(word)) return false;
  return !/^v?\d+(?:\.\d+)+|^\d+[a-z]{1,8}$|^#?[A-Z]{1,6}-?\d{1,6}$|\.[a-z]{1,5}$|[\w-]\/[\w-]/.test(word);
}
