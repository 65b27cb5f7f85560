import { eventOf, type HostName, hostNames, hosts, momentOf } from '../../core/hosts.ts';
import type { HookRegistration, Unreadable } from '../../workspace/hosts/hook-registrations.ts';
import type { Registrations } from '../../workspace/hosts/registrations.ts';
import { initWords, undoWords } from '../init/init-words.ts';
import { type Finding, fine, problem, warning } from './diagnose-finding.ts';

/** Whether Baton is registered with the host at all, and by what. */
export function diagnoseRegistration(registrations: Registrations): Finding[] {
  const { hooks, servers, documents, unreadable } = registrations;
  const broken = unreadable.map(diagnoseUnreadable);
  if (hooks.length === 0 && servers.length === 0 && documents.every(({ state }) => state === 'missing')) {
    return [
      ...broken,
      problem('not-registered', {
        what: 'Baton is not registered for any host or MCP client here.',
        why: 'Until it is, sessions are not saved, and no session starts with a handoff automatically.',
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
      why: 'Agents read it as it is; init can neither update its block nor remove it.',
      next: next ?? 'Correct the file at that place.',
    });
  }
  return problem('settings-unreadable', {
    about: path,
    what: reason.startsWith(path) ? reason : `${path} cannot be read: ${reason}`,
    why: 'The host cannot read it either, so nothing in it takes effect.',
    next: 'Correct the file at that place.',
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
      next: 'Remove its name from that list, or approve it in Claude Code: /mcp',
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
            `${current.join(' and ')} ${current.length > 1 ? 'tell' : 'tells'} agents about Baton`,
          ),
        ]),
    ...(outdated.length === 0 || isBroken
      ? []
      : [
          warning('documents-outdated', {
            about: outdated.join(', '),
            what: `The block in ${outdated.join(' and ')} is not what init would write now.`,
            why: 'Agents follow it to hand over.',
            next: 'Update it: baton init --only docs',
          }),
        ]),
    ...(missing.length === 0 || isBroken
      ? []
      : [
          warning('documents-not-registered', {
            about: missing.join(', '),
            what:
              missing.length > 1
                ? `Neither ${missing.join(' nor ')} tells agents about Baton.`
                : `${missing.join('')} does not tell agents about Baton.`,
            why: 'An agent that does not know of it hands over only when somebody asks.',
            next: 'Add the block: baton init --only docs',
          }),
        ]),
  ];
}

/** Whether each event of each host has a hook that the host runs, once, and on every occasion. */
function diagnoseRegisteredHooks({ hooks, disabled_by, unreadable }: Registrations): Finding[] {
  const isBroken = unreadable.some(({ part }) => part === 'hooks');
  const named = hostNames.filter((host) => hooks.some((hook) => hook.host === host));
  // Where no host has a hook, the missing ones are reported for the first host.
  const wanted = named.length === 0 ? hostNames.slice(0, 1) : named;
  return [
    ...wanted.flatMap((host) => {
      const own = hooks.filter((hook) => hook.host === host);
      return [...diagnoseEvents(host, own, isBroken), ...diagnoseMatchers(host, own)];
    }),
    ...diagnoseAsync(hooks),
    ...diagnoseWrappers(hooks),
    ...named.flatMap((host) =>
      diagnoseDoubled(
        host,
        hooks.filter((hook) => hook.host === host),
      ),
    ),
    ...disabled_by.map((path) =>
      problem('hooks-disabled', {
        about: path,
        what: `${path} switches all hooks off (disableAllHooks).`,
        why: 'The host then runs none, so nothing is saved and nothing is offered.',
        next: 'Remove "disableAllHooks" from the file, or hand over manually: baton create, baton claim',
      }),
    ),
  ];
}

/** @param isBroken - whether a file that may have the missing ones cannot be read, which is reported already. */
function diagnoseEvents(host: HostName, hooks: readonly HookRegistration[], isBroken: boolean): Finding[] {
  const { title, events } = hosts[host];
  const missing = events.map(({ event }) => event).filter((name) => hooks.every(({ event }) => event !== name));
  const places = [...new Set(hooks.map(({ place }) => place))].join(' and ');
  if (missing.length === 0) {
    return [
      fine('hooks-registered', `The hooks of all ${events.length} events of ${title} are registered in ${places}`),
    ];
  }
  if (isBroken) return [];
  const isAbsent = missing.length === events.length;
  return [
    problem('hooks-not-registered', {
      about: missing.join(', '),
      what: isAbsent
        ? 'No hook of Baton is registered.'
        : `No hook of ${title} is registered for ${missing.join(', ')}.`,
      why: harmOf(host, missing),
      next: 'Register what is missing: baton init --only hooks',
    }),
  ];
}

/** Occasions that the matchers of an event leave out: the host runs nothing then. */
function diagnoseMatchers(host: HostName, hooks: readonly HookRegistration[]): Finding[] {
  return hosts[host].events.flatMap(({ event }) => {
    const own = hooks.filter((hook) => hook.event === event);
    const missed = findMissed(
      host,
      event,
      own.map(({ matcher }) => matcher),
    );
    const [first] = own;
    if (first === undefined || missed.length === 0) return [];
    const matchers = own.map(({ matcher, place }) => `"${matcher}" in ${place}`).join(', ');
    return [
      warning('hook-matcher', {
        about: event,
        what: `${event} does not run for ${listed(missed)}: its matcher is ${matchers}.`,
        why:
          momentOf(host, event) === 'start' ? 'A session that starts this way gets no handoff.' : harmOf(host, [event]),
        next: registerAgain(first, 'take the matcher out'),
      }),
    ];
  });
}

function diagnoseAsync(hooks: readonly HookRegistration[]): Finding[] {
  return hooks
    .filter(({ host, event, isAsync }) => isAsync && momentOf(host, event) === 'start')
    .map((hook) =>
      problem('hook-async', {
        about: hook.event,
        what: `${hook.event} is registered with "async": true in ${hook.place}.`,
        why: `The host does not wait for it, and ignores what it prints. ${harmOf(hook.host, [hook.event])}`,
        next: registerAgain(hook, 'take "async" out'),
      }),
    );
}

/** Programs of another name. They are run and judged like hooks of Baton. */
function diagnoseWrappers(hooks: readonly HookRegistration[]): Finding[] {
  const wrappers = hooks.filter(({ form }) => form === 'script');
  if (wrappers.length === 0) return [];
  const events = [...new Set(wrappers.map(({ event }) => event))];
  const programs = [...new Set(wrappers.map(({ command }) => ('words' in command ? command.words[0] : command.line)))];
  const places = [...new Set(wrappers.map(({ place }) => place))];
  return [
    warning('hook-wrapped', {
      about: events.join(', '),
      what: `What is registered for ${listed(events)} looks like a wrapper of Baton: ${programs.join(', ')} (${places.join(', ')}).`,
      why: 'The words around a hook can change what it prints. Another tool would not save and offer handoffs at all.',
      next: `If it is a wrapper, remove it from ${places.join(' and ')}; then, in either case: baton init --only hooks`,
    }),
  ];
}

/** Two hooks for one event in two places, or of two commands. */
function diagnoseDoubled(host: HostName, hooks: readonly HookRegistration[]): Finding[] {
  const groups = hosts[host].events
    .map(({ event }) => hooks.filter((hook) => hook.event === event))
    .map((own) => ({ own, commands: countDifferent(own, 'command'), places: countDifferent(own, 'place') }))
    .filter(({ commands, places }) => commands > 1 || places > 1);
  if (groups.length === 0) return [];
  const doubled = groups.flatMap(({ own }) => own);
  const places = [...new Set(doubled.map(({ place }) => place))];
  const scopes = new Set(doubled.filter(({ form }) => form === 'own').map(({ scope }) => scope));
  // Undoing the project's hooks undoes the local ones too.
  if (scopes.has('local')) scopes.delete('project');
  const back = [...scopes].map((scope) => undoWords(scope, host));
  const isRunTwice = groups.some(({ commands }) => commands > 1);
  return [
    warning('hooks-doubled', {
      about: places.join(', '),
      what: `The hooks are registered more than once, in ${places.join(' and in ')}.`,
      why: isRunTwice
        ? 'The host runs each of them: a session may take two handoffs, and starts slower.'
        : 'The host runs the same command once. As soon as one place has another, it runs both, and a session may take two handoffs.',
      next:
        back.length > 0
          ? `Leave them in one place: ${back.join('; or ')}`
          : `Remove by hand what is not needed in ${places.join(' and ')}.`,
    }),
  ];
}

function countDifferent(hooks: readonly HookRegistration[], field: 'command' | 'place'): number {
  return new Set(hooks.map((hook) => JSON.stringify(hook[field]))).size;
}

/** `init` renews what it would have written itself; anything else its owner must change. */
function registerAgain({ form, scope, place }: HookRegistration, byHand: string): string {
  if (form !== 'own') return `In ${place}, ${byHand}.`;
  return `Register it again: ${initWords(scope)} --only hooks`;
}

/** The worst result of events without a hook. */
function harmOf(host: HostName, events: readonly string[]): string {
  const moments = events.map((event) => momentOf(host, event));
  if (moments.includes('start')) return 'No session starts with a handoff automatically.';
  // That event only gives text, and only what came too late for a session's start.
  return moments.every((moment) => moment === 'prompt')
    ? 'What an agent writes about its session too late for the next one goes to the one after it.'
    : 'What happens at these events is not saved.';
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/**
 * The occasions of an event at which no hook runs, because no matcher fits them.
 *
 * @param matchers - of all hooks of the event; undefined is a hook without one.
 */
function findMissed(host: HostName, event: string, matchers: readonly (string | undefined)[]): string[] {
  const { occasions = [] } = eventOf(host, event) ?? {};
  return occasions.filter((value) => !matchers.some((matcher) => fits(matcher, value)));
}

/** As the host reads a matcher: plain names are a list, anything else is an expression that may fit any part. */
function fits(matcher: string | undefined, value: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (/^[\w\-, |]+$/.test(matcher)) {
    return matcher
      .split(/[|,]/)
      .map((name) => name.trim())
      .includes(value);
  }
  try {
    return new RegExp(matcher).test(value);
  } catch {
    // The host cannot read it either, and runs nothing.
    return false;
  }
}
