import { useEffect, useState } from 'react';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { createKey } from '../../server/call.ts';
import type { OpenChat } from './open-chat.ts';

/** Says something in a brainstorm: to the model, or where there is none, as a note. */
export function sendWords({ brainstorm, chat }: OpenChat, text: string, facts: ChatFacts | undefined): void {
  brainstorm.is_owed = false;
  if (facts?.can_answer === false) {
    chat.messages = [...chat.messages, { id: createKey(), role: 'user', parts: [{ type: 'text', text }] }];
  } else {
    // What goes wrong stands in the chat's own state.
    void chat.sendMessage({ text });
  }
}

/** How the model is asked again, or stopped. */
export interface Asking {
  /** Whether the last question has no whole answer, because a page went away or somebody stopped it. */
  isOwed: boolean;
  again: () => void;
  stop: () => void;
}

/** Follows the asking of one brainstorm. */
export function useAsking({ brainstorm, chat }: OpenChat, status: OpenChat['chat']['status']): Asking {
  const [isStopped, setStopped] = useState(false);
  const isOwed = status === 'ready' && (isStopped || brainstorm.is_owed);
  useEffect(() => {
    if (status === 'submitted') setStopped(false);
  }, [status]);
  return {
    isOwed,
    again: () => {
      brainstorm.is_owed = false;
      const before = chat.messages;
      chat.regenerate().then(() => {
        // Half an answer is better than none.
        if (chat.status === 'error' && chat.messages.length < before.length) chat.messages = before;
      });
    },
    stop: () => {
      setStopped(true);
      void chat.stop();
    },
  };
}
