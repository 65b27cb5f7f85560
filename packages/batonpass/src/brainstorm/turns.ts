import type { Conversation } from '../core/conversation.ts';
import type { Sentence } from './sentences.ts';

/** What one side said until the other spoke; hosts split an answer into many messages. */
export interface Turn {
  role: 'user' | 'assistant';
  sentences: Sentence[];
  /** The turn's place in the dialogue, from 0. */
  index: number;
}

/** The dialogue, from the sentences of each message; what neither side said (summaries of the host) is left out. */
export function readDialogue(conversation: Conversation, messages: readonly Sentence[][]): Turn[] {
  const turns: Turn[] = [];
  for (const [index, sentences] of messages.entries()) {
    const role = conversation.messages[index]?.role;
    if (role === undefined || role === 'system') continue;
    const last: Turn | undefined = turns.at(-1);
    const turn: Turn = last?.role === role ? last : { role, sentences: [], index: turns.length };
    if (turn !== last) turns.push(turn);
    for (const sentence of sentences) turn.sentences.push(sentence);
  }
  return turns;
}
