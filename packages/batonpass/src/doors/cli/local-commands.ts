import { basename } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import { defaultHost, hostNames, isHostName } from '../../core/hosts.ts';
import type { Baton } from '../../operations/baton.ts';
import type { StudioFacts } from '../http/studio.ts';
import { numberWithin, parseLease } from './duration.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import type { LocalCommand } from './program.ts';
import { write } from './write.ts';

/**
 * Prints a shell's completion script, made from the table of commands.
 *
 * @param locals - the commands that are no operations, except this one.
 */
export function createCompletionCommand(locals: readonly LocalCommand[]): LocalCommand {
  const completion: LocalCommand = {
    name: 'completion',
    arguments: '<shell>',
    summary: 'Print completion for bash, zsh or fish: source <(baton completion bash)',
    run: async (given) => {
      const { completionScripts } = await import('./completion-scripts.ts');
      const shell = given.arguments[0] ?? '';
      if (!Object.hasOwn(completionScripts, shell)) {
        throw new HandoffError('invalid_input', `There is no completion for "${shell}".`, {
          alternatives: Object.keys(completionScripts).map((name) => `baton completion ${name}`),
        });
      }
      const script = completionScripts[shell as keyof typeof completionScripts];
      await write(process.stdout, await script([...locals, completion]));
    },
  };
  return completion;
}

/**
 * Works off a queue without a person: claims a handoff, starts a host with its text as a part of the prompt, renews the
 * lease while the host runs, and acknowledges once the host's transcript shows the text; else it releases.
 *
 * Where it is killed, the lease lapses, and the next receiver gets the handoff.
 */
export function createRunCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'run',
    arguments: '<words...>',
    summary: 'Claim a handoff and run a host on it without a person: baton run -- claude -p "Go on."',
    options: [
      { flags: '--task <id>', description: 'from this queue' },
      { flags: '--kind <kind>', description: 'of this kind (context)' },
      { flags: '--id <id>', description: 'only this handoff' },
      {
        flags: '--lease <duration>',
        description: 'how long the lease runs between renewals, e.g. 15m',
        parse: parseLease,
      },
    ],
    // Only this command loads what runs a host.
    run: async (given, place) => (await import('./run-host.ts')).runHost(given, place, signal),
  };
}

/**
 * The command that hosts call at their events. It always exits with 0: to a host, code 2 would mean "stop the user".
 * `baton doctor` reports what failed.
 */
export const hook: LocalCommand = {
  name: 'hook',
  arguments: '[event]',
  summary: 'Answer a host’s hook; `baton init` registers it',
  options: [{ flags: '--host <host>', description: `the host that asks: ${hostNames.join(', ')} (${defaultHost})` }],
  run: async (given) => {
    const { host = defaultHost } = given.options as { host?: string };
    if (!isHostName(host)) {
      throw new HandoffError('invalid_input', `No host is called "${host}"; there are ${hostNames.join(' and ')}.`, {
        alternatives: ['Register the hooks again: baton init --only hooks'],
      });
    }
    const { runHook } = await import('../hooks/run-hook.ts');
    const { output, remark } = await runHook({
      event: given.arguments[0],
      host,
      // At a terminal nobody sends a payload.
      readStandardInput: () => (process.stdin.isTTY ? Promise.resolve('') : given.readStandardInput()),
      environment: process.env,
      cwd: process.cwd(),
      program: process.argv[1] ?? '',
    });
    await write(process.stderr, remark).catch(() => false);
    await write(process.stdout, output);
    // What still runs after a failure, as a wait for a store, must not delay the host.
    if (remark !== '') process.exit();
  },
};

/** The command that serves over HTTP. The door is loaded with it, so that no other command loads it. */
export function createStudioCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'studio',
    summary: 'Serve the API, events and MCP over HTTP, and show the store in the browser',
    options: [
      { flags: '--port <number>', description: 'default: 4747, else a free port', parse: parsePort },
      { flags: '--host <address>', description: 'where to listen (127.0.0.1); beyond this machine only with --auth' },
      { flags: '--auth', description: 'accept tokens only: baton token create' },
      { flags: '--origin <url>', description: 'another address at which it is reached; repeatable', many: true },
      { flags: '--proxy <address>', description: 'a proxy whose X-Forwarded-For is trusted; repeatable', many: true },
      { flags: '--no-open', description: 'do not open a browser' },
    ],
    run: async ({ options }, { cwd, store, as, json }) => {
      const { serveStudio } = await import('../http/studio.ts');
      await serveStudio({
        cwd,
        store,
        agent: as,
        host: options.host as string | undefined,
        port: options.port as number | undefined,
        auth: options.auth as boolean | undefined,
        origins: options.origin as string[] | undefined,
        proxies: options.proxy as string[] | undefined,
        open: options.open !== false,
        signal,
        announce: async (facts) => {
          await write(
            process.stdout,
            json === true ? JSON.stringify(facts, null, 2) : (facts.browser_url ?? facts.url),
          );
          await write(process.stderr, json === true ? '' : describe(facts));
        },
      });
      if (signal.aborted) process.exitCode = signal.reason;
    },
  };
}

const parsePort = numberWithin({ option: '--port', min: 1, max: 65_535 });

function describe({
  url,
  pid,
  is_reused,
  is_exposed,
  auth,
  project,
  store,
  browser_url,
  is_opened,
}: StudioFacts): string {
  const reach = is_exposed ? 'everybody who can reach this machine' : 'this machine only';
  const who = auth ? 'only tokens have access' : 'your browser, your programs and tokens have access';
  const opened = is_opened
    ? 'Opened in your browser.'
    : 'Open the address above in a browser: it works once, within an hour.';
  return [
    is_reused ? `Already running, as process ${pid}.` : `Listens on ${url}: ${reach}; ${who}.`,
    'Serves the studio, /api (/reference, OpenAPI at /api/openapi.json), /api/events, /mcp, /health and /ready.',
    `Store: ${store}, project ${project}`,
    ...(browser_url === undefined ? ['→ Give somebody access: baton token create NAME'] : [opened]),
    ...(is_reused ? [] : ['Ctrl-C stops it.']),
  ].join('\n');
}

/** The review of a draft in a terminal, or with its words on standard input; loaded when it is asked for. */
export function createReviewCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'review',
    arguments: '[draft]',
    summary: 'Review a draft line by line (default: the newest); commands can come from standard input',
    run: async ({ arguments: [id] }, { cwd, store, as, json }) => {
      const [{ openBaton }, { review }, { openTalk }, { formatJson, noteIgnored }] = await Promise.all([
        import('../../operations/baton.ts'),
        import('./review/review.ts'),
        import('./review/talk.ts'),
        import('./run-command.ts'),
      ]);
      const baton = await openBaton({
        cwd,
        named_store: store,
        agent: as,
        program: process.argv[1],
      });
      await noteIgnored(baton);
      // With JSON, standard output has one answer only.
      const output = json === true ? process.stderr : process.stdout;
      const talk = openTalk({ input: process.stdin, output, errors: process.stderr }, signal);
      try {
        const { code, handoff } = await review(baton, id ?? (await newestDraft(baton)), talk);
        process.exitCode = signal.aborted ? signal.reason : talk.isInterrupted() ? EXIT_INTERRUPTED : code;
        if (json === true) await write(process.stdout, formatJson({ handoff }));
      } finally {
        talk.close();
        await baton.close();
      }
    },
  };
}

/** @throws HandoffError `not_found` where there is no draft. */
async function newestDraft(baton: Baton): Promise<string> {
  const { handoffs } = await baton.handoff.list({ state: ['draft'], limit: 1 });
  const [draft] = handoffs;
  if (draft !== undefined) return draft.id;
  const { showProject } = await import('../../core/project-name.ts');
  throw new HandoffError(
    'not_found',
    `There is no draft in ${showProject(baton.context.project, basename(baton.context.workspace.root))}.`,
    {
      details: { project: baton.context.project },
      alternatives: ['Make one from a conversation: baton import --last', 'List the handoffs: baton list'],
    },
  );
}
