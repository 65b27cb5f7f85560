import { z } from 'zod';
import { withoutEditWords } from '../core/edit-changes.ts';
import { withoutKeptStep } from '../core/kept-step.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { assertKnownEvent } from './assert-known-event.ts';
import type { OperationContext } from './context.ts';
import { eventOutput } from './output-schemas.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** The history of one handoff, or of the project: who did what, when and why. */
export const handoffEvents = defineOperation({
  name: 'handoff.events',
  summary: 'Shows the history of a handoff, or of the whole project, oldest first.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'log' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema.optional(),
    after_seq: z.int().min(0).optional(),
    limit: z.int().min(1).max(limits.events_max).default(200),
  }),
  output: async () => z.strictObject({ events: z.array(await eventOutput()) }),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id, after_seq, limit }, context: OperationContext) => {
    const store = await context.openStore();
    await settleInjections(store, context);
    await assertKnownEvent(store, after_seq);
    const about =
      id === undefined ? { project: context.project } : { handoff_id: (await resolveHandoff(id, context)).id };
    // Without a place to continue from, people mean the newest events.
    const found = await store.events({ ...about, limit, after_seq, newest: after_seq === undefined });
    const events = found.map(withoutKeptStep);
    // What a reviewer removed from a draft is only for people: an agent that read it would follow it after all.
    return { events: context.actor.type === 'person' ? events : events.map(withoutEditWords) };
  },
});
