import { identifyActor } from '../workspace/identity.ts';
import { type Baton, createBaton } from './baton.ts';
import type { Run, RunOptions } from './client.ts';

/** A Baton that the logged-in person uses, also where the folder names an agent; a call's own actor wins. */
export function actedByPerson(baton: Baton, { is_confirmed }: Pick<RunOptions, 'is_confirmed'> = {}): Baton {
  const person = identifyActor(undefined);
  const run: Run = (operation, input, { actor = person, ...options } = {}) =>
    baton.run(operation, input, { is_confirmed, ...options, actor });
  return createBaton({ ...baton, context: { ...baton.context, actor: person }, run });
}
