import { likeness } from './content-words.ts';
import type { ExtractedStatement } from './extraction.ts';
import { toStatement } from './plain-text.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** Steps and questions of long ago are done or dropped; only the end of a dialogue says what is open. */
const turnsBack = 6;
const statementsMax = 12;

const nextHeading =
  /\b(?:next steps?|remaining|to ?do|follow-?ups?|still (?:open|to do)|what(?:'s| is) (?:left|next)|later|out of scope|deferred)\b/i;
const nextCue =
  /\b(?:next(?: up| step)?[,:]|next (?:i|we)(?:'ll| will|'d)?|follow-?up|still (?:needs?|to do|have to|missing)|remaining|to ?do:|left to do|tomorrow|afterwards?|then we'?ll|come back to|before (?:we )?(?:merg|ship|releas|deploy)\w*|needs? to be (?:done|added|verified|tested)|not (?:done|wired|implemented) yet|please (?:confirm|verify|run|check))\b/i;
const done = /\b(?:done|finished|completed|all (?:tests )?pass|let me|i'll (?:start|begin)|before:|now (?:let|i))\b/i;

const questionHeading =
  /\b(?:open (?:questions?|decisions?|points?)|questions? for you|unresolved|to decide|undecided)\b/i;
const questionCue =
  /\b(?:open question|still open|undecided|not (?:decided|settled)|to be decided|tbd|need(?:s)? to decide|have(?:n't| not) decided|the one decision|not sure (?:yet )?(?:if|whether|how|which)|stays yours)\b/i;

/** What is to be done next, as the end of the dialogue says it, in the order said. */
export function extractNextSteps(dialogue: readonly Turn[]): ExtractedStatement[] {
  return collect(dialogue, (sentence) => {
    if (done.test(sentence.text) || /\?["')]*$/.test(sentence.text)) return false;
    return (
      (nextHeading.test(sentence.heading) && sentence.kind === 'item' && sentence.opens) || nextCue.test(sentence.text)
    );
  });
}

/** What nobody has answered: questions named as open, and the last turn's questions about the subject. */
export function extractOpenQuestions(dialogue: readonly Turn[]): ExtractedStatement[] {
  const last = dialogue.at(-1);
  return collect(dialogue, (sentence, turn) => {
    const asks = /\?["')]*$/.test(sentence.plain);
    if (questionCue.test(sentence.text)) return true;
    if (questionHeading.test(sentence.heading) && sentence.kind !== 'heading') return asks || sentence.opens;
    return (
      asks &&
      turn === last &&
      turn.role === 'assistant' &&
      !/^(?:want|would you like|shall|should) (?:me|i)?\b/i.test(sentence.plain)
    );
  });
}

function collect(
  dialogue: readonly Turn[],
  accepts: (sentence: Sentence, turn: Turn) => boolean,
): ExtractedStatement[] {
  const kept: { statement: ExtractedStatement; words: ReadonlySet<string> }[] = [];
  for (const turn of dialogue.slice(-turnsBack)) {
    for (const sentence of turn.sentences) {
      const words = sentence.words;
      if (
        sentence.kind === 'heading' ||
        sentence.kind === 'cell' ||
        words.size < 3 ||
        words.size > 50 ||
        !accepts(sentence, turn)
      )
        continue;
      const same = kept.findIndex((earlier) => likeness(earlier.words, words) >= 0.6);
      if (same !== -1) kept.splice(same, 1);
      const evidence = { message: sentence.message, quote: sentence.text };
      kept.push({ statement: { content: toStatement(sentence.text), evidence }, words });
    }
  }
  return kept.slice(-statementsMax).map(({ statement }) => statement);
}
