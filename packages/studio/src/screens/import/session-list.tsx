import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import { Absent } from '../../shown/absent.tsx';

interface SessionListProps {
  isReading: boolean;
  onRead: (path: string, title: string) => void;
}

/** The sessions of agents in this project on the server's machine, newest first. */
export function SessionList({ isReading, onRead }: SessionListProps) {
  const { value, error, reload } = useLoaded((signal) => call('conversation.list', { limit: 20 }, { signal }));
  return (
    <section className="flow-sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title" className="flow-subtitle">
        Sessions of agents in this project
      </h2>
      {value === undefined ? <Absent what="list of sessions" error={error} onRetry={reload} /> : null}
      {value?.sessions.length === 0 ? <p className="baton-none">None was found on this machine.</p> : null}
      <ul className="baton-list">
        {value?.sessions.map(({ path, title, host, modified_at }) => (
          <li key={path} className="flow-session">
            <span className="flow-session-title" dir="auto">
              {showHidden(title)}
            </span>
            <span className="baton-hint">
              {showHidden(host)} · <time dateTime={modified_at}>{new Date(modified_at).toLocaleString()}</time>
            </span>
            <Button
              label="Read"
              aria-label={`Read ${showHidden(title)}`}
              aria-disabled={isReading}
              onClick={() => onRead(path, showHidden(title))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
