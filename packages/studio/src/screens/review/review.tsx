import { HandoffReview } from 'batonpass/react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { planAgentName } from '../../../../batonpass/src/brainstorm/planning/plan-agent-name.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { preferences } from '../../shell/preferences.ts';
import { navigate } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import '../flow.css';
import { Loaded } from '../loaded.tsx';
import { Approval, type Shown } from './approval.tsx';
import { ClosedDraft, ClosedUnderReview } from './closed-draft.tsx';
import { Conflicts } from './conflicts.tsx';
import { SavedState } from './saved-state.tsx';
import { type SyncedDraft, useDraftSync } from './use-draft-sync.ts';

/** The review of a draft of the server: worded, put in order, and approved by the very bytes that were shown. */
export default function Review({ id }: ScreenProps) {
  if (id === undefined) {
    return (
      <div className="baton-empty">
        <p className="baton-empty-title">No draft is chosen</p>
        <p className="baton-hint">
          Open one from the <a href="/inbox">inbox</a>, or make one of a <a href="/import">conversation</a>.
        </p>
      </div>
    );
  }
  return (
    <Loaded load={() => call('handoff.get', { id })} what="the draft">
      {(handoff) =>
        handoff.delivery.state === 'draft' ? <DraftReview loaded={handoff} /> : <ClosedDraft handoff={handoff} />
      }
    </Loaded>
  );
}

function DraftReview({ loaded }: { loaded: Handoff }) {
  const draft = useDraftSync(loaded);
  const state = useStore(draft.sync.state);
  const singleKeys = useStore(preferences, ({ hasSingleKeys }) => hasSingleKeys);
  const [shown, setShown] = useState<Shown | null>(null);
  const { handoff } = state;
  const show = async () => setShown(await showText(draft));
  if (shown !== null) {
    return (
      <Approval
        shown={shown}
        isStale={handoff.content_sha256 !== shown.handoff.content_sha256}
        onBack={() => setShown(null)}
        onShowAgain={() => show().catch(() => setShown(null))}
        onApproved={() => {
          draft.sync.close();
          navigate(`/run/${handoff.id}`);
        }}
      />
    );
  }
  return (
    <div className="flow-review">
      <header className="flow-head">
        <h1 className="flow-title" dir="auto">
          {showHidden(handoff.content.title)}
        </h1>
      </header>
      {state.phase === 'closed' ? (
        <ClosedUnderReview handoff={handoff} store={draft.store} />
      ) : (
        <SavedState state={state} sync={draft.sync} />
      )}
      <Conflicts store={draft.store} sync={draft.sync} />
      <div inert={state.phase === 'closed'}>
        <HandoffReview
          store={draft.store}
          singleKeys={singleKeys}
          onBack={() => navigate('/inbox')}
          onStartPlanning={show}
        />
      </div>
    </div>
  );
}

/**
 * Saves what there is, addresses the draft to the planning agent, and asks for the text that it would be told.
 *
 * @throws Error in words for a person where something is not saved, or not chosen.
 */
async function showText({ sync }: SyncedDraft): Promise<Shown> {
  await sync.save();
  const { phase, reason, conflicts, handoff } = sync.state.getState();
  if (conflicts.length > 0) throw new Error('Choose first between your words and theirs: see above.');
  if (phase !== 'saved') throw new Error(`The draft is not saved. ${reason}`);
  const { id, content, delivery } = handoff;
  if (content.target_agent !== planAgentName) {
    await call('handoff.edit', { id, changes: { target_agent: planAgentName }, if_version: delivery.version });
    sync.hear();
    await sync.save();
  }
  const rendered = await call('handoff.render', { id });
  return { handoff: sync.state.getState().handoff, rendered };
}
