import type { ReactNode } from 'react';
import { describeProblem } from '../server/server-problem.ts';
import { useLoaded } from '../server/use-live.ts';

/** What is loaded for a screen. */
export interface LoadedProps<T> {
  load: (signal: AbortSignal) => Promise<T>;
  /** What that is, as "the draft". */
  what: string;
  children: (value: T, reload: () => Promise<void>) => ReactNode;
}

/** Shows what was loaded; a failure says what happened and offers to try again. */
export function Loaded<T>({ load, what, children }: LoadedProps<T>) {
  const { value, error, reload } = useLoaded(load);
  if (value !== undefined) return children(value, reload);
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
