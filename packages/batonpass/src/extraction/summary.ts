import { contentWords } from './content-words.ts';
import type { Extraction } from './extraction.ts';
import { toStatement } from './plain-text.ts';
import type { Sentence } from './sentences.ts';
import { centrality, type Subject } from './subjects.ts';
import { clauseOf, cutSentence } from './summary-clauses.ts';
import type { Turn } from './turns.ts';

const decisionsMax = 3;

interface Summarized extends Subject, Pick<Extraction, 'decisions' | 'next_steps' | 'open_questions'> {
  /** The last turns. */
  end: readonly Turn[];
}

/** Two or three sentences made of what was said: what was asked, what was settled or came of it, what is still to do. */
export function summarize(found: Summarized): string {
  const parts = [toStatement(cutSentence(found.task)), settled(found) || outcome(found), next(found)];
  const text = parts.filter((part) => part !== '').join(' ');
  return text === '' ? 'A conversation without text.' : text;
}

/** The choices that are most of what was spoken of, in the order said. */
function settled({ decisions, weights, task }: Summarized): string {
  const asked = contentWords(task);
  const explicit = decisions.filter(({ confidence }) => confidence === 1);
  const chosen = (explicit.length > 0 ? explicit : decisions)
    .map((decision, place) => ({ decision, place, words: contentWords(decision.content) }))
    .filter(({ words }) => [...words].some((word) => !asked.has(word)))
    .map((entry) => ({ ...entry, score: centrality(entry.words, weights) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, decisionsMax)
    .sort((a, b) => a.place - b.place);
  if (chosen.length === 0) return '';
  return `Decided: ${chosen.map(({ decision }) => clauseOf(decision.content)).join('; ')}.`;
}

const opensReport =
  /^(?:done|fixed|found|added|updated|created|implemented|the (?:bug|cause|problem|issue|fix|reason)|root cause|all (?:tests )?pass|it (?:is|was|works)|now |yes|no,)\b/i;

/** Where nothing was settled: what the last answer says. */
function outcome({ end, task }: Summarized): string {
  const answers = end.filter(({ role }) => role === 'assistant').toReversed();
  for (const { sentences } of answers) {
    const told = sentences.filter(isTold);
    const said = told.find(({ plain }) => opensReport.test(plain)) ?? told[0];
    if (said !== undefined && said.plain !== task) return toStatement(cutSentence(said.plain));
  }
  return '';
}

function isTold({ kind, words, plain }: Sentence): boolean {
  return kind === 'prose' && words.size >= 3 && !/\?["')]*$/.test(plain) && !/^(?:let me|i'll|now let)\b/i.test(plain);
}

function next({ next_steps, open_questions }: Summarized): string {
  const step = next_steps[0];
  if (step !== undefined) return `Next: ${clauseOf(step.content)}.`;
  const question = open_questions[0];
  return question === undefined ? '' : `Open: ${cutSentence(question.content)}`;
}
