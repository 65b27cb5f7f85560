import type { DecisionCandidate } from './decision-candidates.ts';
import { readAnsweredLine, toPlainText, toStatement } from './plain-text.ts';
import type { Turn } from './turns.ts';
import { shorten } from './where-it-stands.ts';

/** A question and its answer say enough by themselves from this length on; below it the option's meaning fills it up. */
const answeredCharactersMax = 200;
const meaningCharactersMin = 40;

/**
 * What a person answered to questions that the host put with its own tool: "**Which store?** SQLite", where the
 * assistant's turn before asks just that. The option's own words say what it means.
 */
export function findAnswered(turn: Turn, before: Turn | undefined): DecisionCandidate[] {
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

/** What stands behind the option of this name in a list. */
function meaningOf(option: string, asked: string, charactersMax: number): string {
  const line = asked.split('\n').find((each) => each.startsWith(`- **${option}** - `));
  return line === undefined ? '' : ` — ${shorten(line.slice(`- **${option}** - `.length), charactersMax)}`;
}
