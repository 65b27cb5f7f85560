import type { StudioFacts } from '../http/studio.ts';
import { numberWithin } from './duration.ts';
import type { LocalCommand } from './program.ts';
import { write } from './write.ts';

/** The command that serves over HTTP. The door is loaded with it, so that no other command loads it. */
export function createStudioCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'studio',
    summary: 'Serve the API, events and MCP over HTTP, and show the store in the browser',
    options: [
      { flags: '--port <number>', description: 'default: 4747, else any that is free', parse: parsePort },
      { flags: '--host <address>', description: 'where to listen (127.0.0.1); beyond this machine only with --auth' },
      { flags: '--auth', description: 'let in by tokens alone: baton token create' },
      { flags: '--origin <url>', description: 'a further address by which it is reached; repeatable', many: true },
      { flags: '--proxy <address>', description: 'a proxy whose X-Forwarded-For counts; repeatable', many: true },
      { flags: '--no-open', description: 'open no browser' },
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
  const who = auth ? 'tokens alone let in' : 'your browser, your programs, and tokens let in';
  const opened = is_opened
    ? 'Opened in your browser.'
    : 'Open the address above in a browser: it is good once, for an hour.';
  return [
    is_reused ? `It runs already, as process ${pid}.` : `Listens on ${url}: ${reach}; ${who}.`,
    'Serves the studio, /api (/reference, OpenAPI at /api/openapi.json), /api/events, /mcp, /health and /ready.',
    `Store: ${store}, project ${project}`,
    ...(browser_url === undefined ? ['→ Let somebody in: baton token create NAME'] : [opened]),
    ...(is_reused ? [] : ['Ctrl-C stops it.']),
  ].join('\n');
}
