import { type Content, type ContentInput, isByPerson } from '../core/content.ts';
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

/** The lists whose items say who put them into words. */
const marked = ['decisions', 'instructions', 'environment'] as const;

/**
 * The content as its writer may mark it: what an agent says that a person pinned or edited counts as extracted, as an
 * agent's decisions do that name no source. Items that a draft has with such a mark already keep it.
 *
 * @param draft - what the writer edits. Default: nothing.
 */
export function withOwnMarks(
  content: ContentInput,
  { actor }: Pick<OperationContext, 'actor'>,
  draft?: Content,
): ContentInput {
  if (actor.type !== 'agent') return content;
  const lists = marked.flatMap((list) => {
    const items = content[list];
    const isKept = (words: string) =>
      draft?.[list]?.some((item) => item.content === words && isByPerson(item.source)) ?? false;
    const own = items?.map((item) =>
      typeof item === 'string' || item.source === undefined || !isByPerson(item.source) || isKept(item.content)
        ? item
        : { ...item, source: 'ai-extracted' as const },
    );
    return own === undefined ? [] : [[list, own]];
  });
  return { ...content, ...Object.fromEntries(lists) };
}
