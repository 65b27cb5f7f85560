import { contentWords, likeness } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { toStatement } from './plain-text.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** Headings under which assistants state a design. */
const designHeading =
  /\b(?:principles?|decisions?|design|approach|architecture|schema|requirements?|interface|model|data|api|how it works|what this (?:commits|implies))\b/i;

/** One thing rather than another, or a rule of the thing: what binds whoever builds next. */
const structural =
  /\b(?:rather than|instead of|in favou?r of|no longer|never|always|only (?:on|when|for|the|a|in|if)|belongs to|becomes?|(?:gets?|is|are) (?:deleted|removed|renamed|replaced|dropped|exempt|stored|keyed|derived)|must (?:continue|be|not)|single source of truth|first-class|backward compatib|replaces?|single|one-to-one|regardless of|by default|defaults? to)\b/i;

/** Of each earlier turn, so many sentences are compared. */
const restatedSentencesMax = 300;

/** Reports on work done, checks and possibilities. */
const passing =
  /\b(?:tests? pass|all pass|lint|build succeeded|verified|let me|i'll|i will|i(?:'ve| have)|now (?:let|i|add|the|update)|could|might|may|if you|would you|want me|currently|today|right now|existing|that's (?:why|exactly)|the tension|works|was|were|previously|used to|the bug|optional)\b/i;

/** The user wants to understand what is there. */
const asksForExplanation =
  /^(?:(?:please|can you|could you) )*(?:explain|describe|show me|tell me|what (?:is|are|does)|how does|why (?:is|are|does|do))\b/i;

/** Answers that report finished work. */
const reportsWork =
  /\b(?:all (?:tests )?pass|tests? pass|0 issues|build (?:succeed|pass)|done\.|fixed\.|implemented)\b/i;

/**
 * The choices that the assistant states in its designs and summaries and that the user lets stand. Only structural or
 * contrastive statements count, the strongest of each turn: reports on finished work are full of details that bind nobody.
 */
export function findImplied(turn: Turn, dialogue: readonly Turn[]): DecisionCandidate[] {
  // An explanation of how things are settles nothing.
  const asked = dialogue[turn.index - 1]?.sentences[0]?.plain ?? '';
  if (asksForExplanation.test(asked)) return [];
  const isReport = turn.sentences.some((sentence) => reportsWork.test(sentence.text));
  const scored = turn.sentences
    .map((sentence, place) => ({ sentence, place, score: score(sentence, turn, dialogue) }))
    .filter(({ score: value }) => value >= 3)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, isReport ? 1 : 4);
  return scored.map(({ sentence }) => ({
    content: toStatement(sentence.text),
    confidence: 0.5,
    evidence: { message: sentence.message, quote: sentence.text },
    turn: turn.index,
  }));
}

function score(sentence: Sentence, turn: Turn, dialogue: readonly Turn[]): number {
  const plain = sentence.plain;
  const words = contentWords(plain);
  if (
    words.size < 4 ||
    words.size > 32 ||
    /\?["')]*$/.test(plain) ||
    sentence.kind === 'heading' ||
    sentence.kind === 'cell'
  )
    return 0;
  if (
    passing.test(plain) ||
    /\bI\b|^→|^`[^`]+`\s*=|^(?:Added|Created|Updated) (?:to|in)\b/.test(plain) ||
    countCode(sentence.text) > 3
  )
    return 0;
  let points = 0;
  if (structural.test(plain)) points += 2;
  if (designHeading.test(sentence.heading)) points += 1;
  if (sentence.opens && /^\s*\**(?:\d+[.)] )?\*\*|^"?\*\*/.test(sentence.text)) points += 1;
  if (/\*\*[^*]{3,}\*\*/.test(sentence.text)) points += 1;
  if (points > 0 && isRestated(words, turn, dialogue)) points += 2;
  return points;
}

/** Sentences full of code names tell how something works. */
function countCode(text: string): number {
  return (text.match(/`[^`]+`/g) ?? []).length;
}

/** Said again in another turn of the assistant: what stays through a conversation was meant. */
function isRestated(words: ReadonlySet<string>, turn: Turn, dialogue: readonly Turn[]): boolean {
  return dialogue
    .slice(Math.max(0, turn.index - 4), turn.index)
    .some(
      (other) =>
        other.role === 'assistant' &&
        other.sentences.slice(0, restatedSentencesMax).some((sentence) => likeness(words, sentence.words) >= 0.6),
    );
}
