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

/**
 * Refuses what only a reader of a conversation knows, where an agent hands it over itself: nobody checked it, and a receiver
 * would take it for the person's words. An agent's own items, in its own words, need none of it.
 *
 * @param draft - what the writer edits: its items keep what they have. Default: nothing.
 * @throws HandoffError `invalid_input` that names the field.
 */
export function assertOwnWords(
  content: ContentInput,
  { actor }: Pick<OperationContext, 'actor'>,
  draft?: Content,
): void {
  if (actor.type !== 'agent') return;
  const known = new Set(draft === undefined ? [] : listRead(draft).map(({ value }) => value));
  const claimed = listRead(content).find(({ value }) => !known.has(value));
  if (claimed === undefined) return;
  const field = `content.${claimed.field}`;
  throw new HandoffError(
    'invalid_input',
    `Only what is read from a conversation has ${field}: an agent cannot set it.`,
    {
      details: { field },
      alternatives: [
        'Leave it out, and say it in your own words.',
        'Hand over a conversation from its transcript: baton import FILE',
      ],
    },
  );
}

/** What a content has that only a conversation tells: its sentences, the person's requests, repetitions and places. */
function listRead(content: ContentInput): { field: string; value: string }[] {
  const found = (content.words ?? []).map(({ message, by, content: words }, index) => ({
    field: `words[${index}]`,
    value: JSON.stringify([message, by, words]),
  }));
  for (const [list, items] of Object.entries(content)) {
    if (!Array.isArray(items) || list === 'words') continue;
    for (const [index, item] of (items as readonly Partial<Record<string, unknown>>[]).entries()) {
      const { evidence, support, times, kind } = item;
      const isRequest = list === 'where_it_stands' && (kind === 'asked' || kind === 'goal');
      const claims = { evidence, support, times, ...(isRequest && { kind }) };
      for (const [name, claim] of Object.entries(claims))
        if (claim !== undefined)
          found.push({
            field: `${list}[${index}].${name}`,
            value: JSON.stringify([name, claim, isRequest && item.content]),
          });
    }
  }
  return found;
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
