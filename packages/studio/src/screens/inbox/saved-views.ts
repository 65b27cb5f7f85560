import { createStore } from 'zustand/vanilla';

/** A filter that is kept under a name: the query of its address. */
export interface SavedView {
  name: string;
  query: string;
}

const KEY = 'baton-studio-views';

/** Views of one browser: a list to choose from, not to search. */
export const views_max = 20;

/** The views that this browser keeps; where it keeps nothing, for as long as the page is open. */
export const savedViews = createStore<{ views: readonly SavedView[] }>(() => ({ views: read() }));

/** Keeps a view, in place of one of the same name. */
export function saveView(name: string, query: string): void {
  const others = savedViews.getState().views.filter((view) => view.name !== name);
  keep([...others, { name, query }].slice(-views_max));
}

/** Forgets a view. @returns what brings it back to its place. */
export function forgetView(name: string): () => void {
  const before = savedViews.getState().views;
  keep(before.filter((view) => view.name !== name));
  return () => keep(before);
}

function keep(views: readonly SavedView[]): void {
  savedViews.setState({ views });
  try {
    localStorage.setItem(KEY, JSON.stringify(views));
  } catch {
    // A browser that keeps nothing has them as long as the page is open.
  }
}

function read(): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(-views_max) : [];
  } catch {
    // What cannot be read is as if nothing had been kept.
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof query === 'string';
}
