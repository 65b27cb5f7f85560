import type { Unreadable } from '../../workspace/hosts/hook-registrations.ts';
import type { Registrations } from '../../workspace/hosts/registrations.ts';
import { type Finding, fine, problem, warning } from './diagnose-finding.ts';
import { diagnoseRegisteredHooks } from './diagnose-registered-hooks.ts';

/** Whether Baton is registered with the host at all, and by what. */
export function diagnoseRegistration(registrations: Registrations): Finding[] {
  const { hooks, servers, documents, unreadable } = registrations;
  const broken = unreadable.map(diagnoseUnreadable);
  if (hooks.length === 0 && servers.length === 0 && documents.every(({ state }) => state === 'missing')) {
    return [
      ...broken,
      problem('not-registered', {
        what: 'Baton is not registered for any host or MCP client here.',
        why: 'Until it is, sessions are not saved, and no session starts with a handoff by itself.',
        next:
          broken.length > 0
            ? 'Correct what is named above first, then register it: baton init'
            : 'Register it: baton init (it shows first what it will write)',
      }),
    ];
  }
  return [
    ...broken,
    ...diagnoseRegisteredHooks(registrations),
    ...diagnoseServerEntry(registrations),
    ...diagnoseDocuments(registrations),
  ];
}

function diagnoseUnreadable({ path, part, reason, next }: Unreadable): Finding {
  if (part === 'docs') {
    return warning('document-damaged', {
      about: path,
      what: reason,
      why: 'Agents read it as it is; init can neither renew its block nor take it out.',
      next: next ?? 'Correct the file at the place that is named.',
    });
  }
  return problem('settings-unreadable', {
    about: path,
    what: reason.startsWith(path) ? reason : `${path} cannot be read: ${reason}`,
    why: 'The host cannot read it either, so that nothing in it takes effect.',
    next: 'Correct the file at the place that is named.',
  });
}

function diagnoseServerEntry({ servers, server_refused_by, unreadable }: Registrations): Finding[] {
  if (servers.length === 0) {
    // It may be in the file that cannot be read, which init would refuse.
    if (unreadable.some(({ part }) => part === 'mcp')) return [];
    return [
      problem('server-not-registered', {
        what: 'The MCP server is not registered.',
        why: 'Agents here cannot hand over, claim or acknowledge by themselves.',
        next: 'Register it: baton init --only mcp',
      }),
    ];
  }
  const places = servers.map(({ place }) => place).join(' and ');
  const shared = servers.find(({ isShared }) => isShared);
  // The host asks only before it starts what a project registers.
  const refused = (shared === undefined ? [] : server_refused_by).map((path) =>
    problem('server-refused', {
      about: path,
      what: `${path} refuses the server "${shared?.name}" (disabledMcpjsonServers).`,
      why: 'The host does not start it then.',
      next: 'Take its name out of that list, or approve it in Claude Code: /mcp',
    }),
  );
  return [fine('server-registered', `The MCP server is registered in ${places}`), ...refused];
}

/** Whether the documents name Baton to agents, in the present words. */
function diagnoseDocuments({ documents, unreadable }: Registrations): Finding[] {
  const named = (wanted: (typeof documents)[number]['state']) =>
    documents.filter(({ state }) => state === wanted).map(({ name }) => name);
  const [current, outdated, missing] = [named('current'), named('outdated'), named('missing')];
  // init refuses a document whose markers are torn, which is reported already.
  const isBroken = unreadable.some(({ part }) => part === 'docs');
  return [
    ...(current.length === 0
      ? []
      : [
          fine(
            'documents-registered',
            `${current.join(' and ')} ${current.length > 1 ? 'tell' : 'tells'} agents of Baton`,
          ),
        ]),
    ...(outdated.length === 0 || isBroken
      ? []
      : [
          warning('documents-outdated', {
            about: outdated.join(', '),
            what: `The block in ${outdated.join(' and ')} is not what init would write now.`,
            why: 'Agents read there how to hand over, and go by it.',
            next: 'Renew it: baton init --only docs',
          }),
        ]),
    ...(missing.length === 0 || isBroken
      ? []
      : [
          warning('documents-not-registered', {
            about: missing.join(', '),
            what:
              missing.length > 1
                ? `Neither ${missing.join(' nor ')} tells agents of Baton.`
                : `${missing.join('')} does not tell agents of Baton.`,
            why: 'An agent that reads nothing of it hands over only when somebody asks for it.',
            next: 'Add the block: baton init --only docs',
          }),
        ]),
  ];
}
