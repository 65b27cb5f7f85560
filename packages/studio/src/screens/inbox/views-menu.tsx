import { type FormEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { announce, offerUndo } from '../../shell/announcements.ts';
import { attempt } from '../../shell/attempt.ts';
import { navigate } from '../../shell/router.ts';

const NAME_CHARACTERS_MAX = 60;

/** Saved filters: chosen, deleted, and the present one saved. */
export function SavedViews({ isFiltered }: { isFiltered: boolean }) {
  const { views } = useStore(savedViews);
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current !== null) details.current.open = false;
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '') return announce('Give the view a name first.');
    saveView(name, location.search);
    event.currentTarget.reset();
    close();
    details.current?.querySelector('summary')?.focus();
    announce(`Saved this view as “${name}”.`);
  };
  return (
    <details
      ref={details}
      className="inbox-views"
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        details.current?.querySelector('summary')?.focus();
      }}
    >
      <summary className="baton-button baton-small">Views{views.length === 0 ? '' : ` ${views.length}`}</summary>
      <div className="inbox-views-panel">
        {views.length === 0 ? <p className="baton-hint">No view is saved yet.</p> : null}
        <ul className="baton-list">
          {views.map((view) => (
            <ViewLine key={view.name} view={view} onChoose={close} />
          ))}
        </ul>
        {isFiltered ? (
          <form onSubmit={save}>
            <label htmlFor="view-name">Save this view as</label>
            <input
              id="view-name"
              name="name"
              className="baton-field"
              maxLength={NAME_CHARACTERS_MAX}
              autoComplete="off"
            />
            <Button label="Keep" type="submit" />
          </form>
        ) : (
          <p className="baton-hint">Type a filter to save it here.</p>
        )}
      </div>
    </details>
  );
}

function ViewLine({ view: { name, query }, onChoose }: { view: SavedView; onChoose: () => void }) {
  const shown = showHidden(name);
  const choose = () => {
    onChoose();
    navigate(`/inbox${query}`);
  };
  const forget = () => offerUndo(`Deleted the view “${name}”.`, forgetView(name));
  return (
    <li className="inbox-view">
      <Button label={shown} look="quiet" onClick={choose} />
      <Button label="×" look="quiet" aria-label={`Delete the view ${shown}`} onClick={forget} />
    </li>
  );
}

/** A filter that is saved under a name: the query of its address. */
interface SavedView {
  name: string;
  query: string;
}

const KEY = 'baton-studio-views';

/** Views of one browser: few enough to choose from without a search. */
const views_max = 20;

/** The views of this browser; without storage, for as long as the page is open. */
const savedViews = createStore<{ views: readonly SavedView[] }>(() => ({ views: read() }));

/** Saves a view, in place of one of the same name. */
function saveView(name: string, query: string): void {
  const others = savedViews.getState().views.filter((view) => view.name !== name);
  keep([...others, { name, query }].slice(-views_max));
}

/** Deletes a view. @returns a function that restores it. */
function forgetView(name: string): () => void {
  const before = savedViews.getState().views;
  keep(before.filter((view) => view.name !== name));
  return () => keep(before);
}

function keep(views: readonly SavedView[]): void {
  savedViews.setState({ views });
  attempt(() => localStorage.setItem(KEY, JSON.stringify(views)));
}

function read(): SavedView[] {
  const kept: unknown = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  return Array.isArray(kept) ? kept.filter(isView).slice(-views_max) : [];
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof query === 'string';
}
