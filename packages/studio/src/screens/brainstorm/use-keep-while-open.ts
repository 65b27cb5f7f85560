import { useEffect, useRef } from 'react';
import type { OpenChat } from './open-chat.ts';

/** What is said is kept as it comes; once more when the page is left. */
export function useKeepWhileOpen(
  opened: OpenChat,
  { messages, status }: { messages: OpenChat['chat']['messages']; status: OpenChat['chat']['status'] },
): void {
  const isFirst = useRef(true);
  useEffect(() => {
    // What was just opened is kept already.
    if (!isFirst.current && messages.length > 0) opened.keep(status === 'streaming' ? 'soon' : 'now');
    isFirst.current = false;
  }, [opened, messages, status]);
  useEffect(() => {
    const leave = () => {
      const { status: now } = opened.chat;
      if (now === 'streaming' || now === 'submitted') opened.keep('now');
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [opened]);
}
