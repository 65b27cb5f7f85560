import { useEffect, useState } from 'react';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { createKey } from '../../server/call.ts';
import type { OpenChat } from './open-chat.ts';

/** Adds a message to a brainstorm: as a question to the model, or without one, as a note. */
export function sendWords({ brainstorm, chat }: OpenChat, text: string, facts: ChatFacts | undefined): void {
  brainstorm.is_owed = false;
  if (facts?.can_answer === false) {
    chat.messages = [...chat.messages, { id: createKey(), role: 'user', parts: [{ type: 'text', text }] }];
  } else {
    // The chat's own state has the error.
    void chat.sendMessage({ text });
  }
}

/** The state of the answer in one brainstorm, with a retry and a stop. */
export function useAsking({ brainstorm, chat }: OpenChat, status: OpenChat['chat']['status']) {
  const [isStopped, setStopped] = useState(false);
  // The last question has no complete answer, since a page was left or the user stopped it.
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
        // A partial answer is better than none.
        if (chat.status === 'error' && chat.messages.length < before.length) chat.messages = before;
      });
    },
    stop: () => {
      setStopped(true);
      void chat.stop();
    },
  };
}
