import './handoff.css';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { connection, useEvents } from '../../server/events.ts';
import { describeProblem, ServerProblem } from '../../server/server-problem.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, navigate, useRoute } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { ContentTab } from './content-tab.tsx';
import { HandoffHead } from './handoff-head.tsx';
import { RawTab } from './raw-tab.tsx';
import { ReceiverTab } from './receiver-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';

const tabs = [
  { name: 'content', title: 'Content', View: ContentTab },
  { name: 'receiver', title: 'What the agent sees', View: ReceiverTab },
  { name: 'timeline', title: 'Timeline', View: TimelineTab },
  { name: 'raw', title: 'Raw', View: RawTab },
] as const;

/** One handoff: what it says, what its receiver reads, what happened to it, and what can be done now. */
export default function HandoffScreen({ id = '' }: ScreenProps) {
  const { query } = useRoute();
  const { handoff, error, reload } = useHandoff(id);
  const tab = tabs.find(({ name }) => name === query.get('tab')) ?? tabs[0];
  const step = (by: number) => changeQuery({ tab: tabs[tabs.indexOf(tab) + by]?.name ?? tab.name });
  const parent = handoff?.content.parent_id;
  useKeys('Handoff', [
    { keys: 'Escape', does: 'back to the inbox', run: () => navigate('/inbox') },
    { keys: ']', does: 'next tab', run: () => step(1) },
    { keys: '[', does: 'previous tab', run: () => step(-1) },
    ...(parent === undefined ? [] : [{ keys: 'p', does: 'go to its parent', run: () => navigate(`/h/${parent}`) }]),
  ]);
  if (handoff === undefined) return <Absent id={id} error={error} onRetry={reload} />;
  return (
    <article className="handoff">
      {error === undefined ? null : <p className="baton-banner baton-banner-fault">{describeProblem(error)}</p>}
      <HandoffHead handoff={handoff} onChange={reload} />
      <nav className="studio-tabs" aria-label="Views">
        {tabs.map(({ name, title }) => (
          <a key={name} href={`/h/${id}?tab=${name}`} aria-current={name === tab.name ? 'true' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <tab.View handoff={handoff} />
    </article>
  );
}

/** A handoff as it is now: read again whenever something happened to it, and what was read stays until then. */
function useHandoff(id: string) {
  const [handoff, setHandoff] = useState<Handoff>();
  const [error, setError] = useState<unknown>();
  const { number } = useStore(connection);
  const reload = useCallback(async () => {
    try {
      const found = await call('handoff.get', { id });
      setHandoff((before) =>
        before !== undefined && before.delivery.version > found.delivery.version ? before : found,
      );
      setError(undefined);
    } catch (problem) {
      setError(problem);
    }
  }, [id]);
  useEffect(() => {
    // A connection that was lost may have missed something.
    if (number >= 0) void reload();
  }, [reload, number]);
  useEvents(handoff === undefined ? {} : { handoff_id: handoff.id }, () => void reload());
  return { handoff, error, reload };
}

function Absent({ id, error, onRetry }: { id: string; error: unknown; onRetry: () => void }) {
  if (error === undefined) return <p className="studio-loading">Reading the handoff…</p>;
  const isAbsent = error instanceof ServerProblem && error.code === 'not_found';
  return (
    <div className="baton-empty" role="alert">
      <h1 className="baton-empty-title">
        {isAbsent ? `There is no handoff “${showHidden(id)}” here` : 'The handoff cannot be read'}
      </h1>
      <p>{describeProblem(error)}</p>
      <p>
        <a href="/inbox">To the inbox</a>
      </p>
      {isAbsent ? null : (
        <button type="button" className="baton-button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
