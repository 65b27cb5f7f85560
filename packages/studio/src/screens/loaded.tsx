import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { describeProblem, isBrokenOff } from '../server/server-problem.ts';

/** What is loaded once for a screen. */
export interface LoadedProps<T> {
  load: () => Promise<T>;
  /** What that is, as "the draft". */
  what: string;
  children: (value: T) => ReactNode;
}

/** Loads something when it is first shown; a failure says what happened and offers to try again. */
export function Loaded<T>({ load, what, children }: LoadedProps<T>) {
  const [found, setFound] = useState<{ value: T } | { failure: string } | null>(null);
  const latest = useRef(load);
  latest.current = load;
  const run = useCallback(() => {
    setFound(null);
    latest.current().then(
      (value) => setFound({ value }),
      (error: unknown) => isBrokenOff(error) || setFound({ failure: describeProblem(error) }),
    );
  }, []);
  useEffect(run, [run]);
  if (found === null) return <p className="studio-loading">Loading {what}…</p>;
  if ('value' in found) return children(found.value);
  return (
    <div className="baton-empty" role="alert">
      <p className="baton-empty-title">Could not load {what}</p>
      <p>{found.failure}</p>
      <button type="button" className="baton-button" onClick={run}>
        Try again
      </button>
    </div>
  );
}
