import { isHandoffError } from '../../core/errors.ts';
import { type Baton, type BatonOptions, openBaton } from '../../operations/baton.ts';
import {
  forgetRunningServer,
  type RunningServer,
  readRunningServer,
  writeRunningServer,
} from '../../operations/running-server.ts';
import { shownStoreUrl } from '../../stores/open.ts';
import { openBrowser } from './open-browser.ts';
import { type HttpServer, isLoopback, startHttpServer } from './server.ts';

/** What `baton studio` is asked for. */
export interface StudioOptions extends Pick<BatonOptions, 'cwd' | 'store' | 'agent'> {
  host?: string;
  port?: number;
  auth?: boolean;
  origins?: readonly string[];
  /** Whether a browser is opened where there is one. */
  open: boolean;
  /** Ends the server. */
  signal: AbortSignal;
  /** Takes what is told of the server once it listens. */
  announce: (facts: StudioFacts) => Promise<void>;
}

/** Where the server is, and what it lets whom do. */
export interface StudioFacts {
  url: string;
  pid: number;
  /** Whether another process serves this store already, and was not started anew. */
  is_reused: boolean;
  /** Whether others than this machine can reach it. */
  is_exposed: boolean;
  /** Whether only tokens of the store let in. */
  auth: boolean;
  project: string;
  store: string;
  /** Lets one browser in, once; absent with `auth`. */
  browser_url?: string;
  /** Whether a browser was opened. */
  is_opened: boolean;
}

/** Where it listens unless something else does: the same at each start, so that a tab that was left open finds it. */
const PORT_WANTED = 4747;

const LOOK_MS = 2_000;

/**
 * Serves a store over HTTP until the signal aborts, or shows the browser to the server that does so already. A crash
 * leaves the file by which that one is found; the next start sees that nobody answers there.
 *
 * @throws HandoffError as `openBaton` and `startHttpServer` do.
 */
export async function serveStudio(options: StudioOptions): Promise<void> {
  const { cwd, store, agent } = options;
  const baton = await openBaton({ cwd, store, agent });
  try {
    const isPlain = [options.host, options.port, options.auth, options.origins].every((value) => value === undefined);
    const running = isPlain ? await findRunning(baton) : null;
    if (running === null) await serve(baton, options);
    else await tell(baton, options, { ...running, is_reused: true });
  } finally {
    await baton.close();
  }
}

async function serve(baton: Baton, options: StudioOptions): Promise<void> {
  const server = await startWhereFree(baton, options);
  const { url, token, createBrowserUrl } = server;
  const word = token === undefined ? undefined : { url, token, pid: process.pid };
  try {
    // A store that cannot be opened is told now, and not to each caller.
    await baton.context.openStore();
    if (word !== undefined) writeRunningServer(baton.context, word);
    await tell(baton, options, { url, pid: process.pid, browser_url: createBrowserUrl?.(), is_reused: false });
    await untilAborted(options.signal);
  } finally {
    if (word !== undefined) forgetRunningServer(baton.context, word);
    await server.close();
  }
}

/** A port that was asked for is taken or refused; the usual one gives way to any other. */
async function startWhereFree(baton: Baton, { host, port, auth, origins }: StudioOptions): Promise<HttpServer> {
  const settings = { host, auth, origins };
  try {
    return await startHttpServer(baton, { ...settings, port: port ?? PORT_WANTED });
  } catch (error) {
    if (port !== undefined || !isHandoffError(error) || error.details.code !== 'EADDRINUSE') throw error;
    return startHttpServer(baton, settings);
  }
}

type Found = Pick<StudioFacts, 'url' | 'pid' | 'browser_url' | 'is_reused'>;

async function tell(baton: Baton, { open, auth = false, host = '127.0.0.1', announce }: StudioOptions, found: Found) {
  const { project, store_url, environment } = baton.context;
  const { browser_url } = found;
  const is_opened = open && browser_url !== undefined && (await openBrowser(browser_url, environment));
  await announce({
    ...found,
    is_opened,
    auth,
    is_exposed: !isLoopback(host),
    project,
    store: shownStoreUrl(store_url),
  });
}

/** The server of this store that answers, with an address for one more browser. Its answer proves that it is the one. */
async function findRunning(
  baton: Baton,
): Promise<(Pick<RunningServer, 'url' | 'pid'> & { browser_url: string }) | null> {
  const known = readRunningServer(baton.context);
  if (known === null) return null;
  const { url, pid, token } = known;
  try {
    const answer = await fetch(`${url}/api/session.link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(LOOK_MS),
    });
    if (!answer.ok) return null;
    const { link } = (await answer.json()) as { link: string };
    return { url, pid, browser_url: `${url}/#enter=${link}` };
  } catch {
    // Nobody listens there, or somebody else: the file is of a server that crashed.
    return null;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
