import type { Actor } from './actor.ts';
import type { Content } from './content.ts';
import type { Handoff } from './handoff.ts';
import { toInstant } from './instant.ts';
import { type Advance, expiryOf } from './lifecycle.ts';
import { limits } from './limits.ts';
import type { NewHandoff } from './store.ts';
import type { Step } from './transitions.ts';

/** What a store adds to a new handoff: who it is, and who made it when. */
export interface Beginning {
  id: string;
  idempotency_key?: string;
  actor: Actor;
  now_ms: number;
}

/** The first line of a handoff's life: pure, as `advance` is for all that follow. */
export function begin(given: NewHandoff, { id, idempotency_key, actor, now_ms }: Beginning): Advance {
  const { project, state, content, content_sha256 } = given;
  const created_at = toInstant(now_ms);
  const expires_at = expiryOf(content);
  const handoff: Handoff = {
    id,
    schema: 1,
    created_at,
    project,
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
    content_sha256,
    content,
    delivery: {
      state,
      version: 1,
      content_revision: 1,
      available_at: created_at,
      ...(state === 'draft' ? { begun_as_draft: true as const } : {}),
      ...(expires_at === undefined ? {} : { expires_at }),
      attempts: 0,
      max_attempts: given.max_attempts ?? limits.attempts_max_default,
      fence: 0,
      consumed: state === 'open' ? 0 : 1,
    },
  };
  const event = { handoff_id: id, name: 'handoff-created', at: created_at, actor, to: state };
  return { handoff, event: { ...event, details: { content_sha256, ...costOf(content) } } };
}

/** What the session's own agent was asked for cost; a later save by rules keeps what it wrote, and cost nothing. */
function costOf({ origin }: Content): Record<string, string | number> {
  if (origin?.asked === undefined || origin.extractor === undefined) return {};
  const { input_tokens, output_tokens, took_ms } = origin.asked;
  const counts = { input_tokens, output_tokens, took_ms };
  const known = Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]]));
  return { written_by: origin.extractor, ...Object.fromEntries(known) };
}

/** The step that opens a draft at once, where its creator has reviewed it; undefined where nobody has. */
export function approvalOf({ approval, content_sha256 }: NewHandoff): Step | undefined {
  return approval && { type: 'approve', content_sha256, ...approval };
}
