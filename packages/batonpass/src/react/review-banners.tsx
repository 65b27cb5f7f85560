import { type ReactNode, useEffect, useState } from 'react';
import { limits } from '../core/limits.ts';
import { Button } from './button.tsx';
import type { FlowFailure } from './use-brainstorm-flow.ts';

const HOUR_MS = 60 * 60_000;

/** The props of the banners. */
export interface ReviewBannersProps {
  changedAt: string | null;
  storageFault: string | null;
  /** Of an extraction, or of the step to planning. */
  failure: FlowFailure | null;
  isExtracting: boolean;
  /** The progress of an extraction, in place of a short text; also rendered where none runs. */
  extracting?: ReactNode;
  now: () => number;
  /** Extracts again; without it the banner has no button. */
  onExtractAgain?: (() => void) | undefined;
}

/** Above the lists: that the draft is old, that the browser does not store it, that something failed. */
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
          {onExtractAgain === undefined ? null : <Button label="Extract again" onClick={onExtractAgain} />}
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

/** An unchanged draft that is older may no longer fit its conversation. */
const STALE_MS = 24 * 60 * 60_000;

/**
 * How old a draft is, in milliseconds, once that is more than 24 hours; null before. One timer waits for that moment,
 * so that it is found without a change of the draft.
 */
function useStaleAge(changedAt: string | null, now: () => number): number | null {
  const [, setWoken] = useState(0);
  const age_ms = changedAt === null ? 0 : now() - Date.parse(changedAt);
  const left_ms = STALE_MS - age_ms;
  useEffect(() => {
    if (changedAt === null || left_ms < 0) return;
    const timer = setTimeout(() => setWoken((count) => count + 1), Math.min(left_ms + 1, limits.timer_ms_max));
    return () => clearTimeout(timer);
  }, [changedAt, left_ms]);
  return age_ms > STALE_MS ? age_ms : null;
}
