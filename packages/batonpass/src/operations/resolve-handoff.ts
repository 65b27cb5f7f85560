import { basename } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { showProject } from '../core/project-name.ts';
import { isDamagedRow } from '../stores/damaged-row.ts';
import { shownStoreUrl } from '../stores/open.ts';
import type { OperationContext } from './context.ts';

/** A caller's reference to a handoff: its whole id, or its last characters where they are unique in the project. */
export const referenceSchema = z
  .string()
  .trim()
  .min(
    limits.id_suffix_characters_min,
    `give at least the last ${limits.id_suffix_characters_min} characters of the id`,
  )
  .max(limits.name_characters_max)
  .regex(/^[\w-]+$/, 'an id has letters, digits, dashes and underscores only')
  .describe('Handoff id, or its last characters');

/** The proof that the caller holds a handoff. */
export const tokenSchema = z
  .string()
  .trim()
  .min(1, 'give the token that the claim printed')
  .max(200)
  .describe('The token from the claim');

/**
 * Finds the handoff that a reference names.
 *
 * @param isDamagedToo - whether one that is damaged is given, with a content that says so. Default: it is an error.
 * @throws HandoffError `unavailable` for a damaged one, `not_found` for none, `invalid_input` with the candidates for several.
 */
export async function resolveHandoff(
  reference: string,
  context: OperationContext,
  { isDamagedToo = false } = {},
): Promise<Handoff> {
  const store = await context.openStore();
  const get = (id: string) =>
    store.get(id).catch((error: unknown) => {
      if (isDamagedToo && isDamagedRow(error)) return null;
      throw error;
    });
  const id = reference.toUpperCase();
  // As it was given too: an imported handoff may have another kind of id.
  const found = (await get(id)) ?? (await get(reference));
  // A handoff of another project counts as absent.
  if (found?.project === context.project) return found;
  if (found !== null || (id.length >= 26 && !isDamagedToo)) return notFound(reference, context);
  const { handoffs } = await store.list({
    filter: { project: context.project, id_suffix: id },
    limit: 5,
  });
  const [only, ...others] = handoffs;
  if (only === undefined) return notFound(reference, context);
  if (others.length === 0) return isDamagedToo ? only : ((await get(only.id)) ?? notFound(reference, context));
  throw new HandoffError('invalid_input', `Several handoffs end in "${reference}".`, {
    details: { candidates: handoffs.map(({ id: candidate }) => candidate) },
    alternatives: handoffs.map((handoff) => `${handoff.id}: ${handoff.content.title}`),
  });
}

function notFound(reference: string, context: OperationContext): never {
  const { project, workspace } = context;
  const store = shownStoreUrl(context.store_url);
  throw new HandoffError(
    'not_found',
    `No handoff "${reference}" in ${showProject(project, basename(workspace.root))}.`,
    {
      details: { reference, project, store },
      alternatives: [
        'List them: baton list',
        ...(reference.length < limits.id_shown_characters ? ['A partial id is its last characters.'] : []),
        `Check that this is the right store: ${store}`,
      ],
    },
  );
}
