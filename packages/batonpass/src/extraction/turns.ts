import type { Conversation, Message } from '../core/conversation.ts';
import { findPasted, isPastedAt, type OwnWords } from './own-words.ts';
import { type Sentence, splitMessage } from './sentences.ts';

/** What one side said until the other spoke; hosts split an answer into many messages. */
export interface Turn {
  role: 'user' | 'assistant';
  sentences: Sentence[];
  messages: Message[];
  /** The turn's position in the dialogue, from 0. */
  index: number;
}

/** A turn with what was said around it: rules look no further, so that memory does not grow with the dialogue. */
export interface TurnInPlace {
  turn: Turn;
  /** The turns before it, the nearest last; no more than `turnsBack`. */
  before: readonly Turn[];
  /** The turn after it, where there is one. */
  next: Turn | undefined;
}

/** How many turns before its own a rule can look at. */
export const turnsBack = 6;

/** A longer turn goes on as another one of the same side: an agent that works alone for hours never ends its turn. */
const turnCharactersMax = 400_000;

/** The dialogue of a conversation, one turn after the other, each read once; what a person pasted is no sentence of it. */
export function* walkDialogue(
  conversation: Conversation,
  pasted: OwnWords = findPasted(conversation),
): Generator<TurnInPlace> {
  const before: Turn[] = [];
  let turn: Turn | undefined;
  for (const next of readTurns(conversation, pasted)) {
    if (turn !== undefined) {
      yield { turn, before, next };
      before.push(turn);
      if (before.length > turnsBack) before.shift();
    }
    turn = next;
  }
  if (turn !== undefined) yield { turn, before, next: undefined };
}

/** What neither side said (summaries of the host) is left out. */
function* readTurns({ messages }: Conversation, pasted: OwnWords): Generator<Turn> {
  let turn: Turn | undefined;
  let characters = 0;
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (turn === undefined || turn.role !== message.role || characters > turnCharactersMax) {
      if (turn !== undefined) yield turn;
      turn = { role: message.role, sentences: [], messages: [], index: turn === undefined ? 0 : turn.index + 1 };
      characters = 0;
    }
    characters += message.text.length;
    turn.messages.push(message);
    const ranges = pasted.get(message.index);
    for (const sentence of splitMessage(message)) {
      if (!isPastedAt(ranges, sentence.at)) turn.sentences.push(sentence);
    }
  }
  if (turn !== undefined) yield turn;
}
