import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { limits } from '../../core/limits.ts';
import type { Timing } from '../../core/timing.ts';
import { assertAdmitted, type Doorway } from './admission.ts';
import type { ClientAddress } from './client-address.ts';
import { parseJsonBody, readBody } from './json-body.ts';
import type { Gatekeeper, Principal } from './principal.ts';
import { Refusal } from './problem.ts';
import { isScreenPath } from './studio-files.ts';

/** What a route knows of its request besides the request itself. */
export interface Surroundings {
  Bindings: HttpBindings;
  Variables: { requestId: string };
}

/** One request, as a route sees it. */
export type RequestContext = Context<Surroundings>;

/** What a guard uses. */
export interface GuardParts {
  gatekeeper: Gatekeeper;
  doorway: Doorway;
  /** The name of the cookie of browsers; another for each port, because browsers send a cookie to every port. */
  cookieName: string;
  /** The address under which failures are counted. */
  addressOf: ClientAddress;
  /** The clock of the rates. */
  timing: Timing;
}

/** The checks before every route. */
export class Guard {
  readonly #parts: GuardParts;
  readonly #requests: RateLimit;
  readonly #failures: RateLimit;
  readonly #failedLogins: RateLimit;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    const { now } = parts.timing;
    this.#requests = new RateLimit(
      { per_second: limits.http_requests_per_second, burst: limits.http_requests_burst },
      now,
    );
    const per_second = limits.http_refusals_per_second;
    this.#failures = new RateLimit({ per_second, burst: 5 * per_second }, now);
    this.#failedLogins = new RateLimit({ per_second, burst: 5 * per_second }, now);
  }

  /** @throws Refusal for what a web page of another site could have caused. */
  assertAdmitted({ req, env }: RequestContext): void {
    assertAdmitted(
      {
        method: req.method,
        hosts: valuesOf('host', env.incoming.rawHeaders),
        origin: req.header('origin'),
        site: req.header('sec-fetch-site'),
        mode: req.header('sec-fetch-mode'),
        destination: req.header('sec-fetch-dest'),
        contentType: req.header('content-type'),
      },
      this.#parts.doorway,
      req.path === '/reference' || isScreenPath(req.path),
    );
  }

  /**
   * The caller of a request, within its own rate. The token is checked first and only failures are counted, by address:
   * no caller that fails, however often, limits a caller with a good token at the same address.
   *
   * @throws Refusal
   */
  async identify(context: RequestContext): Promise<Principal> {
    const authorization = context.req.header('authorization');
    // Where both come, the cookie is ignored.
    const cookie = authorization === undefined ? this.cookieOf(context) : undefined;
    try {
      const principal = await this.#parts.gatekeeper.identify({ authorization, cookie });
      if (!principal.isOwner) this.#requests.take(principal.key);
      return principal;
    } catch (error) {
      const isFailure = error instanceof Refusal && error.code === 'unauthorized';
      if (isFailure) this.#failures.take(this.#parts.addressOf(context.env.incoming));
      throw error;
    }
  }

  /**
   * Begins a browser's session by the secret in the body. The caller is known only afterwards, so an address that
   * failed too often is refused before its body is read; sessions and tokens in use are not affected.
   *
   * @returns the value of its cookie.
   * @throws Refusal, HandoffError for an invalid body.
   */
  async beginSession({ env }: RequestContext): Promise<string> {
    const address = this.#parts.addressOf(env.incoming);
    this.#failedLogins.assertSome(address);
    try {
      const within = { ms: limits.http_session_ms, after: this.#parts.timing.after };
      const body = await readBody(env.incoming, { bytes_max: limits.http_session_bytes_max, within });
      const given = parseJsonBody(body) as { secret?: unknown } | null;
      return await this.#parts.gatekeeper.beginSession(String(given?.secret ?? ''));
    } catch (error) {
      this.#failedLogins.take(address);
      throw error;
    }
  }

  /** The value of the cookie that this server has set. */
  cookieOf({ req }: RequestContext): string | undefined {
    const name = `${this.#parts.cookieName}=`;
    const found = (req.header('cookie') ?? '').split(/;\s*/).find((part) => part.startsWith(name));
    return found?.slice(name.length);
  }

  /** The Set-Cookie of a session, for as long as the browser runs; only over TLS where the address is only there. */
  cookie(value: string, { req }: RequestContext): string {
    const origins = this.#parts.doorway.get((req.header('host') ?? '').toLowerCase()) ?? new Set();
    const secure = [...origins].every((origin) => origin.startsWith('https:')) ? '; Secure' : '';
    const over = value === '' ? '; Max-Age=0' : '';
    return `${this.#parts.cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${over}`;
  }
}

/** Every value that was sent of a header: another reader, as a proxy, may use the second one. */
function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Under the signal of a server's stop: the functions that end each request in progress. */
const running = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * Aborts when the client leaves or the server stops. The request has such a signal too, which costs as much as a list;
 * a signal that is joined from two costs as much as all checks.
 */
export function signalOf({ env }: RequestContext, stopping: AbortSignal): AbortSignal {
  if (stopping.aborted) return stopping;
  const leaving = new AbortController();
  const requests = running.get(stopping) ?? startRunning(stopping);
  requests.add(leaving);
  env.outgoing.once('close', () => {
    requests.delete(leaving);
    if (!env.outgoing.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

function startRunning(stopping: AbortSignal): Set<AbortController> {
  const requests = new Set<AbortController>();
  running.set(stopping, requests);
  stopping.addEventListener('abort', () => {
    for (const request of requests) request.abort(stopping.reason);
  });
  return requests;
}

/** How often something may happen. */
interface Rate {
  per_second: number;
  burst: number;
}

/** More callers at once than a server ever has; beyond it the bucket that was unused for longest is dropped. */
const CALLERS_MAX = 10_000;

/** A bucket for each caller: a burst at once, then so many a second. */
class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at_ms: number }>();

  /** @param now - milliseconds of a clock that never goes back. */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes one from a caller's bucket. @throws Refusal that reports when the next one is available. */
  take(caller: string): void {
    const left = this.#left(caller);
    if (left < 1) throw this.#refuse(left);
    this.#keep(caller, left - 1);
  }

  /** Refuses a caller whose bucket is empty, and takes nothing. @throws Refusal */
  assertSome(caller: string): void {
    const left = this.#left(caller);
    if (left < 1) throw this.#refuse(left);
  }

  #left(caller: string): number {
    const { per_second, burst } = this.#rate;
    const bucket = this.#buckets.get(caller);
    return bucket === undefined
      ? burst
      : Math.min(burst, bucket.left + ((this.#now() - bucket.at_ms) / 1_000) * per_second);
  }

  /** Moves it to the end of the map, whose first entry is dropped first. */
  #keep(caller: string, left: number): void {
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { left, at_ms: this.#now() });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > CALLERS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
  }

  #refuse(left: number): Refusal {
    const seconds = Math.max(1, Math.ceil((1 - left) / this.#rate.per_second));
    return new Refusal('too_many_requests', `Too many requests; retry in ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
}
