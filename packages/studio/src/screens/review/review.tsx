import { call } from '../../server/call.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import '../flow.css';
import { Loaded } from '../loaded.tsx';
import { ClosedDraft } from './closed-draft.tsx';
import { DraftReview } from './draft-review.tsx';
import './review.css';

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
