import { useEffect, useId, useRef, useState } from 'react';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { HandoffDraftStore } from '../../../../batonpass/src/draft/draft-store.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { evidenceOf } from '../../../../batonpass/src/react/subjects.ts';
import { listEntries } from '../../../../batonpass/src/react/use-selection.ts';
import { navigate } from '../../shell/router.ts';
import type { FoundConversation } from './conversation.ts';
import { Said, useMessages } from './evidence-pane.tsx';

interface EvidenceDialogProps {
  evidence: Evidence;
  found: FoundConversation;
  store: HandoffDraftStore;
  onClose: () => void;
}

/** Messages before and after the quoted one, at first and for each "more". */
const AROUND = 3;
const MORE = 10;

/** The conversation around a quote; where it no longer exists, the draft's other quotes around it. */
export function EvidenceDialog({ evidence, found, store, onClose }: EvidenceDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const messages = useMessages(found);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="studio-dialog review-conversation" onClose={onClose} aria-labelledby={id}>
      <h2 id={id}>Where it was said</h2>
      {messages[evidence.message] === undefined ? (
        <QuotesAround evidence={evidence} found={found} store={store} />
      ) : (
        <Excerpt evidence={evidence} found={found} />
      )}
      <div className="studio-buttons">
        <Button label="Close" large onClick={onClose} />
        {found === null || found === 'looking' ? null : (
          <Button label="The whole conversation" large onClick={() => void found.open().then(navigate, onClose)} />
        )}
      </div>
    </dialog>
  );
}

function Excerpt({ evidence: { message, quote }, found }: Pick<EvidenceDialogProps, 'evidence' | 'found'>) {
  const messages = useMessages(found);
  const [reach, setReach] = useState({ before: AROUND, after: AROUND });
  const quoted = useRef<HTMLLIElement>(null);
  useEffect(() => quoted.current?.scrollIntoView({ block: 'center' }), []);
  const from = Math.max(0, message - reach.before);
  const end = Math.min(messages.length, message + reach.after + 1);
  const more = (side: 'before' | 'after') => setReach({ ...reach, [side]: reach[side] + MORE });
  return (
    <>
      {from === 0 ? null : <Button label="Earlier messages" onClick={() => more('before')} />}
      <ol className="baton-list review-messages">
        {messages.slice(from, end).map((each, place) => {
          const index = from + place;
          const isQuoted = index === message;
          return (
            <li key={index} ref={isQuoted ? quoted : null} data-role={each.role} aria-current={isQuoted || undefined}>
              <Said index={index} message={each} {...(isQuoted ? { quote } : {})} />
            </li>
          );
        })}
      </ol>
      {end === messages.length ? null : <Button label="Later messages" onClick={() => more('after')} />}
    </>
  );
}

/** Quotes within this many messages belong together. */
const NEAR = 10;

function QuotesAround({ evidence, found, store }: Pick<EvidenceDialogProps, 'evidence' | 'found' | 'store'>) {
  const state = store.getState();
  const near = listEntries(state)
    .flatMap((subject) => evidenceOf(state, subject))
    .filter(({ message }) => Math.abs(message - evidence.message) <= NEAR)
    .sort((a, b) => a.message - b.message);
  const quotes = new Map(near.map((each) => [`${each.message} ${each.quote}`, each]));
  return (
    <>
      <p className="baton-hint">
        {found === 'looking'
          ? 'Looking for the conversation…'
          : 'The conversation itself is no longer here. This is what the draft quotes around that place.'}
      </p>
      <ol className="baton-list review-messages">
        {[...quotes].map(([key, { message, quote }]) => (
          <li key={key} aria-current={message === evidence.message && quote === evidence.quote ? true : undefined}>
            <p className="review-speaker">message {message}</p>
            <q dir="auto">{showHidden(quote)}</q>
          </li>
        ))}
      </ol>
    </>
  );
}
