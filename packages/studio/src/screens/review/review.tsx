import { useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import '../flow.css';
import { Absent } from '../../shown/absent.tsx';
import { ClosedDraft } from './closed-draft.tsx';
import { DraftReview } from './draft-review.tsx';
import './review.css';

/**
 * The review of a draft on the server: its texts and their order are edited, and the exact bytes that were shown are
 * approved.
 */
export default function Review({ id }: ScreenProps) {
  if (id === undefined) {
    return (
      <div className="baton-empty">
        <p className="baton-empty-title">No draft is chosen</p>
        <p className="baton-hint">
          Open one from the <a href="/inbox">inbox</a>, or create one from a <a href="/import">conversation</a>.
        </p>
      </div>
    );
  }
  return <Named id={id} />;
}

function Named({ id }: { id: string }) {
  const { value, error, reload } = useLoaded((signal) => call('handoff.get', { id }, { signal }));
  if (value === undefined) return <Absent what="draft" name={id} error={error} onRetry={reload} />;
  return <Opened handoff={value} />;
}

/** A draft that is closed during its review stays on the screen: it shows that, and keeps the unsaved texts. */
function Opened({ handoff }: { handoff: Handoff }) {
  const [isDraft] = useState(handoff.delivery.state === 'draft');
  return isDraft ? <DraftReview loaded={handoff} /> : <ClosedDraft handoff={handoff} />;
}
