import { identifyActor } from '../workspace/identity.ts';
import type { Baton } from './baton.ts';

/** A Baton as the person who is logged in uses it, also where the folder names an agent; a call's own actor comes first. */
export function actedByPerson(baton: Baton): Baton {
  const person = identifyActor(undefined);
  return {
    ...baton,
    context: { ...baton.context, actor: person },
    run: (operation, input, { actor = person, ...options } = {}) => baton.run(operation, input, { ...options, actor }),
  };
}
