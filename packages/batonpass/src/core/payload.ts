import { sha256Hex } from './canonical-json.ts';
import type { CompletedContent } from './complete-content.ts';
import type { Content } from './content.ts';
import { HandoffError } from './errors.ts';
import type { Handoff } from './handoff.ts';

/** The pointer of a content whose payload is kept apart, and the payload where it came along. */
export interface PointedPayload {
  ref: NonNullable<Content['payload_ref']>;
  /** Canonical JSON; absent where the store must have it already. */
  json: string | undefined;
}

/** The payload that a content points to; undefined where it contains its payload itself, or has none. */
export function pointedPayload({
  content,
  payload_json,
}: Pick<CompletedContent, 'content' | 'payload_json'>): PointedPayload | undefined {
  return content.payload_ref && { ref: content.payload_ref, json: payload_json };
}

/**
 * The payloads that handoffs point to, by their SHA-256.
 *
 * @throws HandoffError `unavailable` for one that is missing or has other bytes.
 */
export function collectPayloads(
  handoffs: readonly Handoff[],
  find: (sha256: string) => string | undefined,
): Record<string, string> {
  const payloads: Record<string, string> = {};
  for (const { id, content } of handoffs) {
    const { payload_ref: ref } = content;
    if (ref === undefined) continue;
    const json = find(ref.sha256);
    if (json === undefined || sha256Hex(json) !== ref.sha256) throw damagedPayload(id, ref);
    payloads[ref.sha256] = json;
  }
  return payloads;
}

/** The error of a content that points to what no handoff of its project has. */
export function absentPayload({ sha256 }: PointedPayload['ref']): HandoffError {
  return new HandoffError('invalid_input', `No handoff of this project has the payload ${sha256}.`, {
    details: { sha256 },
    alternatives: ['Give the payload itself in `payload`; a large one is stored separately.'],
  });
}

/** The error of a payload whose bytes are not those that its handoff points to. */
function damagedPayload(id: string, { sha256 }: PointedPayload['ref']): HandoffError {
  return new HandoffError('unavailable', `The payload of handoff ${id} is damaged or missing: ${sha256}.`, {
    details: { id, sha256 },
    alternatives: ['See what else is damaged: baton store check', 'Restore a backup: baton store restore'],
  });
}
