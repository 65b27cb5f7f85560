import { useChat } from '@ai-sdk/react';
import { useRef } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { useKeys } from '../../shell/keys.ts';
import { Composer } from './composer.tsx';
import { MessageList, useFollowEnd } from './message-list.tsx';
import { isShown, titleOf } from './messages.ts';
import type { OpenChat } from './open-chat.ts';
import { PinStrip } from './pin-strip.tsx';
import { ReadyBar } from './ready-bar.tsx';
import { StorageTrouble, Trouble } from './trouble.tsx';
import { sendWords, useAsking } from './use-asking.ts';
import { useKeepWhileOpen } from './use-keep-while-open.ts';
import { useMessageActs } from './use-message-acts.ts';
import { useReadyToPlan } from './use-ready-to-plan.ts';

/** What a brainstorm's screen is given. */
export interface ChatViewProps {
  opened: OpenChat;
  /** Whether anybody answers; undefined until that is known. */
  facts: ChatFacts | undefined;
}

/** How often what streams in is drawn, in milliseconds. */
const DRAWN_MS = 50;

/** One brainstorm: its messages, its pins, the composer, and the way on. */
export function ChatView({ opened, facts }: ChatViewProps) {
  const { brainstorm } = opened;
  const { messages, status, error } = useChat({ chat: opened.chat, throttle: DRAWN_MS });
  const asking = useAsking(opened, status);
  const field = useRef<HTMLTextAreaElement>(null);
  const control = useMessageActs(opened, field);
  const ready = useReadyToPlan(opened);
  const hasModel = facts?.can_answer === true;
  const isAnswering = status === 'submitted' || status === 'streaming';
  const isEmpty = !messages.some(isShown);
  const onReady = () => void (isEmpty || ready.begin(hasModel ? 'model' : 'rules'));
  const follow = useFollowEnd(messages, brainstorm.source?.messages !== messages.length);
  useKeepWhileOpen(opened, { messages, status });
  const isReading = ready.reading !== '';
  useKeys('Brainstorm', [
    { keys: 'Mod+Shift+Enter', does: 'ready to plan', run: onReady },
    ...(isReading ? [{ keys: 'Escape', does: 'stop reading', run: ready.cancel }] : []),
    ...(isAnswering ? [{ keys: 'Escape', does: 'stop the answer', run: asking.stop }] : []),
  ]);
  return (
    <section className="brainstorm" aria-labelledby="brainstorm-title">
      <header className="brainstorm-head">
        <h1 id="brainstorm-title" className="flow-title" dir="auto">
          {showHidden(titleOf(messages))}
        </h1>
        <a className="baton-button baton-small" href="/b">
          All brainstorms
        </a>
      </header>
      <div className="brainstorm-body">
        <div className="brainstorm-thread">
          <MessageList
            opened={opened}
            messages={messages}
            isAnswering={isAnswering}
            chosen={control.chosen}
            acts={control.acts}
          />
          <p className="brainstorm-waits" role="status">
            {status === 'submitted' ? 'The model thinks…' : ''}
          </p>
          <Trouble
            error={status === 'error' ? error : undefined}
            isOwed={asking.isOwed && hasModel}
            onAgain={asking.again}
          />
        </div>
        <PinStrip opened={opened} messages={messages} onShow={control.show} />
      </div>
      <footer className="brainstorm-foot">
        <StorageTrouble opened={opened} />
        <Composer
          facts={facts}
          draftName={`${brainstorm.project}/${brainstorm.id}`}
          isAnswering={isAnswering}
          field={field}
          onSend={(text) => {
            follow();
            sendWords(opened, text, facts);
          }}
          onStop={asking.stop}
          onReady={onReady}
        />
        <ReadyBar opened={opened} ready={ready} hasModel={hasModel} isEmpty={isEmpty} onReady={onReady} />
      </footer>
    </section>
  );
}
