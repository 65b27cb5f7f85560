import { limits } from '../core/limits.ts';
import { contentWords, likeness } from './content-words.ts';
import type { ExtractedRisk } from './extraction.ts';
import { toStatement } from './plain-text.ts';
import { readRequest } from './request-sentence.ts';
import * as cues from './risk-cues.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** A sentence needs this much to count as a risk; single weak words are everyday language. */
const scoreMin = 2;

/** Reports of fixes that are compared with each risk. */
const fixesMax = 500;

interface Fix {
  words: ReadonlySet<string>;
  turn: number;
}

interface RiskCandidate {
  risk: ExtractedRisk;
  words: Set<string>;
  turn: number;
}

/**
 * What someone said could go wrong, is unknown, unverified or limited. Restatements become one; a concern that a later
 * turn reports as fixed is none.
 */
export function extractRisks(dialogue: readonly Turn[]): ExtractedRisk[] {
  const kept: RiskCandidate[] = [];
  for (const turn of dialogue) {
    for (const sentence of turn.sentences) {
      // What the first turn complains of is the problem to solve, not a risk of its solution.
      const isTask = turn.index === 0 && turn.role === 'user' && !cues.fears.test(sentence.text);
      if (isTask || kept.length > limits.entries_max || scoreRisk(sentence) < scoreMin) continue;
      const candidate = toCandidate(sentence, turn);
      if (!kept.some((earlier) => likeness(earlier.words, candidate.words) >= 0.5)) kept.push(candidate);
    }
  }
  const fixes = findFixes(dialogue);
  const open = kept.slice(0, limits.entries_max).filter((candidate) => !isResolved(candidate, fixes));
  const rank = { high: 0, medium: 1, low: 2 };
  return open.map(({ risk }) => risk).sort((a, b) => rank[a.severity] - rank[b.severity]);
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

/** Points for what the sentence says and for the heading it stands under. */
function scoreRisk(sentence: Sentence): number {
  const plain = sentence.plain;
  const words = contentWords(plain);
  if (words.size < 4 || words.size > 60 || sentence.kind === 'heading') return 0;
  const isUser = sentence.role === 'user';
  if (
    cues.settled.test(plain) ||
    (/\?$/.test(plain) && /questions?/i.test(sentence.heading)) ||
    (isUser && (/\?["')]*$/.test(plain) || readRequest(plain, undefined) !== undefined))
  )
    return 0;
  let points = 0;
  if (cues.strong.test(plain)) points += 2;
  if (cues.weak.test(plain)) points += 1;
  if (cues.harm.test(plain)) points += 1;
  if (cues.riskHeading.test(sentence.heading)) points += sentence.kind === 'prose' ? 1 : 2;
  if (cues.optionHeading.test(sentence.heading)) points -= 1;
  return points;
}

function readSeverity(description: string): ExtractedRisk['severity'] {
  if (cues.severe.test(description)) return 'high';
  return cues.minor.test(description) ? 'low' : 'medium';
}

/** The words of the sentences that report something as fixed, by turn; the newest tell how things stand. */
function findFixes(dialogue: readonly Turn[]): Fix[] {
  const sentences = dialogue.flatMap((turn) => turn.sentences.map((sentence) => ({ sentence, turn: turn.index })));
  return sentences
    .filter(({ sentence }) => cues.reportsFixed.test(sentence.text))
    .slice(-fixesMax)
    .map(({ sentence, turn }) => ({ words: sentence.words, turn }));
}

function isResolved(candidate: RiskCandidate, fixes: readonly Fix[]): boolean {
  return fixes.some(({ turn, words }) => turn > candidate.turn && likeness(candidate.words, words) >= 0.4);
}
