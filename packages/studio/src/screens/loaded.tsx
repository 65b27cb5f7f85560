import type { ReactNode } from 'react';
import { describeProblem } from '../server/server-problem.ts';
import type { Live } from '../server/use-live.ts';

/** What is loaded for a screen. */
export interface LoadedProps<T> {
  live: Live<T>;
  /** What that is, as "the draft". */
  what: string;
  children: (value: T) => ReactNode;
}

/** Shows what was loaded; a failure says what happened and offers to try again. */
export function Loaded<T>({ live: { value, error, reload }, what, children }: LoadedProps<T>) {
  if (value !== undefined) return children(value);
  if (error === undefined) return <p className="studio-loading">Loading {what}…</p>;
  return (
    <div className="baton-empty" role="alert">
      <p className="baton-empty-title">Could not load {what}</p>
      <p>{describeProblem(error)}</p>
      <button type="button" className="baton-button" onClick={() => void reload()}>
        Try again
      </button>
    </div>
  );
}
