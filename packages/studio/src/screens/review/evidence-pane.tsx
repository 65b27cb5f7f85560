import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { HandoffDraftStore, HandoffDraftStoreState } from '../../../../batonpass/src/draft/draft-store.ts';
import type { FileNote } from '../../../../batonpass/src/react/file-note.ts';
import { evidenceOf, readText, type Subject } from '../../../../batonpass/src/react/subjects.ts';
import type { Conversation, FoundConversation, SaidMessage } from './conversation.ts';

interface EvidencePaneProps {
  /** The focused entry; null before there is one. */
  subject: Subject | null;
  store: HandoffDraftStore;
  found: FoundConversation;
  fileNotes: ReadonlyMap<string, FileNote>;
  onShow: (subject: Subject, evidence: Evidence) => void;
}

/** Next to the lists: the evidence of the focused entry, what it replaced, and the state of a file on the disk. */
export function EvidencePane({ subject: focused, store, found, fileNotes, onShow }: EvidencePaneProps) {
  const state = useStore(store);
  const subject = focused ?? firstOf(state);
  if (subject === null) return <p className="baton-hint">Go to an entry to see here where it was said.</p>;
  const decision = subject.kind === 'decision' ? state.decisions.find(({ id }) => id === subject.id) : undefined;
  const evidence = evidenceOf(state, subject);
  const note = fileNotes.get(subject.id);
  return (
    <>
      <h3 className="baton-heading">Evidence</h3>
      {focused === null ? (
        <p className="baton-hint" dir="auto">
          {showHidden(readText(state, subject) ?? '')}
        </p>
      ) : null}
      {evidence.length === 0 ? <Unquoted subject={subject} isPersons={decision?.source !== 'ai-extracted'} /> : null}
      {evidence.map((each) => (
        <div key={`${each.message} ${each.quote}`} className="review-evidence">
          <InContext evidence={each} found={found} />
          <button type="button" className="baton-link" onClick={() => onShow(subject, each)}>
            Show the conversation around it
          </button>
        </div>
      ))}
      {(decision?.supersedes ?? []).length === 0 ? null : (
        <div className="review-evidence">
          <h4 className="baton-group">Superseded</h4>
          {[...new Set(decision?.supersedes)].map((text) => (
            <p key={text}>
              <del dir="auto">{showHidden(text)}</del>
            </p>
          ))}
        </div>
      )}
      {note === undefined ? null : (
        <div className="review-evidence">
          <h4 className="baton-group">On the disk</h4>
          <p className={note.isWarning ? 'baton-disk-warning' : undefined}>{showHidden(note.text)}</p>
        </div>
      )}
    </>
  );
}

/** The entry shown before the first focus: the first decision with evidence, or null. */
function firstOf(state: HandoffDraftStoreState): Subject | null {
  const decision = state.decisions.find(({ evidence }) => evidence !== undefined);
  return decision === undefined ? null : { kind: 'decision', id: decision.id };
}

function Unquoted({ subject, isPersons }: { subject: Subject; isPersons: boolean }) {
  if (subject.kind === 'summary') return <p className="baton-hint">A summary has no quotes.</p>;
  const isWorded = subject.kind === 'decision' && isPersons;
  return (
    <p className="baton-hint">
      {isWorded ? 'A person worded it; nothing is quoted for it.' : 'Nobody said it in so many words.'}
    </p>
  );
}

/** Characters of the message before and after the quote: what fits next to the lists. */
const AROUND = 280;

/** The quote in its message; alone where the conversation is not available. */
function InContext({ evidence, found }: { evidence: Evidence; found: FoundConversation }) {
  const { message: index, quote } = evidence;
  const messages = useMessages(found);
  const message = messages[index] ?? { role: '', text: quote, tools: [] };
  if (messages[index] === undefined) {
    return (
      <>
        <p className="review-speaker">message {index}</p>
        <q dir="auto">{showHidden(quote)}</q>
      </>
    );
  }
  return <Said index={index} message={{ ...message, tools: [] }} quote={quote} around={AROUND} />;
}

const none: readonly SaidMessage[] = [];

/** The messages of a conversation, once they are loaded; none where they cannot be. */
export function useMessages(found: FoundConversation): readonly SaidMessage[] {
  const [read, setRead] = useState<{ of: Conversation; messages: readonly SaidMessage[] } | null>(null);
  useEffect(() => {
    if (found === null || found === 'looking') return;
    found.read().then(
      (messages) => setRead({ of: found, messages }),
      // Without them the quotes are shown alone.
      () => setRead(null),
    );
  }, [found]);
  return read !== null && read.of === found ? read.messages : none;
}

interface SaidMessageProps {
  index: number;
  message: SaidMessage;
  /** Marked in the message where it occurs. */
  quote?: string;
  /** Characters before and after the quote; default all. */
  around?: number;
}

/** A message in its own words, with the quote marked. */
export function Said({ index, message: { role, text, tools }, quote = '', around }: SaidMessageProps) {
  const [before, quoted, after] = splitAt(text, quote, around);
  return (
    <>
      <p className="review-speaker">
        message {index} · {showHidden(role)}
      </p>
      <p className="baton-text" dir="auto">
        {showHidden(before)}
        {quoted === '' ? null : <mark>{showHidden(quoted)}</mark>}
        {showHidden(after)}
      </p>
      {tools.map((tool, place) => (
        <p key={place} className="review-tool">
          {showHidden(tool)}
        </p>
      ))}
    </>
  );
}

/** A text before, at and after its quote; of a long one only the surroundings of the quote. */
function splitAt(text: string, quote: string, around = Number.POSITIVE_INFINITY): [string, string, string] {
  const place = quote === '' ? -1 : text.indexOf(quote);
  if (place === -1) return [cutEnd(text, 2 * around), '', ''];
  const end = place + quote.length;
  return [cutStart(text.slice(0, place), around), quote, cutEnd(text.slice(end), around)];
}

function cutStart(text: string, length: number): string {
  return text.length <= length ? text : `…${text.slice(-length).toWellFormed()}`;
}

function cutEnd(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
