import { type KeyboardEvent, useId } from 'react';
import { useStore } from 'zustand';
import { useReviewParts } from './review-context.ts';

/** Narrows the lists to the entries that say some words. `/` leads here, Escape empties it and leads back. */
export function ReviewFilter({ shown, all }: { shown: number; all: number }) {
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

/** Whether texts together hold every word that is asked for, wherever and in whichever case. */
export function answers(wanted: string, ...texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
