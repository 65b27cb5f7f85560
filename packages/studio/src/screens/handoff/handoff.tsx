import './handoff.css';
import { useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { rootOf } from '../../../../batonpass/src/core/lineage.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call } from '../../server/call.ts';
import { useEvents } from '../../server/events.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLoaded } from '../../server/use-live.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, navigate, useRoute } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Absent } from '../../shown/absent.tsx';
import { ContentTab } from './content-tab.tsx';
import { DiffTab } from './diff/diff-tab.tsx';
import { HandoffHead } from './handoff-head.tsx';
import { ReceiverTab } from './receiver-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';

const tabs = [
  { name: 'content', title: 'Content', View: ContentTab },
  { name: 'receiver', title: 'What the agent sees', View: ReceiverTab },
  { name: 'timeline', title: 'Timeline', View: TimelineTab },
  { name: 'diff', title: 'Diff', View: DiffTab },
  { name: 'raw', title: 'Raw', View: RawTab },
] as const;

/** One handoff: its content, the text for its receiver, its history, and the actions. */
export default function HandoffScreen({ id = '' }: ScreenProps) {
  const { query } = useRoute();
  const { value: handoff, error, reload } = useLoaded((signal) => call('handoff.get', { id }, { signal }), id);
  useEvents(handoff === undefined ? {} : { handoff_id: handoff.id }, () => void reload());
  const tab = tabs.find(({ name }) => name === query.get('tab')) ?? tabs[0];
  const step = (by: number) => changeQuery({ tab: tabs[tabs.indexOf(tab) + by]?.name ?? tab.name });
  const above = handoff?.content.parent_id ?? handoff?.content.supersedes_id;
  useKeys('Handoff', [
    { keys: 'Escape', does: 'back to the inbox', run: () => navigate('/inbox') },
    { keys: ']', does: 'next tab', run: () => step(1) },
    { keys: '[', does: 'previous tab', run: () => step(-1) },
    ...(above === undefined
      ? []
      : [
          { keys: 'p', does: 'go to its parent', run: () => navigate(`/h/${above}`) },
          { keys: 't', does: 'go to its root', run: () => void goToRoot(id) },
        ]),
  ]);
  if (handoff === undefined) return <Absent what="handoff" name={id} error={error} onRetry={reload} />;
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

/** Goes to the root of a handoff's lineage. */
async function goToRoot(id: string): Promise<void> {
  try {
    const { id: asked, handoffs } = await call('handoff.lineage', { id });
    navigate(`/h/${rootOf(asked, handoffs)}`);
  } catch (error) {
    announceFailure(describeProblem(error));
  }
}

/** The record as JSON, indented or in one line: shown with hidden characters made visible, copied as it is. */
function RawTab({ handoff }: { handoff: Handoff }) {
  const [isLaidOut, setLaidOut] = useState(true);
  const text = JSON.stringify(handoff, null, isLaidOut ? 2 : 0);
  const turn = () => setLaidOut(!isLaidOut);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce('Copied.');
    } catch {
      announceFailure('The browser does not let the page copy. Select the text and copy it yourself.');
    }
  };
  useKeys('Raw', [
    { keys: 'v', does: isLaidOut ? 'show the record in one line' : 'format the record', run: turn },
    { keys: 'c', does: 'copy the record', run: () => void copy() },
  ]);
  return (
    <div className="handoff-part">
      <div className="studio-buttons">
        <Button label="Copy" hotkey="C" onClick={() => void copy()} />
        <Button label="Formatted" hotkey="V" aria-pressed={isLaidOut} onClick={turn} />
      </div>
      <section className="handoff-text handoff-code" aria-label="The record as JSON">
        {showHidden(text)}
      </section>
    </div>
  );
}
