import { type KeyboardEvent, memo, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../core/hidden-characters.ts';
import type { HandoffDraftStoreState } from '../draft/draft-store.ts';
import type { HandoffFileRef, HandoffRisk } from '../draft/handoff-draft.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Decisions } from './decisions.tsx';
import { OrphanEdits } from './orphan-edits.tsx';
import type { Level } from './review-actions.ts';
import { useOpenEdits, useReviewActions, useReviewParts } from './review-context.ts';
import { countShown, Section } from './section.tsx';
import { type Subject, summarySubject, toKey } from './subjects.ts';

/** The props of the lists. */
type Shown = Pick<HandoffDraftStoreState, 'decisions' | 'filesReferenced' | 'risks' | 'brainstormSummary'>;

/** The lists of a review, filtered; an entry with an open editor stays visible. */
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

/** An empty draft. */
export function EmptyReview() {
  const actions = useReviewActions();
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">Nothing to hand off yet</p>
      <p className="baton-hint">Pin a message of the brainstorm, or add a decision here.</p>
      <Button label="Add decision" large onClick={() => actions.add()} />
    </div>
  );
}

/** Filters the lists to the entries with some words. `/` focuses it, Escape empties it and returns. */
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
    // The first entry, once the lists are updated.
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

/** Whether texts together contain every word, at any position and in any case. */
function answers(wanted: string, ...texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

const levels: readonly Level[] = ['high', 'medium', 'low'];

/** The files of a review, each with why it matters. @param all - before the filter. */
function Files({ files, all }: { files: readonly HandoffFileRef[]; all: readonly HandoffFileRef[] }) {
  return (
    <Section kind="file" heading={countShown('Files', files, all)}>
      {all.length === 0 ? <p className="baton-none">No files named.</p> : null}
      <ul className="baton-list">
        {files.map((file) => (
          <li key={file.id}>
            <FileCard file={file} />
          </li>
        ))}
      </ul>
      <OrphanEdits kind="file" ids={all.map(({ id }) => id)} label="Why this file matters" />
    </Section>
  );
}

/** The risks of a review. @param all - before the filter. */
function Risks({ risks, all }: { risks: readonly HandoffRisk[]; all: readonly HandoffRisk[] }) {
  return (
    <Section kind="risk" heading={countShown('Risks', risks, all)}>
      {all.length === 0 ? <p className="baton-none">No risks named.</p> : null}
      <ul className="baton-list">
        {risks.map((risk) => (
          <li key={risk.id}>
            <RiskCard risk={risk} />
          </li>
        ))}
      </ul>
      <OrphanEdits kind="risk" ids={all.map(({ id }) => id)} label="Risk" />
    </Section>
  );
}

const FileCard = memo(function FileCard({ file }: { file: HandoffFileRef }) {
  const subject: Subject = { kind: 'file', id: file.id };
  return (
    <Card
      subject={subject}
      text={file.context}
      placeholder="No reason given."
      label="Why this file matters"
      title={
        <code className="baton-path" dir="ltr">
          {showHidden(file.path)}
        </code>
      }
      evidence={file.evidence === undefined ? [] : [file.evidence]}
      className={`baton-level-${file.relevance}`}
    >
      <LevelChoice subject={subject} level={file.relevance} label="Relevance" />
      <OnDisk id={file.id} />
    </Card>
  );
});

/** The state of a file on the disk, where it was checked. */
function OnDisk({ id }: { id: string }) {
  const note = useStore(useReviewParts().fileNotes, (notes) => notes.get(id));
  if (note === undefined) return null;
  return (
    <span className={note.isWarning ? 'baton-disk baton-disk-warning' : 'baton-disk'}>{showHidden(note.text)}</span>
  );
}

const RiskCard = memo(function RiskCard({ risk }: { risk: HandoffRisk }) {
  const subject: Subject = { kind: 'risk', id: risk.id };
  return (
    <Card
      subject={subject}
      text={risk.description}
      label="Risk"
      evidence={risk.evidence === undefined ? [] : [risk.evidence]}
      className={`baton-level-${risk.severity}`}
    >
      <LevelChoice subject={subject} level={risk.severity} label="Severity" />
    </Card>
  );
});

function LevelChoice({ subject, level, label }: { subject: Subject; level: Level; label: string }) {
  const actions = useReviewActions();
  return (
    <label className="baton-level">
      <span className="baton-unseen">{label}</span>
      <select
        value={level}
        onChange={(event) => {
          const chosen = levels.find((each) => each === event.target.value);
          if (chosen !== undefined) actions.setLevel(subject, chosen);
        }}
      >
        {levels.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
