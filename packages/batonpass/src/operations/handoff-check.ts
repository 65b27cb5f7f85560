import { z } from 'zod';
import { fileDriftSchema, hasDrifted } from '../core/drift.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { compareFiles } from '../workspace/drift/drift.ts';
import { createFileReader } from '../workspace/drift/file.ts';
import type { OperationContext } from './context.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/** The state of the files that a handoff names, in this work tree. */
export const handoffCheck = defineOperation({
  name: 'handoff.check',
  summary: 'Compares the files that handoffs name with this work tree: what was edited, renamed or is missing.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'check' }, http: { role: 'agent', folder: true } },
  input: z.strictObject({ id: referenceSchema.optional() }),
  output: async () =>
    z.strictObject({
      /** The handoff that was asked for, or all that are open here, newest first. */
      handoffs: z.array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          files: z.array(fileDriftSchema),
          /** How many of the files changed; unknown files do not count. */
          drifted: z.int(),
        }),
      ),
      drifted: z.int(),
      /** Whether more handoffs are open than were compared. */
      is_partial: z.boolean(),
    }),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id }, context: OperationContext) => {
    const { handoffs, is_partial } =
      id === undefined ? await listOpen(context) : { handoffs: [await resolveHandoff(id, context)], is_partial: false };
    const reader = createFileReader(context.workspace.root);
    const checked = handoffs.map((handoff) => {
      const files = compareFiles(context.workspace, handoff.content.files, reader);
      return {
        id: handoff.id,
        title: handoff.content.title,
        files,
        drifted: files.filter(hasDrifted).length,
      };
    });
    return { handoffs: checked, drifted: checked.reduce((sum, { drifted }) => sum + drifted, 0), is_partial };
  },
});

async function listOpen({
  openStore,
  project,
}: OperationContext): Promise<{ handoffs: Handoff[]; is_partial: boolean }> {
  const store = await openStore();
  const { handoffs, cursor } = await store.list({
    filter: { project, state: ['open'] },
    limit: limits.check_handoffs_max,
  });
  return { handoffs, is_partial: cursor !== undefined };
}
