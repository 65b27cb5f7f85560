import { hashJson } from '../../packages/batonpass/src/core/canonical-json.ts';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import type { Delivery } from '../../packages/batonpass/src/core/delivery.ts';
import type { Handoff } from '../../packages/batonpass/src/core/handoff.ts';
import { sampleContent } from './sample-content.ts';

/** When the sample was created. */
export const created_ms = Date.parse('2026-03-01T10:00:00.000Z');

/** An open handoff with what a test sets instead. */
export function sampleHandoff(
  given: { content?: Content; project?: string; delivery?: Partial<Delivery> } = {},
): Handoff {
  const content = given.content ?? sampleContent({ task_id: 'T-1' });
  return {
    id: '01KJTM1G00ABCDEFGHJKMNPQRS',
    schema: 1,
    created_at: new Date(created_ms).toISOString(),
    project: given.project ?? 'example.org/shop',
    content_sha256: hashJson(content),
    content,
    delivery: {
      state: 'open',
      version: 1,
      content_revision: 1,
      available_at: new Date(created_ms).toISOString(),
      attempts: 0,
      max_attempts: 5,
      fence: 0,
      consumed: 0,
      ...given.delivery,
    },
  };
}
