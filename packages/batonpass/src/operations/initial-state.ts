import type { OperationContext } from './context.ts';

/** An import waits for a person, unless a hook saves it while nobody watches; then it is marked unreviewed. */
export function initialState({ actor, configuration }: OperationContext): 'draft' | 'open' {
  if (configuration.review === 'always') return 'draft';
  if (configuration.review === 'never' || actor.type === 'hook') return 'open';
  return 'draft';
}
