import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { describeProblem } from '../../server/server-problem.ts';
import { Approval, type Shown } from './approval.tsx';
import { showText } from './show-text.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** What follows upon the text. */
export interface ToldScreenProps {
  draft: SyncedDraft;
  /** Whether the planner gets it: then it can be approved and planned at once. */
  isForPlanner: boolean;
  onBack: () => void;
  onApproved: (plans: boolean) => Promise<void>;
}

/** The text that the receiver of a draft is told, at an address of its own: asked for whenever the screen is opened. */
export function ToldScreen({ draft: { sync }, isForPlanner, onBack, onApproved }: ToldScreenProps) {
  const sha256 = useStore(sync.state, ({ handoff }) => handoff.content_sha256);
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState('');
  const show = useCallback(async () => {
    setFailure('');
    await showText({ sync }).then(setShown, (error: unknown) => setFailure(describeProblem(error)));
  }, [sync]);
  useEffect(() => void show(), [show]);
  if (failure !== '') {
    return (
      <section className="flow-screen">
        <div role="alert">
          <p className="flow-fault">{failure}</p>
        </div>
        <button type="button" className="baton-button" onClick={onBack}>
          Back to the review
        </button>
      </section>
    );
  }
  if (shown === null) return <p className="studio-loading">Rendering…</p>;
  return (
    <Approval
      shown={shown}
      isStale={sha256 !== shown.handoff.content_sha256}
      isForPlanner={isForPlanner}
      onBack={onBack}
      onShowAgain={show}
      onApproved={onApproved}
    />
  );
}
