import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StoreTokens, TokenRecord } from '../../core/access-token.ts';
import { limits } from '../../core/limits.ts';
import { proveServer } from '../../operations/running-server.ts';
import { checkToken } from '../../operations/tokens/token-records.ts';
import { Refusal } from './problem.ts';

/** A caller of the server. */
export interface Principal {
  /** The key of the caller for rate limits and bounds of streams. */
  key: string;
  /** What its token allows; absent for the user who runs this server. */
  token?: TokenRecord;
  /** Whether it came with a browser's cookie: then a person uses it, whoever the server acts for. */
  isBrowser: boolean;
  /** Whether the user's own server lets it in without a bound on requests. */
  isOwner: boolean;
  /** Whether it is still let in: a token may have been revoked since. */
  isGood: () => Promise<boolean>;
}

/** What a server checks its callers against. */
export interface Credentials {
  /** The token of the user who runs this server; absent where only tokens of the store count. */
  ownToken?: string;
  /** The store's tokens. */
  openTokens: () => Promise<StoreTokens>;
  now: () => number;
}

interface BrowserSession {
  secret: Buffer;
  /** The key of the principal that began it. */
  principal: string;
  /** The token that began it. */
  token: string;
}

/** Lets callers in: by a bearer token, or by the cookie that a browser got for one. */
export class Gatekeeper {
  readonly #credentials: Credentials;
  readonly #own: Buffer | undefined;
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, BrowserSession>();

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
    this.#own = credentials.ownToken === undefined ? undefined : Buffer.from(credentials.ownToken);
  }

  /** A secret for one browser, valid once, for `limits.browser_link_ms`; it is in the address's fragment. */
  createLink(): string {
    const now_ms = this.#credentials.now();
    for (const [known, until_ms] of this.#links) if (until_ms <= now_ms) this.#links.delete(known);
    const link = `link_${randomBytes(24).toString('base64url')}`;
    this.#links.set(link, now_ms + limits.browser_link_ms);
    return link;
  }

  /**
   * Begins a browser's session by a link or a token. Above `limits.browser_sessions_each_max` of one principal, its
   * oldest ends.
   *
   * @returns the value of its cookie.
   * @throws Refusal for a link that was used or is too old, and for an unknown token.
   */
  async beginSession(secret: string): Promise<string> {
    const token = this.#useLink(secret) ?? secret;
    const found = await this.#principalOf(token);
    if (found === null) throw unauthorized('The link or token is not valid, or not any more.');
    const id = randomBytes(12).toString('hex');
    const key = randomBytes(32).toString('base64url');
    const own = [...this.#sessions].filter(([, { principal }]) => principal === found.key);
    const [oldest] = own[0] ?? [];
    if (own.length >= limits.browser_sessions_each_max && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(id, { secret: digest(key), principal: found.key, token });
    return `${id}.${key}`;
  }

  /** Proves to the next start of this server that it is this one; undefined where only tokens of the store count. */
  prove(challenge: { port: number; nonce: string }): string | undefined {
    const { ownToken } = this.#credentials;
    return ownToken === undefined ? undefined : proveServer(ownToken, challenge);
  }

  /** Ends the session of a cookie, where there is one. */
  endSession(cookie: string | undefined): void {
    this.#sessions.delete(cookie?.split('.')[0] ?? '');
  }

  /**
   * The caller, by the headers of a request.
   *
   * @throws Refusal where no known caller sent it.
   */
  async identify({ authorization, cookie }: { authorization?: string; cookie?: string }): Promise<Principal> {
    const bearer = authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (authorization !== undefined && bearer === undefined)
      throw unauthorized('The Authorization header is not a bearer token.');
    const token = bearer ?? this.#tokenOfCookie(cookie);
    if (token === undefined) throw unauthorized('This needs a token.', false);
    const principal = await this.#principalOf(token);
    if (principal === null) throw unauthorized('The token is not valid: revoked, expired or unknown.');
    return { ...principal, isBrowser: bearer === undefined };
  }

  #useLink(link: string): string | undefined {
    const until_ms = this.#links.get(link);
    if (until_ms === undefined) return undefined;
    this.#links.delete(link);
    return until_ms > this.#credentials.now() ? this.#credentials.ownToken : undefined;
  }

  #tokenOfCookie(cookie: string | undefined): string | undefined {
    const [id = '', key = ''] = cookie?.split('.') ?? [];
    const session = this.#sessions.get(id);
    return session !== undefined && timingSafeEqual(session.secret, digest(key)) ? session.token : undefined;
  }

  async #principalOf(token: string): Promise<Omit<Principal, 'isBrowser'> | null> {
    const { openTokens, now } = this.#credentials;
    if (this.#own !== undefined && isSame(Buffer.from(token), this.#own)) {
      return { key: 'owner', isOwner: true, isGood: async () => true };
    }
    const look = async () => checkToken(await openTokens(), token, now());
    const record = await look();
    if (record === null) return null;
    return { key: record.id, token: record, isOwner: false, isGood: async () => (await look()) !== null };
  }
}

/** @param isWrong - whether a secret was sent; RFC 6750 names no error where none was. */
function unauthorized(message: string, isWrong = true): Refusal {
  const error = isWrong ? ', error="invalid_token"' : '';
  return new Refusal('unauthorized', message, {
    headers: { 'www-authenticate': `Bearer realm="baton"${error}` },
    alternatives: [
      'Send the header Authorization: Bearer TOKEN. On the server’s machine: baton token create NAME',
      'In the browser: open the address that baton studio prints.',
    ],
  });
}

/** In constant time, so that the time shows nothing of the difference; that a token has 43 characters is no secret. */
function isSame(given: Buffer, own: Buffer): boolean {
  return given.length === own.length && timingSafeEqual(given, own);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
