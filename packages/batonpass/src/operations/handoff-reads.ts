import { z } from 'zod';
import { withoutEditWords } from '../core/edit-changes.ts';
import { HandoffError } from '../core/errors.ts';
import { filterSchema } from '../core/filter.ts';
import type { Handoff } from '../core/handoff.ts';
import { withoutKeptStep } from '../core/kept-step.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { stateSchema } from '../core/state.ts';
import type { Store } from '../core/store.ts';
import type { OperationContext } from './context.ts';
import { eventOutput, handoffOutput } from './output-schemas.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** One handoff, whole, without its lease's token. */
export const handoffGet = defineOperation({
  name: 'handoff.get',
  summary: 'Shows one handoff, whole, with evidence and delivery.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'get' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema,
    payload: z.boolean().optional().describe('With a payload that is stored separately'),
  }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id, payload }, context: OperationContext) => {
    const store = await context.openStore();
    await settleInjections(store, context);
    const handoff = await resolveHandoff(id, context);
    return payload === true ? withPayload(handoff, store) : handoff;
  },
});

/** Next to its pointer, which the content's hash covers. */
async function withPayload(handoff: Handoff, store: Store): Promise<Handoff> {
  const json = await store.readPayload(handoff.id);
  return json === null ? handoff : { ...handoff, content: { ...handoff.content, payload: JSON.parse(json) } };
}

/** The handoffs of this project, newest first. */
export const handoffList = defineOperation({
  name: 'handoff.list',
  summary: 'Lists handoffs of this project, newest first.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'list' }, http: { role: 'agent' } },
  input: filterSchema.omit({ project: true }).extend({
    all_projects: z.boolean().optional().describe('All projects in the store, not only this one'),
    limit: z.int().min(0).max(limits.list_max).default(50),
    cursor: z.string().max(200).optional(),
    without_words: z
      .literal(true)
      .optional()
      .describe('Leave out the words of the conversation: most of the size of a long one'),
    skip: z.int().min(0).max(limits.list_skip_max).optional().describe('How many to skip'),
  }),
  output: async () =>
    z.strictObject({
      handoffs: z.array(await handoffOutput()),
      cursor: z.string().optional(),
      /** Handoffs that were left out because they have no scope and the request has one. */
      unscoped_left_out: z.int(),
    }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ limit, cursor, skip, all_projects, without_words, ...filter }, context: OperationContext) => {
    if (all_projects === true && context.confined !== undefined) throw onlyOwn(context.project);
    const store = await context.openStore();
    await settleInjections(store, context);
    const page = await store.list({
      filter: all_projects === true ? filter : { ...filter, project: context.project },
      limit,
      cursor,
      skip,
    });
    return without_words === true ? { ...page, handoffs: page.handoffs.map(withoutWords) } : page;
  },
});

function withoutWords({ content: { words: _words, ...content }, ...handoff }: Handoff): Handoff {
  return { ...handoff, content };
}

/** A caller that is confined to one project does not learn of others. */
function onlyOwn(project: string): HandoffError {
  return new HandoffError('invalid_input', `Only the handoffs of ${project} can be listed here.`, {
    details: { project },
    alternatives: ['Leave out `all_projects`.'],
  });
}

/** The number of handoffs of this project in each state. */
export const handoffCount = defineOperation({
  name: 'handoff.count',
  summary: 'Counts handoffs of this project by state.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: filterSchema.omit({ project: true }).extend({
    look_max: z
      .int()
      .min(1)
      .max(limits.count_look_max)
      .default(limits.count_look_default)
      .describe('How many of each state are examined, newest first'),
  }),
  output: async () =>
    z.strictObject({
      counts: z.partialRecord(stateSchema, z.int()),
      /** States whose count is a lower bound. */
      partial: z.array(stateSchema),
    }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ look_max, ...filter }, context: OperationContext) => {
    const store = await context.openStore();
    return store.count({ filter: { ...filter, project: context.project }, look_max });
  },
});

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

/**
 * Refuses a place in the history that the store has not reached. A caller that continues from there would wait for events
 * that never come: the store was replaced, or the place is another store's.
 *
 * @throws HandoffError `invalid_input`.
 */
export async function assertKnownEvent(store: Store, after_seq: number | undefined): Promise<void> {
  if (after_seq === undefined || after_seq === 0) return;
  const [newest] = await store.events({ newest: true, limit: 1 });
  if (after_seq <= (newest?.seq ?? 0)) return;
  throw new HandoffError('invalid_input', `There is no event ${after_seq} in this store yet.`, {
    details: { after_seq },
    alternatives: [
      'Leave out after_seq and Last-Event-ID to begin now.',
      'Begin with after_seq 0 for the whole history: the store may have been replaced or restored.',
    ],
  });
}
