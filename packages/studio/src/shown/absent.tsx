import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../batonpass/src/react/button.tsx';
import { describeProblem, ServerProblem } from '../server/server-problem.ts';

interface AbsentProps {
  /** As "handoff". */
  what: string;
  /** Which one; a list has no name. */
  name?: string;
  error: unknown;
  onRetry: () => void | Promise<void>;
}

/** In place of what is not loaded: whether it is loading, does not exist, or failed, and what to do. */
export function Absent({ what, name = '', error, onRetry }: AbsentProps) {
  if (error === undefined) return <p className="studio-loading">Reading the {what}…</p>;
  const isAbsent = error instanceof ServerProblem && /(?:^|_)not_found$/.test(error.code);
  return (
    <div className="baton-empty" role="alert">
      <h1 className="baton-empty-title">
        {isAbsent ? `There is no ${what} “${showHidden(name)}” here` : `The ${what} cannot be read`}
      </h1>
      <p>{describeProblem(error)}</p>
      <p>
        <a href="/inbox">To the inbox</a>
      </p>
      {isAbsent ? null : <Button label="Try again" large onClick={() => void onRetry()} />}
    </div>
  );
}
