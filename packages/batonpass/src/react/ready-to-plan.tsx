import { useId } from 'react';
import { useStore } from 'zustand';
import { draftStore, type HandoffDraftStore } from '../draft/draft-store.ts';
import { Button } from './button.tsx';
import type { BrainstormFlow } from './use-brainstorm-flow.ts';

/** The props of "Ready to plan". */
export interface ReadyToPlanProps {
  flow: Pick<BrainstormFlow, 'isExtracting' | 'failure' | 'readyToPlan' | 'review' | 'back'>;
  /** The store whose pins are counted. Default: the store behind `useHandoffStore`. */
  store?: HandoffDraftStore;
}

/**
 * "Ready to plan" with the number of pins next to it. During an extraction it is disabled, and a button cancels; a
 * failure is shown below it, with what was kept.
 */
export function ReadyToPlan({ flow, store = draftStore }: ReadyToPlanProps) {
  const pins = useStore(store, ({ decisions }) => decisions.filter(({ source }) => source === 'user-pinned').length);
  const isAny = useStore(store, ({ decisions }) => decisions.length > 0);
  const id = useId();
  return (
    <div className="baton baton-ready">
      <p className="baton-hint" role="status">
        {flow.isExtracting ? 'Reading the conversation…' : null}
      </p>
      <span className="baton-badge" id={id}>
        {pins} pinned
      </span>
      {/* Before the start button: that one keeps its place, and a double click does not cancel. */}
      {flow.isExtracting ? <Button label="Cancel" large onClick={flow.back} /> : null}
      {/* Not the attribute `disabled`: it would drop the focus, and with it the position of a screen reader. */}
      <Button
        label="Ready to plan"
        large
        look="primary"
        aria-disabled={flow.isExtracting}
        aria-describedby={id}
        onClick={() => void flow.readyToPlan()}
      />
      <div role="alert">
        {flow.failure === null ? null : (
          <div className="baton-banner baton-banner-fault">
            <p>{flow.failure.message}</p>
            <p>{flow.failure.kept}</p>
            {isAny ? <Button label="Review what was kept" onClick={flow.review} /> : null}
          </div>
        )}
      </div>
    </div>
  );
}
