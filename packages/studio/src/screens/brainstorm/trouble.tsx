import { useStore } from 'zustand';
import { describeProblem, ServerProblem } from '../../server/server-problem.ts';
import type { OpenChat } from './open-chat.ts';

/** Why there is no whole answer, and the way to one. */
export function Trouble({
  error,
  isOwed,
  onAgain,
}: {
  error: Error | undefined;
  isOwed: boolean;
  onAgain: () => void;
}) {
  return (
    <div role="alert">
      {error === undefined ? null : (
        <div className="flow-fault brainstorm-fault">
          <p>{describeTrouble(error)} What was said is kept.</p>
          <button type="button" className="baton-button baton-small" onClick={onAgain}>
            Try again
          </button>
        </div>
      )}
      {isOwed ? (
        <p className="brainstorm-owed">
          <span className="baton-hint">The answer is not whole.</span>
          <button type="button" className="baton-button baton-small" onClick={onAgain}>
            Ask again
          </button>
        </p>
      ) : null}
    </div>
  );
}

function describeTrouble(error: Error): string {
  const isCut = !(error instanceof ServerProblem) && error instanceof TypeError;
  return isCut ? 'The connection was lost before the answer was whole.' : describeProblem(error);
}

/** What this browser could not keep. */
export function StorageTrouble({ opened }: { opened: OpenChat }) {
  const { fault } = useStore(opened.fault);
  const ofPins = useStore(opened.pins, ({ storageFault }) => storageFault);
  return (
    <div role="alert">{fault === '' && ofPins === null ? null : <p className="flow-fault">{fault || ofPins}</p>}</div>
  );
}
