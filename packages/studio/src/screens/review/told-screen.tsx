import { useCallback, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Content } from '../../../../batonpass/src/core/content.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { estimateTokens } from '../../../../batonpass/src/formats/token-estimate.ts';
import { renderPlanPrompt } from '../../../../batonpass/src/planning/render-plan-prompt.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { describeProblem } from '../../server/server-problem.ts';
import { Approval } from './approval.tsx';
import { type Shown, showText } from './approve-shown.ts';
import type { DraftParts } from './draft-parts.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

interface ToldScreenProps {
  draft: SyncedDraft;
  /** Whether the planner is the receiver: then it can be approved and planned at once. */
  isForPlanner: boolean;
  onBack: () => void;
  onApproved: (plans: boolean) => Promise<void>;
}

/** The text for the receiver of a draft, at its own address: loaded whenever the screen is opened. */
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
        <Button label="Back to the review" large onClick={onBack} />
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

/** Next to the lists: the exact text for the planner, of the present draft. */
export function ToldPane({ draft, address }: { draft: SyncedDraft; address: string }) {
  const { store, sync } = draft;
  const parts = useDeferredValue(useStore(store));
  const handoff = useDeferredValue(useStore(sync.state, (state) => state.handoff));
  const text = useMemo(() => toldText(parts, handoff.content), [parts, handoff]);
  const id = useId();
  return (
    <section className="review-told" aria-labelledby={id}>
      <h3 id={id} className="baton-heading">
        What the planner will be told
      </h3>
      <p className="baton-hint">
        {estimateTokens(text).toLocaleString('en')} tokens ·{' '}
        <a href={address}>Full width, or approve without planning</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text must be reachable by keyboard. */}
      <pre tabIndex={0}>{showHidden(text)}</pre>
    </section>
  );
}

/** The planner's text of a draft: rendered as by the server, and compared byte by byte before an approval. */
export function toldOf({ store, sync }: SyncedDraft): string {
  return toldText(store.getState(), sync.state.getState().handoff.content);
}

function toldText(parts: DraftParts, content: Content): string {
  const { decisions, filesReferenced: files, risks, brainstormSummary: summary } = parts;
  return renderPlanPrompt({ ...content, decisions, files, risks, summary });
}
