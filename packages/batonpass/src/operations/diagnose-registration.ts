import { hookEvents } from '../workspace/host-hooks.ts';
import type { HookRegistration, Registrations } from '../workspace/registrations.ts';
import { type Finding, fine, problem, warning } from './diagnose-finding.ts';

const register = 'Register it: baton init';

/** Whether the host is told of Baton at all, and by what. */
export function diagnoseRegistration(registrations: Registrations): Finding[] {
  const { hooks, server, documents, unreadable } = registrations;
  const broken = unreadable.map(({ path, reason }) =>
    problem('settings-unreadable', {
      about: path,
      what: `${path} cannot be read: ${reason}`,
      why: 'The host cannot read it either, so that nothing in it takes effect.',
      next: 'Correct the file at the place that is named.',
    }),
  );
  if (hooks.length === 0 && server === undefined && documents.length === 0) {
    return [
      ...broken,
      problem('not-registered', {
        what: 'Baton is not registered for Claude Code or MCP clients here.',
        why: 'Until it is, sessions are not saved, and no session starts with a handoff by itself.',
        next: `${register} (it shows first what it will write)`,
      }),
    ];
  }
  return [
    ...broken,
    ...diagnoseHookEntries(registrations),
    ...diagnoseServerEntry(registrations),
    documents.length > 0
      ? fine(
          'documents-registered',
          `${documents.join(' and ')} ${documents.length > 1 ? 'tell' : 'tells'} agents of it`,
        )
      : warning('documents-not-registered', {
          what: 'Neither CLAUDE.md nor AGENTS.md tells agents of Baton.',
          why: 'An agent then hands over only when somebody asks for it.',
          next: 'Add the block: baton init --only docs',
        }),
  ];
}

function diagnoseHookEntries({ hooks, disabled_by }: Registrations): Finding[] {
  const missing = hookEvents.map(({ event }) => event).filter((name) => hooks.every(({ event }) => event !== name));
  const isAbsent = missing.length === hookEvents.length;
  const places = [...new Set(hooks.map(({ place }) => place))].join(' and ');
  const entries =
    missing.length === 0
      ? fine('hooks-registered', `The hooks of all ${hookEvents.length} events are registered in ${places}`)
      : problem('hooks-not-registered', {
          about: missing.join(', '),
          what: isAbsent ? 'No hook of Baton is registered.' : `No hook is registered for ${missing.join(', ')}.`,
          why: missing.includes('SessionStart')
            ? 'No session starts with a handoff by itself.'
            : 'What happens at these events is not saved.',
          next: 'Register what is missing: baton init --only hooks',
        });
  const disabled = disabled_by.map((path) =>
    problem('hooks-disabled', {
      about: path,
      what: `${path} switches all hooks off (disableAllHooks).`,
      why: 'The host runs none then, so that nothing is saved and nothing is offered.',
      next: 'Take "disableAllHooks" out of the file, or hand over by hand: baton create, baton claim',
    }),
  );
  return [entries, ...diagnoseDoubled(hooks), ...disabled];
}

/** Of two hooks for one event that are not the same command, the host runs both. */
function diagnoseDoubled(hooks: readonly HookRegistration[]): Finding[] {
  const doubled = hookEvents.flatMap(({ event }) => {
    const own = hooks.filter((hook) => hook.event === event);
    return new Set(own.map(({ command }) => JSON.stringify(command))).size > 1 ? own : [];
  });
  if (doubled.length === 0) return [];
  const places = [...new Set(doubled.map(({ place }) => place))];
  return [
    warning('hooks-doubled', {
      about: places.join(', '),
      what: `The hooks are registered more than once, in ${places.join(' and in ')}.`,
      why: 'The host runs each of them: a session may take two handoffs, and starts slower.',
      next: 'Take one of them back: baton init --undo, with --local or --user for those places.',
    }),
  ];
}

function diagnoseServerEntry({ server, server_refused_by }: Registrations): Finding[] {
  if (server === undefined) {
    return [
      problem('server-not-registered', {
        what: 'The MCP server is not registered.',
        why: 'Agents here cannot hand over, claim or acknowledge by themselves.',
        next: 'Register it: baton init --only mcp',
      }),
    ];
  }
  const refused = server_refused_by.map((path) =>
    problem('server-refused', {
      about: path,
      what: `${path} refuses the server "${server.name}" (disabledMcpjsonServers).`,
      why: 'The host does not start it then.',
      next: 'Take its name out of that list, or approve it in Claude Code: /mcp',
    }),
  );
  return [fine('server-registered', `The MCP server is registered in ${server.place}`), ...refused];
}
