import { type Role, roles } from '../../core/access-token.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Access, Doors } from '../../core/operation.ts';
import { actedByPerson } from '../../operations/acted-by-person.ts';
import { type Baton, createBaton } from '../../operations/baton.ts';
import { catalogue } from '../../operations/catalogue.ts';
import type { Run } from '../../operations/client.ts';
import type { Principal } from './principal.ts';
import { Refusal } from './problem.ts';

/** Asking a model costs its owner money: people may ask one, and agents have models of their own. */
const chatting: Access = { role: 'reviewer', folder: true };

/** The access to an operation that the API does not have; MCP does not serve it to anybody either. */
const localOnly: Access = { role: 'admin', folder: true };

/**
 * A Baton as one caller may use it: its name, its project and its role, whatever the request names. Without a token of the
 * store, the Baton as it is; in the user's own browser a person acts, also where the folder names an agent.
 */
export function actAs(baton: Baton, { token, isBrowser }: Principal): Baton {
  // Any program may send a bearer token: only a browser's session shows that a person asks.
  const is_confirmed = isBrowser;
  if (token === undefined) return isBrowser ? actedByPerson(baton, { is_confirmed }) : baton;
  const { name, project, role } = token;
  const actor = { name, type: role === 'agent' ? 'agent' : 'person', token_id: token.id } as const;
  const run: Run = async (operation, input, options) => {
    const { http }: Doors = (await catalogue[operation]()).doors;
    const wanted = http === false ? localOnly : http;
    assertMay(operation, wanted, { role, isHere: project === baton.context.project });
    return baton.run(operation, input, { ...options, is_confirmed, actor: { ...actor, ...options?.actor }, project });
  };
  return createBaton({
    // MCP takes the agent's name from the configuration.
    context: { ...baton.context, actor, project, configuration: { ...baton.context.configuration, agent: name } },
    run,
    close: async () => {
      // The server itself closes it.
    },
  });
}

/** @throws Refusal for a token of too small a role, HandoffError for one of another project than the server's folder. */
export function assertMayChat({ token }: Principal, { context }: Baton): void {
  if (token === undefined) return;
  assertMay('the chat', chatting, { role: token.role, isHere: token.project === context.project });
}

function assertMay(operation: string, wanted: Access, { role, isHere }: { role: Role; isHere: boolean }): void {
  if (roles.indexOf(role) < roles.indexOf(wanted.role)) {
    throw new Refusal('insufficient_role', `The token's role is ${role}; ${operation} is for a ${wanted.role}.`, {
      headers: { 'www-authenticate': `Bearer realm="baton", error="insufficient_scope", scope="${wanted.role}"` },
      alternatives: [`Ask somebody for a token of that role: baton token create NAME --role ${wanted.role}`],
    });
  }
  if (wanted.folder !== true || isHere) return;
  throw new HandoffError(
    'unavailable',
    `${operation} looks at files, and those of this project are not on this server.`,
    {
      alternatives: ['Run it where the work tree is: baton --help'],
    },
  );
}
