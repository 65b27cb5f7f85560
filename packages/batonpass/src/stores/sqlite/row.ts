import { encodeCanonicalJson } from '../../core/canonical-json.ts';
import type { Handoff } from '../../core/handoff.ts';
import * as columns from '../handoff-columns.ts';
import type { Parameters } from './driver.ts';

/** A new handoff: it has no lease, acknowledgement or failure yet. */
export function encodeNewHandoff(handoff: Handoff, content_json: string): Parameters {
  const { state, version, content_revision, available_at, expires_at, attempts, max_attempts, fence } =
    handoff.delivery;
  return {
    ...columns.encodeOrigin(handoff),
    state,
    version,
    content_revision,
    available_at: Date.parse(available_at),
    expires_at: expires_at === undefined ? undefined : Date.parse(expires_at),
    attempts,
    max_attempts,
    fence,
    ...columns.encodeContent({ ...handoff, content_json }),
  };
}

/** A handoff as another store had it, with every column. */
export function encodeStoredHandoff(handoff: Handoff): Parameters {
  const content_json = encodeCanonicalJson(handoff.content);
  return {
    ...encodeNewHandoff(handoff, content_json),
    ...columns.encodeDelivery(handoff.delivery),
  };
}
