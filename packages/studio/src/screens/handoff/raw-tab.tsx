import { useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';

/** The record as JSON, laid out or in one line: shown with hidden characters made visible, copied as it is. */
export function RawTab({ handoff }: { handoff: Handoff }) {
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
    { keys: 'v', does: isLaidOut ? 'show the record in one line' : 'lay the record out', run: turn },
    { keys: 'c', does: 'copy the record', run: () => void copy() },
  ]);
  return (
    <div className="handoff-part">
      <div className="studio-buttons">
        <button type="button" className="baton-button baton-small" onClick={() => void copy()}>
          Copy <kbd>C</kbd>
        </button>
        <button type="button" className="baton-button baton-small" aria-pressed={isLaidOut} onClick={turn}>
          Laid out <kbd>V</kbd>
        </button>
      </div>
      <section className="handoff-text handoff-code" aria-label="The record as JSON">
        {showHidden(text)}
      </section>
    </div>
  );
}
