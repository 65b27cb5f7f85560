import type { ContentInput } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import type { OperationContext } from './context.ts';

/**
 * A caller with a token writes in the token's name. The folder's own user may name another author.
 *
 * @param field - the input's member that names somebody. @throws HandoffError `invalid_input` for another name.
 */
export function assertOwnName(
  name: string | undefined,
  field: string,
  { actor, confined }: Pick<OperationContext, 'actor' | 'confined'>,
): void {
  if (confined === undefined || name === undefined || name.trim() === actor.name) return;
  throw new HandoffError('invalid_input', `The token belongs to "${actor.name}". It writes nothing as "${name}".`, {
    details: { field, actor: actor.name },
    alternatives: ['Leave the name out.', `Use a token of that name: baton token create ${JSON.stringify(name)}`],
  });
}

/** @throws HandoffError `invalid_input` where a caller that is no hook claims that a hook saved the content. */
export function assertSavedByHook({ origin }: ContentInput, { actor }: Pick<OperationContext, 'actor'>): void {
  if (origin?.trigger === undefined || actor.type === 'hook') return;
  throw new HandoffError('invalid_input', 'Only the hook of a host may set origin.trigger.', {
    details: { field: 'content.origin.trigger' },
    alternatives: ['Leave origin.trigger out.'],
  });
}

/** @throws HandoffError `invalid_input` where an agent imports a content that names a person as its author. */
export function assertWrittenBy({ origin }: ContentInput, { actor }: Pick<OperationContext, 'actor'>): void {
  if (origin?.by !== 'person' || actor.type === 'person') return;
  throw new HandoffError('invalid_input', 'Only a person may import what says that a person wrote it.', {
    details: { field: 'content.origin.by' },
    alternatives: ['Leave origin.by out.'],
  });
}
