import { type KeyboardEvent, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import type { HandoffDraftStoreState } from '../draft/draft-store.ts';
import { Card } from './card.tsx';
import { Decisions } from './decisions.tsx';
import { Files, Risks } from './files-and-risks.tsx';
import { useOpenEdits, useReviewActions, useReviewParts } from './review-context.ts';
import { Section } from './section.tsx';
import { type Subject, summarySubject, toKey } from './subjects.ts';

/** What a review shows of a draft. */
type Shown = Pick<HandoffDraftStoreState, 'decisions' | 'filesReferenced' | 'risks' | 'brainstormSummary'>;

/** The lists of a review, narrowed to what the filter asks for; an entry that is being worded stays in sight. */
export function ReviewLists({ state }: { state: Shown }) {
  const { filter } = useReviewParts();
  const wanted = useStore(filter).trim();
  const { decisions, filesReferenced, risks, brainstormSummary } = state;
  const all = decisions.length + filesReferenced.length + risks.length;
  const shown = useShown(state, wanted);
  return (
    <>
      <ReviewFilter shown={shown.decisions.length + shown.filesReferenced.length + shown.risks.length} all={all} />
      {wanted === '' ? (
        <Section kind="summary" heading="Summary">
          <Card
            subject={summarySubject}
            text={brainstormSummary}
            placeholder="No summary yet."
            label="Summary"
            className="baton-summary"
          />
        </Section>
      ) : null}
      <Decisions decisions={shown.decisions} all={decisions} />
      <Files files={shown.filesReferenced} all={filesReferenced} />
      <Risks risks={shown.risks} all={risks} />
    </>
  );
}

function useShown({ decisions, filesReferenced, risks }: Shown, wanted: string) {
  const open = useOpenEdits();
  return useMemo(() => {
    if (wanted === '') return { decisions, filesReferenced, risks };
    const isShown = (subject: Subject, ...texts: string[]) => open.has(toKey(subject)) || answers(wanted, ...texts);
    return {
      decisions: decisions.filter(({ id, content }) => isShown({ kind: 'decision', id }, content)),
      filesReferenced: filesReferenced.filter(({ id, path, context }) => isShown({ kind: 'file', id }, path, context)),
      risks: risks.filter(({ id, description }) => isShown({ kind: 'risk', id }, description)),
    };
  }, [decisions, filesReferenced, risks, open, wanted]);
}

/** A draft with nothing in it. */
export function EmptyReview() {
  const actions = useReviewActions();
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">Nothing to hand off yet</p>
      <p className="baton-hint">Pin a message of the brainstorm, or add a decision here.</p>
      <button type="button" className="baton-button" onClick={() => actions.add()}>
        Add decision
      </button>
    </div>
  );
}

/** Filters the lists to the entries with some words. `/` leads here, Escape empties it and leads back. */
function ReviewFilter({ shown, all }: { shown: number; all: number }) {
  const { filter } = useReviewParts();
  const wanted = useStore(filter);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Escape' && event.key !== 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') filter.setState('', true);
    const panel = event.currentTarget.closest('.baton-review');
    // The first entry, once the lists have followed.
    queueMicrotask(() => panel?.querySelector<HTMLElement>('[data-baton-item]')?.focus());
  };
  return (
    <search className="baton-filter">
      <label className="baton-unseen" htmlFor={id}>
        Filter entries
      </label>
      <input
        id={id}
        type="search"
        className="baton-field"
        placeholder="Filter entries"
        data-baton-filter=""
        autoComplete="off"
        value={wanted}
        onChange={(event) => filter.setState(event.target.value, true)}
        onKeyDown={onKeyDown}
      />
      <p className="baton-hint" role="status">
        {wanted.trim() === '' ? '' : `${shown} of ${all}`}
      </p>
    </search>
  );
}

/** Whether texts together contain every requested word, in any place and case. */
function answers(wanted: string, ...texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
