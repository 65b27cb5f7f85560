import type { Evidence } from '../core/evidence.ts';
import { showHidden } from '../core/hidden-characters.ts';
import { InlineText } from './inline-text.tsx';
import { useReviewParts } from './review-context.ts';
import type { Subject } from './subjects.ts';

/** A longer quote than this is folded to its beginning. */
const QUOTE_SHOWN_MAX = 240;

/** Where an entry was said, in the words in which it was. */
export function Quote({ subject, evidence }: { subject: Subject; evidence: Evidence }) {
  const shown = showHidden(evidence.quote);
  const place = <Place subject={subject} evidence={evidence} />;
  if (shown.length <= QUOTE_SHOWN_MAX) {
    return (
      <p className="baton-quote">
        {place}{' '}
        <q dir="auto">
          <InlineText text={evidence.quote} />
        </q>
      </p>
    );
  }
  // The place is a button of its own: within the summary nobody who hears the page would find it.
  return (
    <div className="baton-quote baton-quote-long">
      {place}
      <details>
        <summary>
          <q dir="auto">{[...shown].slice(0, QUOTE_SHOWN_MAX - 60).join('')}…</q>
        </summary>
        <q dir="auto">
          <InlineText text={evidence.quote} />
        </q>
      </details>
    </div>
  );
}

/** The message's number; a button where the application shows the conversation around it. */
function Place({ subject, evidence }: { subject: Subject; evidence: Evidence }) {
  const { actions, hasEvidence } = useReviewParts();
  const words = `message ${evidence.message}`;
  if (!hasEvidence) return <span className="baton-place">{words}</span>;
  return (
    <button
      type="button"
      className="baton-place baton-link"
      title="Show the conversation around it"
      onClick={() => actions.showEvidence(subject, evidence)}
    >
      {words}
    </button>
  );
}
