import { type Role, roles } from '../../core/access-token.ts';
import { HandoffError } from '../../core/errors.ts';
import { actedByPerson } from '../../operations/acted-by-person.ts';
import type { Baton } from '../../operations/baton.ts';
import type { OperationName } from '../../operations/catalogue.ts';
import type { Principal } from './principal.ts';
import { Refusal } from './problem.ts';

/** Who may ask for an operation. */
interface Access {
  /** The least role. */
  role: Role;
  /** Whether it looks at the folder that the server works in: then it is for that folder's project alone. */
  folder: boolean;
}

const agent: Access = { role: 'agent', folder: false };
const reviewer: Access = { role: 'reviewer', folder: false };
const agentHere: Access = { role: 'agent', folder: true };

/** What can be asked over HTTP or `/mcp`, and by whom. What does not stand here is for admins of the folder's project. */
export const access: Partial<Record<OperationName, Access>> = {
  'handoff.status': agent,
  'handoff.create': agent,
  'handoff.list': agent,
  'handoff.count': agent,
  'handoff.get': agent,
  'handoff.claim': agent,
  'handoff.renew': agent,
  'handoff.report': agent,
  'handoff.acknowledge': agent,
  'handoff.release': agent,
  'handoff.fail': agent,
  'handoff.ask': agent,
  'handoff.withdraw': agent,
  'handoff.events': agent,
  'handoff.render': agent,
  'handoff.resume': agent,
  'handoff.lineage': agent,
  'handoff.check': agentHere,
  'handoff.edit': reviewer,
  'handoff.approve': reviewer,
  'planning.hand-on': reviewer,
  'planning.draft': agentHere,
  'planning.runs': agent,
  'planning.context': agent,
  'planning.add-decision': agent,
  'planning.complete': agentHere,
  'handoff.answer': reviewer,
  'handoff.reopen': reviewer,
  'handoff.break': reviewer,
  'plan.list': agentHere,
  'plan.outline': agentHere,
  'plan.read-plan': agentHere,
  'plan.read-config': agentHere,
  'plan.get-references': agentHere,
  'plan.validate-plan': agentHere,
  'plan.validate-config': agentHere,
  'plan.validate-references': agentHere,
  'plan.create-directory': agentHere,
  'plan.write-config': agentHere,
  'plan.write-plan': agentHere,
  'plan.write-references': agentHere,
  'plan.update-progress': agentHere,
  'plan.answer': agentHere,
  'plan.consult': agentHere,
};

/** Asking a model costs its owner: people may, and agents have models of their own. */
const chatting: Access = { role: 'reviewer', folder: true };

const otherwise: Access = { role: 'admin', folder: true };

/**
 * A Baton as one caller may use it: its name, its project, its role, whatever the request says. Without a token of the
 * store, the Baton as it is; in the user's own browser a person acts, also where the folder names an agent.
 */
export function actAs(baton: Baton, { token, isBrowser }: Principal): Baton {
  // A bearer may be any program's: only a browser's session shows that a person asks.
  const is_confirmed = isBrowser;
  if (token === undefined) return isBrowser ? actedByPerson(baton, { is_confirmed }) : baton;
  const { name, project, role } = token;
  const actor = { name, type: role === 'agent' ? 'agent' : 'person', token_id: token.id } as const;
  return {
    // The protocol's door asks the configuration for the agent's name.
    context: { ...baton.context, actor, project, configuration: { ...baton.context.configuration, agent: name } },
    run: async (operation, input, options) => {
      const wanted = access[operation] ?? otherwise;
      assertMay(operation, wanted, { role, isHere: project === baton.context.project });
      return baton.run(operation, input, {
        ...options,
        is_confirmed,
        actor: { ...actor, ...options?.actor },
        project,
      });
    },
    close: async () => {
      // The server's own to close.
    },
  };
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
  if (!wanted.folder || isHere) return;
  throw new HandoffError(
    'unavailable',
    `${operation} looks at files, and those of this project are not on this server.`,
    {
      alternatives: ['Run it where the work tree is: baton --help'],
    },
  );
}
