import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';

/** The record as JSON: shown with hidden characters made visible, copied as it is. */
export function RawTab({ handoff }: { handoff: Handoff }) {
  const text = JSON.stringify(handoff, null, 2);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce('Copied.');
    } catch {
      announceFailure('The browser does not let the page copy. Select the text and copy it yourself.');
    }
  };
  return (
    <div className="handoff-part">
      <button type="button" className="baton-button baton-small" onClick={() => void copy()}>
        Copy
      </button>
      <section className="handoff-text handoff-code" aria-label="The record as JSON">
        {showHidden(text)}
      </section>
    </div>
  );
}
