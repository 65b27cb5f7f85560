import type { UIMessage } from 'ai';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { normalize } from '../../../../batonpass/src/extraction/merge-extractions.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { type MessageActs, MessageView } from './message.tsx';
import { isShown } from './messages.ts';
import type { OpenChat } from './open-chat.ts';

interface MessageListProps {
  opened: OpenChat;
  messages: readonly UIMessage[];
  isAnswering: boolean;
  /** The message that keys act on; null before one is chosen. */
  chosen: string | null;
  acts: MessageActs;
}

/** How many messages are rendered at first and per "earlier": more would make a long conversation slow to open. */
const STEP = 200;

/** Within this distance the end counts as in view. */
const NEAR_PIXELS = 80;

/** The messages in one column, the newest last; earlier ones are rendered on request. */
export function MessageList({ opened, messages, isAnswering, chosen, acts }: MessageListProps) {
  const pinned = useStore(opened.pins, ({ decisions }) => decisions);
  const pins = useMemo(() => new Set(pinned.map(({ content }) => normalize(content))), [pinned]);
  const said = messages.filter(isShown);
  const chosenAt = said.findIndex(({ id }) => id === chosen);
  const [steps, setSteps] = useState(1);
  const last = said.length - steps * STEP;
  // Keys that move up also reach messages that were not shown yet.
  const from = Math.max(0, chosenAt === -1 ? last : Math.min(last, chosenAt - 1));
  const stop = chosenAt === -1 ? said.length - 1 : chosenAt;
  return (
    <>
      {from === 0 ? null : (
        <Button
          label={`Show earlier messages (${from.toLocaleString('en')})`}
          className="brainstorm-earlier"
          onClick={() => setSteps(steps + 1)}
        />
      )}
      <ol className="brainstorm-list" start={from}>
        {said.slice(from).map((message, index) => (
          <MessageView
            key={message.id}
            message={message}
            number={from + index}
            pins={pins}
            isChosen={from + index === stop}
            isGrowing={isAnswering && message.role === 'assistant' && from + index === said.length - 1}
            acts={acts}
          />
        ))}
      </ol>
    </>
  );
}

/**
 * Keeps the end of the list in view while it grows, where it was in view before.
 *
 * @param startsAtEnd - whether the end is shown first.
 * @returns a function that scrolls to the end from then on.
 */
export function useFollowEnd(messages: readonly UIMessage[], startsAtEnd: boolean): () => void {
  const follows = useRef(startsAtEnd);
  useEffect(() => {
    const main = document.getElementById('main');
    if (main === null) return;
    const look = () => {
      follows.current = main.scrollHeight - main.scrollTop - main.clientHeight < NEAR_PIXELS;
    };
    main.addEventListener('scroll', look, { passive: true });
    return () => main.removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    const main = document.getElementById('main');
    if (messages.length > 0 && follows.current && main !== null) main.scrollTop = main.scrollHeight;
  }, [messages]);
  return () => {
    follows.current = true;
  };
}
