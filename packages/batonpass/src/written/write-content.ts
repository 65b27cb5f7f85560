import type { ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { addWritten } from './add-written.ts';
import { readAnswer } from './answer.ts';
import { checkAnswer } from './check-answer.ts';
import { questionSha256 } from './question.ts';

/** A content with the agent's text, or why it stays as the rules made it. */
export interface WrittenContent {
  content: ContentInput;
  /** Absent where no part of the answer could be used. */
  told?: WrittenCounts;
  /** What no longer holds, in the agent's words. */
  reversed: string[];
  /** What was not as asked for, in a sentence; absent where everything was. */
  note?: string;
}

/** How much of an answer was confirmed. */
export interface WrittenCounts {
  items: number;
  /** Items that only the agent's word supports. */
  unverified: number;
  contradicted: number;
}

/**
 * Adds an agent's text about its session to the content that rules made of it, as far as it can be checked. An answer
 * that cannot be used changes nothing.
 *
 * @param given - the answer as the agent gave it.
 * @param rules - the texts of the rules files that the next agent reads by itself.
 */
export function writeContent(
  mechanical: ContentInput,
  conversation: Conversation,
  given: string,
  rules: readonly string[] = [],
): WrittenContent {
  const read = readAnswer(given);
  if ('problem' in read) return { content: mechanical, reversed: [], note: `${read.problem} The rules' items stay.` };
  const checked = checkAnswer(read.answer, conversation, rules);
  const count = (standing: (typeof checked.items)[number]['standing']) =>
    checked.items.filter((item) => item.standing === standing).length;
  const { left_out } = read.answer;
  const origin = {
    ...mechanical.origin,
    asked: { question_sha256: questionSha256, messages: conversation.messages.length },
  };
  return {
    content: { ...addWritten(mechanical, checked), origin },
    reversed: checked.reversed.map(({ was }) => was),
    told: { items: checked.items.length, unverified: count('told'), contradicted: count('contradicted') },
    ...(left_out > 0 && {
      note: `${left_out} entries of the agent's answer were left out: not of the form asked for.`,
    }),
  };
}
