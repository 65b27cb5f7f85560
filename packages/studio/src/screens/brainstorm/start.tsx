import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { limits } from '../../../../batonpass/src/core/limits.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { createKey } from '../../server/call.ts';
import { type Following, sendTranscript } from '../../server/send-transcript.ts';
import { announce, announceFailure, followStep, offerUndo } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { describeSince } from '../../shown/age.tsx';
import { count } from '../../shown/count.ts';
import { handFile, useFileDrop } from '../import/dropped-file.ts';
import { describeUnread } from '../import/make-draft.ts';
import { describeSize, Paste } from '../import/paste.tsx';
import { ReadingNotes } from '../import/reading-progress.tsx';
import { SessionList } from '../import/session-list.tsx';
import { type Reading, type Source, useOneReading } from '../import/use-one-reading.ts';
import {
  type Brainstorm,
  type BrainstormHead,
  dropBrainstorm,
  findBrainstorm,
  findProject,
  keepBrainstorm,
} from './chat-shelf.ts';
import { Composer } from './composer.tsx';
import { toMessages } from './messages.ts';
import { beginChat, closeChat, openChat, pinsProject } from './open-chat.ts';
import { sendWords } from './use-asking.ts';

interface StartProps {
  project: string;
  facts: ChatFacts | undefined;
  heads: readonly BrainstormHead[];
  /** Whether the address names a brainstorm that this browser does not have. */
  isMissing: boolean;
}

/** The start of a brainstorm: a question, or a conversation from elsewhere. */
export function Start({ project, facts, heads, isMissing }: StartProps) {
  const reading = useOneReading({ take: readAndShow, kept: 'Nothing of it was stored.' });
  const { drop } = useFileDrop((file) => {
    if (file !== undefined) void reading.read({ file }, `${file.name}, ${describeSize(file.size)}`);
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const isReading = reading.reading !== '';
  useKeys('Brainstorm', [
    { keys: 'i', does: 'write', run: () => field.current?.focus() },
    ...(isReading ? [{ keys: 'Escape', does: 'stop reading', run: reading.cancel }] : []),
  ]);
  return (
    <section className="flow-screen brainstorm-start" aria-labelledby="brainstorm-title" {...drop}>
      <h1 id="brainstorm-title" className="flow-title">
        Think it through
      </h1>
      <p className="baton-hint">
        Talk, pin what is decided, and hand it to the planner. Nothing leaves this browser before you are ready to plan,
        but what you send to the model.
      </p>
      {isMissing ? (
        <p className="baton-banner">This browser has no brainstorm at that address. It may be in another browser.</p>
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
  /** Focuses the entry after the deleted one, else the one before it, else the screen. */
  const focus = (place: number) => {
    const left = list.current?.querySelectorAll('button') ?? [];
    (left[Math.min(place, left.length - 1)] ?? document.getElementById('main'))?.focus();
  };
  if (shown.length === 0) return null;
  const drop = (head: BrainstormHead) => {
    const onGone = (isGone: boolean) =>
      setGone((before) => (isGone ? [...before, head.id] : before.filter((other) => other !== head.id)));
    flushSync(() => void followStep(takeAway({ project, head, onGone })));
    focus(shown.indexOf(head));
  };
  return (
    <section aria-labelledby="recent-title">
      <h2 id="recent-title" className="flow-subtitle">
        Continue
      </h2>
      <ul className="baton-list" ref={list}>
        {shown.map((head) => (
          <li key={head.id} className="flow-session">
            <a className="flow-session-title" href={`/b/${head.id}`} dir="auto">
              {showHidden(head.title)}
            </a>
            <span className="baton-hint">
              {count(head.messages, 'message')} · {describeSince(head.changed_at, Date.now(), 'ago')}
            </span>
            <Button
              label="Delete"
              look="quiet"
              aria-label={`Delete ${showHidden(head.title)}`}
              onClick={() => drop(head)}
            />
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
        Or continue a conversation from elsewhere
      </h2>
      <ReadingNotes {...reading} />
      <Paste isReading={isReading} onRead={(source, what) => void read(source, what)} />
      <p className="brainstorm-sample">
        <Button
          label="Try with a sample"
          look={isFirst ? undefined : 'quiet'}
          aria-disabled={isReading}
          onClick={() => void trySample()}
        />
        <span className="baton-hint">
          Or without a browser: <code>baton import --last</code>. To make a draft at once, <a href="/import">import</a>.
        </span>
      </p>
      <SessionList isReading={isReading} onRead={(path, title) => void read({ path }, title)} />
    </section>
  );
}

interface Taken {
  project: string;
  head: BrainstormHead;
  /** How the list follows. */
  onGone: (isGone: boolean) => void;
}

/** Deletes a brainstorm and its pins from this browser, until that is undone; its handoffs stay. */
async function takeAway({ project, head: { id, title }, onGone }: Taken): Promise<void> {
  onGone(true);
  const name = `handoff-storage:${pinsProject(project, id)}`;
  try {
    const brainstorm = await findBrainstorm(project, id);
    const pins = localStorage.getItem(name);
    closeChat(project, id);
    await dropBrainstorm(project, id);
    localStorage.removeItem(name);
    offerUndo(`Deleted “${title}”. Its handoffs are kept.`, async () => {
      if (brainstorm !== null) await keepBrainstorm(brainstorm);
      if (pins !== null) localStorage.setItem(name, pins);
      onGone(false);
    });
  } catch (error) {
    onGone(false);
    announceFailure(`It could not be deleted: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readAndShow(source: Source, following: Following): Promise<void> {
  if (source.file !== undefined && source.file.size > limits.request_bytes_max) return importInstead(source.file);
  const [project, answer] = await Promise.all([findProject(), sendTranscript('conversation.read', source, following)]);
  const found = (await answer.json()) as OperationOutput<'conversation.read'>;
  const id = await show(project, found, source);
  announce(describeReading(found));
  navigate(`/b/${id}`);
}

/** The page cannot show a conversation of this size; the server can create a draft of it. */
function importInstead(file: File): void {
  handFile(file);
  announce(`${file.name} has ${describeSize(file.size)}: too large to show. Create a draft from it here.`);
  navigate('/import');
}

/** A session that was read before is updated: its pins and the messages that were added here stay. */
async function show(project: string, found: OperationOutput<'conversation.read'>, source: Source): Promise<string> {
  const { session } = found.reading;
  const id = session !== undefined && /^[\w-]{1,200}$/.test(session) ? session : createKey();
  const read = toMessages(found);
  const known = session === undefined ? null : await openChat(project, id).catch(() => null);
  const brainstorm: Brainstorm = {
    id,
    project,
    session: session ?? id,
    title: '',
    changed_at: '',
    messages: read,
    is_owed: false,
    ...(session === undefined ? {} : { source: { ...source, messages: read.length } }),
  };
  if (known === null) beginChat(brainstorm).keep('now');
  else {
    const own = known.chat.messages.slice(known.brainstorm.source?.messages ?? 0);
    known.chat.messages = [...read, ...own];
    known.brainstorm.source = brainstorm.source;
    known.keep('now');
  }
  return id;
}

function describeReading({ reading }: OperationOutput<'conversation.read'>): string {
  const { messages, unread_lines, masked } = reading;
  const secrets = Object.keys(masked).length === 0 ? '' : ' Secrets were masked.';
  return `Read ${count(messages, 'message')}.${describeUnread(unread_lines)}${secrets}`;
}
