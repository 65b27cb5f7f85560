import { type DragEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { createKey } from '../../server/call.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { describeSince } from '../../shown/age.ts';
import { describeSize } from '../import/chosen-file.tsx';
import { Paste } from '../import/paste.tsx';
import { ReadingNotes } from '../import/reading-notes.tsx';
import { SessionList } from '../import/session-list.tsx';
import type { Reading } from '../import/use-one-reading.ts';
import type { BrainstormHead } from './chat-shelf.ts';
import { Composer } from './composer.tsx';
import { beginChat } from './open-chat.ts';
import { takeAway } from './take-away.ts';
import { sendWords } from './use-asking.ts';
import { useReading } from './use-reading.ts';

/** What the beginning is given. */
export interface StartProps {
  project: string;
  facts: ChatFacts | undefined;
  heads: readonly BrainstormHead[];
  /** Whether the address names a brainstorm that this browser does not have. */
  isMissing: boolean;
}

/** Where a brainstorm begins: with a question, or with a conversation that was held elsewhere. */
export function Start({ project, facts, heads, isMissing }: StartProps) {
  const reading = useReading();
  const field = useRef<HTMLTextAreaElement>(null);
  const isReading = reading.reading !== '';
  useKeys('Brainstorm', [
    { keys: 'i', does: 'write', run: () => field.current?.focus() },
    ...(isReading ? [{ keys: 'Escape', does: 'stop reading', run: reading.cancel }] : []),
  ]);
  return (
    <section className="flow-screen brainstorm-start" aria-labelledby="brainstorm-title" {...dropTo(reading)}>
      <h1 id="brainstorm-title" className="flow-title">
        Think it through
      </h1>
      <p className="baton-hint">
        Talk, pin what is decided, and hand it to the planner. Nothing leaves this browser before you are ready to plan,
        but what you send to the model.
      </p>
      {isMissing ? (
        <p className="baton-banner">This browser has no brainstorm of that address. It may be in another one.</p>
      ) : null}
      <Composer
        facts={facts}
        draftName={`${project}/`}
        isAnswering={false}
        field={field}
        onSend={(text) => begin(project, text, facts)}
        onStop={() => {}}
      />
      <Recent project={project} heads={heads} />
      <Elsewhere reading={reading} isFirst={heads.length === 0} />
    </section>
  );
}

function begin(project: string, text: string, facts: ChatFacts | undefined): void {
  const id = createKey();
  const opened = beginChat({ id, project, session: id, title: '', changed_at: '', messages: [], is_owed: false });
  sendWords(opened, text, facts);
  opened.keep('now');
  navigate(`/b/${id}`);
}

function Recent({ project, heads }: { project: string; heads: readonly BrainstormHead[] }) {
  const [gone, setGone] = useState<readonly string[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const shown = heads.filter(({ id }) => !gone.includes(id));
  /** What comes after the one that was taken away, else what is before it, else the screen. */
  const focus = (place: number) => {
    const left = list.current?.querySelectorAll('button') ?? [];
    (left[Math.min(place, left.length - 1)] ?? document.getElementById('main'))?.focus();
  };
  if (shown.length === 0) return null;
  const drop = ({ id, title }: BrainstormHead) => {
    const onGone = (isGone: boolean) =>
      setGone((before) => (isGone ? [...before, id] : before.filter((other) => other !== id)));
    flushSync(() => void takeAway({ project, id, title, onGone }));
    focus(shown.findIndex((each) => each.id === id));
  };
  return (
    <section aria-labelledby="recent-title">
      <h2 id="recent-title" className="flow-subtitle">
        Go on with
      </h2>
      <ul className="baton-list" ref={list}>
        {shown.map((head) => (
          <li key={head.id} className="flow-session">
            <a className="flow-session-title" href={`/b/${head.id}`} dir="auto">
              {showHidden(head.title)}
            </a>
            <span className="baton-hint">
              {head.messages} {head.messages === 1 ? 'message' : 'messages'} ·{' '}
              {describeSince(head.changed_at, Date.now(), 'ago')}
            </span>
            <button
              type="button"
              className="baton-button baton-small baton-quiet"
              aria-label={`Take ${showHidden(head.title)} away`}
              onClick={() => drop(head)}
            >
              Take away
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Elsewhere({ reading, isFirst }: { reading: Reading; isFirst: boolean }) {
  const { read } = reading;
  const isReading = reading.reading !== '';
  const trySample = async () => {
    const { default: text } = await import('../../../../../examples/sessions/brainstorm.json?raw');
    await read({ text }, 'the sample');
  };
  return (
    <section className="brainstorm-elsewhere" aria-labelledby="elsewhere-title">
      <h2 id="elsewhere-title" className="flow-subtitle">
        Or go on from a conversation that was held elsewhere
      </h2>
      <ReadingNotes {...reading} />
      <Paste isReading={isReading} onRead={(source, what) => void read(source, what)} />
      <p className="brainstorm-sample">
        <button
          type="button"
          className={`baton-button baton-small ${isFirst ? '' : 'baton-quiet'}`}
          aria-disabled={isReading}
          onClick={() => void trySample()}
        >
          Try with a sample
        </button>
        <span className="baton-hint">
          Or without a browser: <code>baton import --last</code>. To make a draft at once, <a href="/import">import</a>.
        </span>
      </p>
      <SessionList isReading={isReading} onRead={(path, title) => void read({ path }, title)} />
    </section>
  );
}

/** A file that is dropped anywhere on the screen is read. */
function dropTo({ read }: Reading) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file !== undefined) void read({ file }, `${file.name}, ${describeSize(file.size)}`);
    },
  };
}
