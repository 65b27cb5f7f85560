import { hashJson, sha256Hex } from '../core/canonical-json.ts';
import { HandoffError } from '../core/errors.ts';
import type { StoredHandoff } from '../core/store.ts';

/** What a handoff from another store is beside what is here. */
export interface ImportVerdict {
  became: 'added' | 'updated' | 'unchanged';
  /** The lines of its history that are not here yet. */
  missing: StoredHandoff['events'];
}

/**
 * Refuses a handoff whose parts do not belong together, whatever changed them on the way: content and hash, pointer and
 * payload, state and history.
 *
 * @throws HandoffError `invalid_input`.
 */
export function assertStored({ handoff, events, payload_json }: StoredHandoff): void {
  const { id, content, content_sha256, delivery } = handoff;
  if (hashJson(content) !== content_sha256) throw unfit(id, 'its content is not the one that its hash names');
  const { payload_ref } = content;
  if (payload_json !== undefined && payload_ref?.sha256 !== sha256Hex(payload_json)) {
    throw unfit(id, 'its payload is not the one that its content points to');
  }
  if (events.some((event) => event.handoff_id !== id)) throw unfit(id, "its history has another handoff's line");
  // Each step raises the version by one and writes one line.
  if (events.length !== delivery.version)
    throw unfit(id, `its version is ${delivery.version}, its history has ${events.length} lines`);
  if (events.at(-1)?.to !== delivery.state) throw unfit(id, `it is ${delivery.state}, its history ends otherwise`);
}

/**
 * Judges a handoff from another store against the one that is here.
 *
 * @throws HandoffError `conflict` where both went on apart from each other.
 */
export function judgeImport(present: StoredHandoff | undefined, came: StoredHandoff): ImportVerdict {
  if (present === undefined) return { became: 'added', missing: came.events };
  const known = present.events.length;
  const isContinued =
    came.handoff.delivery.version >= present.handoff.delivery.version &&
    hashJson(present.events.map(withoutPlace)) === hashJson(came.events.slice(0, known).map(withoutPlace));
  if (!isContinued) throw parted(present, came);
  const missing = came.events.slice(known);
  return { became: missing.length === 0 ? 'unchanged' : 'updated', missing };
}

/** A line of history as every store has it: its place is each store's own. */
function withoutPlace({ seq: _seq, ...event }: StoredHandoff['events'][number]): object {
  return event;
}

function unfit(id: string, reason: string): HandoffError {
  return new HandoffError('invalid_input', `Handoff ${id} cannot be taken over: ${reason}.`, {
    details: { id },
    alternatives: ['Check the store that it comes from: baton store check', 'Take it from a backup.'],
  });
}

function parted({ handoff }: StoredHandoff, came: StoredHandoff): HandoffError {
  const { id, delivery } = handoff;
  return new HandoffError('conflict', `Handoff ${id} went on in both stores.`, {
    details: { id, version: delivery.version, came_version: came.handoff.delivery.version, state: delivery.state },
    alternatives: [
      `See what happened here: baton log ${id}`,
      'Go on with one of the two stores; the other keeps its own.',
    ],
  });
}
