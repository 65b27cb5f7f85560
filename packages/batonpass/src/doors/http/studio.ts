import { spawn } from 'node:child_process';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parse } from 'node:path';
import { z } from 'zod';
import { isHandoffError } from '../../core/errors.ts';
import { type Baton, type BatonOptions, openBaton } from '../../operations/baton.ts';
import { describeIgnored } from '../../operations/ignored-settings.ts';
import {
  forgetRunningServer,
  proveServer,
  type RunningServer,
  readRunningServer,
  writeRunningServer,
} from '../../operations/running-server.ts';
import { shownStoreUrl } from '../../stores/open.ts';
import { type HttpServer, isLoopback, startHttpServer } from './server.ts';

/** The options of `baton studio`. */
export interface StudioOptions extends Pick<BatonOptions, 'cwd' | 'store' | 'agent'> {
  host?: string;
  port?: number;
  auth?: boolean;
  origins?: readonly string[];
  proxies?: readonly string[];
  /** Whether a browser is opened where there is one. */
  open: boolean;
  /** Ends the server. */
  signal: AbortSignal;
  /** Receives the facts of the server once it listens. */
  announce: (facts: StudioFacts) => Promise<void>;
}

/** Where the server is, and who may use it. */
export interface StudioFacts {
  url: string;
  pid: number;
  /** Whether another process serves this store already, so that no new server was started. */
  is_reused: boolean;
  /** Whether other machines can reach it. */
  is_exposed: boolean;
  /** Whether only tokens of the store are accepted. */
  auth: boolean;
  project: string;
  store: string;
  /** Lets one browser in, once; absent with `auth`. */
  browser_url?: string;
  /** Whether a browser was opened. */
  is_opened: boolean;
}

/** The usual port, unless it is in use by another program: the same at each start, so that a tab that was left open finds it. */
const PORT_WANTED = 4747;

const LOOK_MS = 2_000;

/** A proof or a link has some hundred bytes. */
const ANSWER_BYTES_MAX = 1_024;

/**
 * Serves a store over HTTP until the signal aborts, or opens the browser on the server that does so already. A crash
 * leaves the file that names this server; the next start finds that nobody answers there.
 *
 * @throws HandoffError as `openBaton` and `startHttpServer` do.
 */
export async function serveStudio(options: StudioOptions): Promise<void> {
  const { cwd, store, agent } = options;
  const baton = await openBaton({ cwd, named_store: store, agent });
  const ignored = describeIgnored(baton.context);
  if (ignored !== undefined) process.stderr.write(`! ${ignored.what}\n→ ${ignored.next}\n`);
  try {
    const { host, port, auth, origins, proxies } = options;
    const isPlain = [host, port, auth, origins, proxies].every((value) => value === undefined);
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
    // A store that cannot be opened is reported now, and not to each caller.
    await baton.context.openStore();
    if (word !== undefined) writeRunningServer(baton.context, word);
    await tell(baton, options, { url, pid: process.pid, browser_url: createBrowserUrl?.(), is_reused: false });
    await untilAborted(options.signal);
  } finally {
    if (word !== undefined) forgetRunningServer(baton.context, word);
    await server.close();
  }
}

/** A requested port that is in use or refused is an error; the usual port is replaced by any free one. */
async function startWhereFree(baton: Baton, { port, ...options }: StudioOptions): Promise<HttpServer> {
  const { host, auth, origins, proxies = baton.context.configuration.proxies } = options;
  const settings = { host, auth, origins, proxies };
  try {
    return await startHttpServer(baton, { ...settings, port: port ?? PORT_WANTED });
  } catch (error) {
    if (port !== undefined || !isHandoffError(error) || error.details.code !== 'EADDRINUSE') throw error;
    return startHttpServer(baton, settings);
  }
}

type FoundStudio = Pick<StudioFacts, 'url' | 'pid' | 'browser_url' | 'is_reused'>;

async function tell(
  baton: Baton,
  { open, auth = false, host = '127.0.0.1', announce }: StudioOptions,
  found: FoundStudio,
) {
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

/**
 * The server of this store that answers, with an address for one more browser. It proves that it wrote
 * the file before the token is sent to it: after a crash any program may listen on that port.
 */
async function findRunning(
  baton: Baton,
): Promise<(Pick<RunningServer, 'url' | 'pid'> & { browser_url: string }) | null> {
  const known = readRunningServer(baton.context);
  if (known === null) return null;
  const { url, pid, token } = known;
  try {
    const nonce = randomBytes(32).toString('base64url');
    const { proof } = proofSchema.parse(await askRunning(`${url}/api/session.proof?nonce=${nonce}`));
    const wanted = Buffer.from(proveServer(token, { port: Number(new URL(url).port), nonce }));
    const given = Buffer.from(proof);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { link } = linkSchema.parse(await askRunning(`${url}/api/session.link`, { method: 'POST', headers }));
    return { url, pid, browser_url: `${url}/#enter=${link}` };
  } catch {
    // Nobody listens there, or another program: the file is from a server that crashed.
    return null;
  }
}

const proofSchema = z.strictObject({ proof: z.string() });
const linkSchema = z.strictObject({ link: z.string().regex(/^link_[\w-]{32}$/) });

/** Requests a short answer of JSON; a server whose answer is longer, redirects or takes long is none of Baton's. */
async function askRunning(url: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(LOOK_MS) });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`${url} sent too large an answer.`);
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Opens an address in the user's browser, where there is one: `BROWSER` names it, else the system's own is used, on
 * Linux only with a display. The address is valid once, so that a reader of the process list comes too late.
 *
 * @returns whether a program was started; it is unknown whether it shows a page.
 */
async function openBrowser(address: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const command = findBrowser(environment, process.platform);
  if (command === null) return false;
  const [file, ...words] = command;
  // As for git: no program of the folder worked in is looked up.
  const { root: cwd } = parse(process.execPath);
  const child = spawn(file, [...words, address], { cwd, detached: true, stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function findBrowser(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): [string, ...string[]] | null {
  if (environment.BROWSER) return [environment.BROWSER];
  if (platform === 'darwin') return ['open'];
  // Not `cmd /c start`, which would interpret some characters of the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
