import { useStore } from 'zustand';
import { connection, reconnect } from '../server/events.ts';

/** Says that the server is away, since when, and that what is shown is of then. */
export function ConnectionBanner() {
  const { state, lost_at_ms } = useStore(connection);
  return (
    <div role="status">
      {state === 'lost' && lost_at_ms !== undefined ? (
        <div className="baton-banner">
          <p>
            The server does not answer. This is as of {new Date(lost_at_ms).toLocaleTimeString()}; nothing is lost.
            Start it again in the same folder: <code>baton studio</code>
          </p>
          <button type="button" className="baton-button baton-small" onClick={reconnect}>
            Try now
          </button>
        </div>
      ) : null}
    </div>
  );
}
