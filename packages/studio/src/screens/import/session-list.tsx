import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import { Loaded } from '../loaded.tsx';

/** The props of the list of sessions. */
export interface SessionListProps {
  isReading: boolean;
  onRead: (path: string, title: string) => void;
}

/** The sessions of agents in this project on the server's machine, newest first. */
export function SessionList({ isReading, onRead }: SessionListProps) {
  const live = useLoaded((signal) => call('conversation.list', { limit: 20 }, { signal }));
  return (
    <section className="flow-sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title" className="flow-subtitle">
        Sessions of agents in this project
      </h2>
      <Loaded live={live} what="the sessions">
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className="baton-none">None was found on this machine.</p>
          ) : (
            <ul className="baton-list">
              {sessions.map(({ path, title, host, modified_at }) => (
                <li key={path} className="flow-session">
                  <span className="flow-session-title" dir="auto">
                    {showHidden(title)}
                  </span>
                  <span className="baton-hint">
                    {showHidden(host)} · <time dateTime={modified_at}>{new Date(modified_at).toLocaleString()}</time>
                  </span>
                  <button
                    type="button"
                    className="baton-button baton-small"
                    aria-label={`Read ${showHidden(title)}`}
                    aria-disabled={isReading}
                    onClick={() => onRead(path, showHidden(title))}
                  >
                    Read
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
