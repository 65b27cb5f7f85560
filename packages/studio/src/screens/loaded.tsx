import type { ReactNode } from 'react';
import { describeProblem } from '../server/server-problem.ts';
import type { Live } from '../server/use-live.ts';

/** The props of `Loaded`. */
export interface LoadedProps<T> {
  live: Live<T>;
  /** What is loaded, as "the draft". */
  what: string;
  children: (value: T) => ReactNode;
}

/** Shows what was loaded; a failure shows what happened and offers a retry. */
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
