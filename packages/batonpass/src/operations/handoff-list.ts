import { z } from 'zod';
import { HandoffError } from '../core/errors.ts';
import { filterSchema } from '../core/filter.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** The handoffs of this project, newest first. */
export const handoffList = defineOperation({
  name: 'handoff.list',
  summary: 'Lists handoffs of this project, newest first.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'list' }, http: { role: 'agent' } },
  input: filterSchema.omit({ project: true }).extend({
    all_projects: z.boolean().optional().describe('Not only this project, but all in the store'),
    limit: z.int().min(0).max(limits.list_max).default(50),
    cursor: z.string().max(200).optional(),
    without_words: z
      .literal(true)
      .optional()
      .describe('Leave out the words of the conversation: most of what a long one weighs'),
    skip: z.int().min(0).max(limits.list_skip_max).optional().describe('How many to pass over'),
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
