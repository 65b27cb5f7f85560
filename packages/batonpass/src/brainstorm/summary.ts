import type { Extraction } from './extraction.ts';
import { toStatement } from './plain-text.ts';
import type { Turn } from './turns.ts';

const sentenceCharactersMax = 240;

/** Two or three sentences made of what was said: what was asked, what was settled, what comes next. */
export function summarize(dialogue: readonly Turn[], found: Pick<Extraction, 'decisions' | 'next_steps'>): string {
  const parts = [readTask(dialogue)];
  const settled = found.decisions.filter((decision) => decision.confidence === 1).slice(0, 3);
  if (settled.length > 0) parts.push(`Decided: ${settled.map(({ content }) => clause(content)).join('; ')}.`);
  const next = found.next_steps.at(0);
  if (next !== undefined) parts.push(`Next: ${clause(next.content)}.`);
  const text = parts.filter((part) => part !== '').join(' ');
  return text === '' ? 'A conversation without text.' : text;
}

/** The user's first sentence that says something; empty where there is none. */
export function readTask(dialogue: readonly Turn[]): string {
  const spoken = dialogue.flatMap((turn) => (turn.role === 'user' ? turn.sentences : []));
  const first = spoken.find((sentence) => sentence.words.size >= 3) ?? dialogue[0]?.sentences[0];
  return first === undefined ? '' : toStatement(cut(first.plain));
}

function clause(statement: string): string {
  return cut(statement).replace(/[.\s]+$/, '');
}

function cut(text: string): string {
  if (text.length <= sentenceCharactersMax) return text;
  const head = text.slice(0, sentenceCharactersMax - 1).toWellFormed();
  return `${head.slice(0, Math.max(head.lastIndexOf(' '), sentenceCharactersMax / 2))}…`;
}
