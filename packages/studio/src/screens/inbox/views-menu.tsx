import { type FormEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { announce, offerUndo } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { forgetView, type SavedView, savedViews, saveView } from './saved-views.ts';

const NAME_CHARACTERS_MAX = 60;

/** Filters that are kept under a name: chosen, forgotten, and the present one kept. */
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
    announce(`Kept this view as “${name}”.`);
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
        {views.length === 0 ? <p className="baton-hint">No view is kept yet.</p> : null}
        <ul className="baton-list">
          {views.map((view) => (
            <ViewLine key={view.name} view={view} onChoose={close} />
          ))}
        </ul>
        {isFiltered ? (
          <form onSubmit={save}>
            <label htmlFor="view-name">Keep this view as</label>
            <input
              id="view-name"
              name="name"
              className="baton-field"
              maxLength={NAME_CHARACTERS_MAX}
              autoComplete="off"
            />
            <button type="submit" className="baton-button baton-small">
              Keep
            </button>
          </form>
        ) : (
          <p className="baton-hint">Type a filter to keep it here.</p>
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
  const forget = () => {
    const bringBack = forgetView(name);
    offerUndo(`Forgot the view “${name}”.`, bringBack);
  };
  return (
    <li className="inbox-view">
      <button type="button" className="baton-button baton-small baton-quiet" onClick={choose}>
        {shown}
      </button>
      <button
        type="button"
        className="baton-button baton-small baton-quiet"
        aria-label={`Forget the view ${shown}`}
        onClick={forget}
      >
        ×
      </button>
    </li>
  );
}
