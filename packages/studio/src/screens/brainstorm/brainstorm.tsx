import '../flow.css';
import './brainstorm.css';
import { useChat } from '@ai-sdk/react';
import { useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { ask } from '../../server/call.ts';
import type { TranscriptInput } from '../../server/send-transcript.ts';
import { describeProblem, ServerProblem } from '../../server/server-problem.ts';
import { useLoaded } from '../../server/use-live.ts';
import { useKeys } from '../../shell/keys.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Absent } from '../../shown/absent.tsx';
import { count } from '../../shown/count.ts';
import { importAndShow } from '../import/make-draft.ts';
import { ReadingProgress } from '../import/reading-progress.tsx';
import { useOneReading } from '../import/use-one-reading.ts';
import { findProject, listBrainstorms, placeOf } from './chat-shelf.ts';
import { Composer } from './composer.tsx';
import { MessageList, useFollowEnd } from './message-list.tsx';
import { isShown, titleOf, toTranscript } from './messages.ts';
import { type OpenChat, openChat } from './open-chat.ts';
import { PinStrip } from './pin-strip.tsx';
import { Start } from './start.tsx';
import { sendWords, useAsking } from './use-asking.ts';
import { useMessageActs } from './use-message-acts.ts';

/** A brainstorm of this browser by its address, or the start of a new one. */
export default function BrainstormScreen({ id }: ScreenProps) {
  const facts = useChatFacts();
  const { value, error, reload } = useLoaded(() => find(id));
  if (value === undefined) return <Absent what="brainstorm" name={id ?? ''} error={error} onRetry={reload} />;
  const { project, opened, heads } = value;
  if (opened !== null) return <ChatView opened={opened} facts={facts} />;
  return <Start project={project} facts={facts} heads={heads} isMissing={id !== undefined} />;
}

async function find(id: string | undefined) {
  const project = await findProject();
  const opened = id === undefined ? null : await openChat(project, id);
  // A browser without storage has none; the failure is shown when something is stored.
  const heads = opened === null ? await listBrainstorms(project).catch(() => []) : [];
  return { project, opened, heads };
}

/** Whether a model is available, as the server reports it; the connection banner reports an unreachable server. */
function useChatFacts(): ChatFacts | undefined {
  return useLoaded(async (signal) => (await (await ask('/api/chat', { signal })).json()) as ChatFacts).value;
}

interface ChatViewProps {
  opened: OpenChat;
  /** Whether a model answers; undefined until that is known. */
  facts: ChatFacts | undefined;
}

/** The interval at which streamed text is drawn, in milliseconds. */
const DRAWN_MS = 50;

/** One brainstorm: its messages, its pins, the composer, and the next step. */
function ChatView({ opened, facts }: ChatViewProps) {
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
            {status === 'submitted' ? 'The model is thinking…' : ''}
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

/** Why there is no complete answer, and a button to retry. */
function Trouble({ error, isOwed, onAgain }: { error: Error | undefined; isOwed: boolean; onAgain: () => void }) {
  return (
    <div role="alert">
      {error === undefined ? null : (
        <div className="flow-fault brainstorm-fault">
          <p>{describeTrouble(error)} The conversation is kept.</p>
          <Button label="Try again" onClick={onAgain} />
        </div>
      )}
      {isOwed ? (
        <p className="brainstorm-owed">
          <span className="baton-hint">The answer is incomplete.</span>
          <Button label="Ask again" onClick={onAgain} />
        </p>
      ) : null}
    </div>
  );
}

function describeTrouble(error: Error): string {
  const isCut = !(error instanceof ServerProblem) && error instanceof TypeError;
  return isCut ? 'The connection was lost before the answer was complete.' : describeProblem(error);
}

/** What this browser could not store. */
function StorageTrouble({ opened }: { opened: OpenChat }) {
  const { fault } = useStore(opened.fault);
  const ofPins = useStore(opened.pins, ({ storageFault }) => storageFault);
  return (
    <div role="alert">{fault === '' && ofPins === null ? null : <p className="flow-fault">{fault || ofPins}</p>}</div>
  );
}

interface ReadyBarProps {
  opened: OpenChat;
  ready: ReadyToPlan;
  /** Whether a model can read the conversation. */
  hasModel: boolean;
  /** Whether there is anything to extract. */
  isEmpty: boolean;
  onReady: () => void;
}

/** The button for the next step, with the number of pins; during an extraction its progress, and a button to cancel. */
function ReadyBar({ opened, ready, hasModel, isEmpty, onReady }: ReadyBarProps) {
  const pins = useStore(opened.pins, ({ decisions }) => decisions.length);
  const { reading, progress, failure, begin, cancel } = ready;
  const id = useId();
  const isRunning = reading !== '';
  return (
    <>
      <div role="alert">
        {failure === '' ? null : (
          <div className="flow-fault brainstorm-fault">
            <p>{failure} The conversation and its pins are unchanged.</p>
            <Button label="Try again" onClick={onReady} />
            {hasModel ? <Button label="Read by rules instead" onClick={() => void begin('rules')} /> : null}
          </div>
        )}
      </div>
      <div className="brainstorm-ready">
        <ReadingProgress what={reading} progress={progress} hasKey onCancel={cancel} />
        <Button
          label="Ready to plan"
          large
          look="primary"
          aria-disabled={isRunning || isEmpty}
          aria-describedby={id}
          aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
          onClick={onReady}
        />
        <span className="baton-badge" id={id}>
          {pins} pinned
        </span>
      </div>
    </>
  );
}

/** Stores messages as they arrive, and again when the page is left. */
function useKeepWhileOpen(
  opened: OpenChat,
  { messages, status }: { messages: OpenChat['chat']['messages']; status: OpenChat['chat']['status'] },
): void {
  const isFirst = useRef(true);
  useEffect(() => {
    // A brainstorm that was just opened is stored already.
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

type Extractor = 'model' | 'rules';

/** The path from the brainstorm to the review of its draft. */
type ReadyToPlan = ReturnType<typeof useReadyToPlan>;

/** Has the server create a draft of a brainstorm and its pins, and goes to its review. */
function useReadyToPlan(opened: OpenChat) {
  const { read, ...reading } = useOneReading<Extractor>({
    take: (extractor, following) => importAndShow(toInput(opened, extractor), following),
    kept: 'The conversation and its pins are unchanged.',
  });
  return { ...reading, begin: (extractor: Extractor) => read(extractor, describeAll(opened, extractor)) };
}

function describeAll({ chat }: OpenChat, extractor: Extractor): string {
  const messages = count(chat.messages.filter(isShown).length, 'message');
  return extractor === 'rules' ? `No model: rules read ${messages}…` : `The model reads ${messages}…`;
}

/** An unchanged transcript is read from its source, which has more than the messages. */
function toInput(
  { brainstorm, chat, pins }: OpenChat,
  extractor: Extractor,
): OperationInput<'handoff.import'> & TranscriptInput {
  const { source, session } = brainstorm;
  const isWhole = source !== undefined && source.messages === chat.messages.length;
  return {
    ...(isWhole ? placeOf(source) : { text: toTranscript(session, chat.messages) }),
    extractor,
    pins: pins.getState().decisions.map(({ content }) => content),
  };
}
