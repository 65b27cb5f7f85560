import type { ReactNode } from 'react';
import type { FlowFailure } from './use-brainstorm-flow.ts';
import { useStaleAge } from './use-stale-age.ts';

const HOUR_MS = 60 * 60_000;

/** What the banners are about. */
export interface ReviewBannersProps {
  changedAt: string | null;
  storageFault: string | null;
  /** Of an extraction, or of going to planning. */
  failure: FlowFailure | null;
  isExtracting: boolean;
  /** Shown in place of a word that it runs, and always. */
  extracting?: ReactNode;
  now: () => number;
  /** Extracts once more; without it the banner has no button. */
  onExtractAgain?: (() => void) | undefined;
}

/** Above the lists: that the draft is old, that the browser does not keep it, that something failed. */
export function ReviewBanners({ changedAt, storageFault, failure, isExtracting, ...more }: ReviewBannersProps) {
  const { now, onExtractAgain } = more;
  const age_ms = useStaleAge(changedAt, now);
  return (
    <>
      {storageFault === null ? null : (
        <div className="baton-banner baton-banner-fault" role="alert">
          <p>{storageFault}</p>
        </div>
      )}
      {failure === null ? null : (
        <div className="baton-banner baton-banner-fault" role="alert">
          <p>{failure.message}</p>
          <p>{failure.kept}</p>
        </div>
      )}
      {more.extracting}
      {isExtracting && more.extracting === undefined ? (
        <p className="baton-banner" role="status">
          Reading the conversation…
        </p>
      ) : null}
      {age_ms === null ? null : (
        <div className="baton-banner" role="status">
          <p>
            This draft was last changed {describeAge(age_ms)} ago. Check that it still says what the conversation
            decided.
          </p>
          {onExtractAgain === undefined ? null : (
            <button type="button" className="baton-button baton-small" onClick={onExtractAgain}>
              Extract again
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Hours, and days from the second day on. */
function describeAge(age_ms: number): string {
  const hours = Math.floor(age_ms / HOUR_MS);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
