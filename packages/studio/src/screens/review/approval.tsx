import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { planAgentName } from '../../../../batonpass/src/draft/plan-agent-name.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { describeProblem } from '../../server/server-problem.ts';
import { useKeys } from '../../shell/keys.ts';
import { approveShown, type Shown } from './approve-shown.ts';

interface ApprovalProps {
  shown: Shown;
  /** Whether the draft changed since: then this text is not what would be approved. */
  isStale: boolean;
  /** Whether it can be planned at once. */
  isForPlanner: boolean;
  onBack: () => void;
  onShowAgain: () => Promise<void>;
  /** @param plans - whether it is to be planned now. */
  onApproved: (plans: boolean) => Promise<void>;
}

/** The exact text for the receiver, and the approval that binds content and text by their hashes. */
export function Approval({ shown, isStale, isForPlanner, onBack, onShowAgain, onApproved }: ApprovalProps) {
  const { text, tokens, sha256 } = shown.rendered;
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const { approve, failure, isApproving } = useApprove(shown, onApproved);
  // A new text is shown from its start.
  useLayoutEffect(() => heading.current?.focus(), [sha256]);
  useKeys('Approval', [
    {
      keys: 'Mod+Enter',
      does: isForPlanner ? 'approve and plan' : 'approve',
      run: () => void (isStale || approve(isForPlanner)),
    },
    { keys: 'Escape', does: 'back to the review', run: onBack },
  ]);
  return (
    <section className="flow-screen" aria-labelledby={id}>
      <h1 id={id} className="baton-title" ref={heading} tabIndex={-1}>
        What {receiverOf(shown.handoff)} will be told
      </h1>
      <p className="baton-hint">
        Exactly this text, and nothing else of the draft. It cannot be changed once it is approved.
      </p>
      <section className="flow-text" aria-label="The text">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text must be reachable by keyboard. */}
        <pre tabIndex={0}>{showHidden(text)}</pre>
      </section>
      <p className="baton-hint">
        {tokens.toLocaleString('en')} tokens · SHA-256 <code className="flow-hash">{sha256}</code>
      </p>
      <div role="alert">
        {isStale ? <p className="flow-fault">The draft was changed meanwhile: this is no longer its text.</p> : null}
        {failure === '' ? null : <p className="flow-fault">{failure}</p>}
      </div>
      <div className="studio-buttons">
        <Button label="Back to the review" large onClick={onBack} />
        {isStale || failure !== '' ? (
          <Button label="Show the current text" large onClick={() => void onShowAgain()} />
        ) : null}
        {isStale ? null : (
          <>
            <Button
              label="Approve"
              large
              look={isForPlanner ? undefined : 'primary'}
              aria-disabled={isApproving}
              onClick={() => void approve(false)}
            />
            {isForPlanner ? (
              <Button
                label="Approve and plan"
                large
                look="primary"
                aria-disabled={isApproving}
                onClick={() => void approve(true)}
              />
            ) : null}
          </>
        )}
      </div>
    </section>
  );
}

/** The receiver of a handoff, as a noun in a sentence. */
function receiverOf({ content: { target_agent } }: Handoff): string {
  return target_agent === undefined || target_agent === planAgentName ? 'the planner' : showHidden(target_agent);
}

function useApprove(shown: Shown, onApproved: ApprovalProps['onApproved']) {
  const [failure, setFailure] = useState('');
  const [isApproving, setApproving] = useState(false);
  const isUnderWay = useRef(false);
  useEffect(() => setFailure(''), [shown.rendered.sha256]);
  const approve = async (plans: boolean) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setApproving(true);
    try {
      await approveShown(shown);
      await onApproved(plans);
    } catch (error) {
      setFailure(describeProblem(error));
    } finally {
      isUnderWay.current = false;
      setApproving(false);
    }
  };
  return { approve, failure, isApproving };
}
