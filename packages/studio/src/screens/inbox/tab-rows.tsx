import './acts.css';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { useConnected } from '../../server/events.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { stepsFrom } from '../../server/steps.ts';
import { announce } from '../../shell/announcements.ts';
import { type KeyBinding, useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { AnswerForm } from '../../shown/answer-form.tsx';
import { useLiveEvents } from './live.ts';
import { Preview } from './preview.tsx';
import { RowList } from './row-list.tsx';
import { RowPages, type RowsState } from './row-pages.ts';
import type { InboxRow } from './rows.ts';
import { isNothing, Selected } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { addressOf, hasSome, type Tab, tabs, type View } from './tabs.ts';
import type { TabCounts } from './use-counts.ts';
import type { RowMoves } from './use-row-moves.ts';
import { isPossible, takeVerdict, type Verdict, verdicts } from './verdicts.ts';

interface TabRowsProps {
  view: View;
  counts: TabCounts;
  /** Whether this view is shown: otherwise its rows are only loaded. */
  isShown: boolean;
}

/** The rows of one view, the number of new ones since the load, and the actions. */
export function TabRows({ view, counts, isShown }: TabRowsProps) {
  const [pages] = useState(() => new RowPages({ ...view.filter, state: [...view.states] }));
  const [selected] = useState(() => new Selected());
  const state = useSyncExternalStore(pages.subscribe, pages.read);
  const selection = useStore(selected.store);
  const [active, setActive] = useState<string>();
  const moves = useRef<RowMoves>(undefined);
  useConnected(() => void pages.catchUp());
  useEffect(() => () => pages.close(), [pages]);
  const reload = useCallback(() => void pages.reload(), [pages]);
  useLiveEvents((events) => pages.take(events), reload);
  const show = async () => {
    // Keeps the focus of a user who types elsewhere.
    const isElsewhere = document.activeElement?.closest('.inbox-filter, .studio-answer') != null;
    setActive(undefined);
    await pages.reload();
    if (!isElsewhere && pages.read().count > 0) moves.current?.focusFirst();
  };
  useKeys('New rows', [{ keys: '.', does: 'show what is new', run: () => void show() }]);
  const row = active === undefined ? undefined : pages.get(active);
  if (!isShown) return <p className="studio-loading">Reading the list…</p>;
  const hasRows = state.phase !== 'loading' && state.count > 0;
  const title = view.tab?.title ?? view.states.join(', ');
  return (
    <>
      <News
        state={state}
        isFiltered={view.typed !== ''}
        onShow={() => void show()}
        onSearchOn={() => pages.searchOn()}
      />
      {state.phase === 'failed' ? (
        <div className="baton-banner baton-banner-fault" role="alert">
          <p>{describeProblem(state.error)}</p>
          <Button label="Try again" onClick={reload} />
        </div>
      ) : null}
      {state.phase === 'loading' ? <p className="studio-loading">Reading the list…</p> : null}
      {hasRows ? (
        <div className="inbox-split">
          <RowList {...{ pages, state, title, selected, moves }} onActive={setActive} />
          <Preview row={row ?? pages.at(0)} />
        </div>
      ) : null}
      {state.phase === 'ready' && state.count === 0 && !state.isCut ? <EmptyInbox view={view} counts={counts} /> : null}
      {isNothing(selection) ? null : <SelectionBar {...{ selected, selection, pages, state }} />}
      {row === undefined || !isNothing(selection) ? null : (
        <Acts key={row.id} row={row} pages={pages} onDone={(id) => moves.current?.focusAfter(id)} />
      )}
    </>
  );
}

interface NewsProps {
  state: RowsState;
  isFiltered: boolean;
  onShow: () => void;
  onSearchOn: () => void;
}

/** What is not shown: newer rows, handoffs without a scope, or the rest of a search. */
function News({ state: { buffered, unscoped, isCut }, isFiltered, onShow, onSearchOn }: NewsProps) {
  return (
    <div role="status" className="inbox-news">
      {buffered > 0 ? (
        <Button label={`${isFiltered ? 'Something changed' : `${buffered} new`} - show`} hotkey="." onClick={onShow} />
      ) : null}
      {unscoped > 0 ? <span className="baton-hint">{unscoped} without a scope are left out.</span> : null}
      {isCut ? (
        <>
          <span className="baton-hint">The newest were looked through.</span>
          <Button label="Search the older ones" onClick={onSearchOn} />
        </>
      ) : null}
    </div>
  );
}

interface EmptyInboxProps {
  view: View;
  counts: TabCounts;
}

/** An empty list: why it is empty, and where there are handoffs. */
function EmptyInbox({ view, counts }: EmptyInboxProps) {
  const { tab, typed } = view;
  if (typed !== '') return <NoMatch view={view} counts={counts} />;
  if (tab === undefined) return null;
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">{tab.empty}</p>
      <p className="baton-hint">{tab.hint}</p>
      <Elsewhere view={view} counts={counts} />
      {tab.name === 'drafts' ? <a href="/import">Import a conversation</a> : null}
      {tab.name === 'open' ? (
        <p>
          From a terminal: <code>baton create --summary "What comes next"</code>
        </p>
      ) : null}
    </div>
  );
}

function NoMatch({ view, counts }: EmptyInboxProps) {
  const { tab, filter } = view;
  const { text, file, scope, ...others } = filter;
  const reasons = [
    ...(text === undefined ? [] : ['Words are searched in titles and summaries, not in the content.']),
    ...(file === undefined ? [] : ['file: matches the beginning of a path, as the handoff names it.']),
    ...(scope === undefined ? [] : ['Handoffs without a scope do not match scope:.']),
    ...(Object.keys(others).length === 0 ? [] : ['Names must match exactly, including case.']),
  ];
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">
        {tab === undefined ? 'No handoffs match' : `No handoffs match in “${tab.title}”`}
      </p>
      {reasons.map((reason) => (
        <p key={reason} className="baton-hint">
          {reason}
        </p>
      ))}
      <Elsewhere view={view} counts={counts} />
      <Button label="Clear filters" large onClick={() => navigate(addressOf(tab ?? (tabs[0] as Tab), ''))} />
    </div>
  );
}

/** The other tabs in which the same filter has matches. */
function Elsewhere({ view: { tab, typed }, counts }: EmptyInboxProps) {
  const others = tabs.filter(({ name }) => name !== tab?.name && name !== 'needs' && hasSome(counts[name]));
  if (others.length === 0) return typed === '' ? null : <p className="baton-hint">No other tab has a match either.</p>;
  return (
    <p>
      {others.map((other, index) => (
        <span key={other.name}>
          {index === 0 ? 'There is: ' : ' · '}
          <a href={addressOf(other, typed)}>
            {counts[other.name]} in “{other.title}”
          </a>
        </span>
      ))}
    </p>
  );
}

interface ActsProps {
  row: InboxRow;
  pages: RowPages;
  /** Moves the focus to the next row after a step. */
  onDone: (id: string) => void;
}

/** The actions on the focused row, by button and by key; a question is answered here. */
function Acts({ row, pages, onDone }: ActsProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { id, title, state } = row;
  const decide = (verdict: Verdict) => {
    onDone(id);
    void takeVerdict(verdict, [row], { pages });
  };
  const acts = actsWith(row, decide, () => field.current?.focus());
  useKeys('This row', [...acts, ...notThere(row)]);
  const question = stepsFrom(state).answer ? row.question : undefined;
  return (
    <section className="inbox-acts" aria-label={`Selected: ${showHidden(title)}`}>
      {question === undefined ? null : (
        <AnswerForm
          subject={row}
          asker={row.holder ?? 'Its holder'}
          question={question}
          field={field}
          onState={(next) => pages.change(id, (before) => ({ ...before, state: next }))}
        />
      )}
      <div className="studio-buttons">
        <span className="inbox-acts-title">{showHidden(title)}</span>
        <a className="baton-button baton-small" href={`/h/${id}`}>
          Open <kbd>Enter</kbd>
        </a>
        {acts.map(({ keys, does, run }) => (
          <Button label={does} hotkey={keys.toUpperCase()} key={keys} onClick={run} />
        ))}
      </div>
    </section>
  );
}

/** The verdicts on a row: only those that its state allows. */
function actsWith(row: InboxRow, decide: (verdict: Verdict) => void, onAnswer: () => void): KeyBinding[] {
  const review = () => navigate(`/review/${row.id}`);
  return [
    ...(isPossible('approve', row) ? [{ keys: 'e', does: 'Review', run: review }] : []),
    ...(stepsFrom(row.state).answer ? [{ keys: '1', does: 'Answer', run: onAnswer }] : []),
    ...verdicts
      .filter(({ verb }) => isPossible(verb, row))
      .map(({ keys, one, ...verdict }) => ({ keys, does: one, run: () => decide(verdict) })),
  ];
}

/** Keys of other inboxes without a step in the life cycle: they announce that. */
function notThere({ state }: InboxRow): KeyBinding[] {
  const snooze = 'snooze: a handoff has no such state; it keeps its place until somebody claims it';
  const held = 'release: only its holder can, or a person by force on its own page';
  return [
    { keys: 'h', does: snooze, run: () => announce(`There is no ${snooze}.`) },
    ...(state === 'claimed' ? [{ keys: 'l', does: held, run: () => announce(`There is no ${held}.`) }] : []),
  ];
}
