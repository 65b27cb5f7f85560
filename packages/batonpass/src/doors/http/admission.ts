import { HandoffError } from '../../core/errors.ts';
import { transcriptMediaType } from '../../core/transcript-media-type.ts';
import { Refusal } from './problem.ts';

/** The parts of a request that show its origin. */
export interface Provenance {
  method: string;
  /** Every Host header that was sent. */
  hosts: readonly string[];
  origin: string | undefined;
  /** Sec-Fetch-Site, -Mode and -Dest, which browsers set and pages cannot. */
  site: string | undefined;
  mode: string | undefined;
  destination: string | undefined;
  contentType: string | undefined;
}

/** The addresses of a server, as `http://localhost:4747`, by the Host header of a request to each. */
export type Doorway = ReadonlyMap<string, ReadonlySet<string>>;

/** The admission of some origins. @throws HandoffError `invalid_input` for what is no `http` or `https` origin. */
export function openDoorway(origins: readonly string[]): Doorway {
  const doorway = new Map<string, Set<string>>();
  for (const text of origins) {
    const { host, origin } = parseOrigin(text);
    doorway.set(host, (doorway.get(host) ?? new Set()).add(origin));
  }
  return doorway;
}

function parseOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWhole = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isWhole) return url;
  throw new HandoffError('invalid_input', `"${text}" is not the origin of a server.`, {
    alternatives: ['Write it as https://baton.example.org or http://localhost:9000, without a path.'],
  });
}

/**
 * Refuses every request that a web page of another site could have caused: a foreign or repeated Host (DNS rebinding), a
 * foreign Origin, a request that the browser itself calls cross-site, a body that a form could send.
 *
 * @param isPage - whether the path is a page without anybody's data, to which any site may link.
 * @throws Refusal
 */
export function assertAdmitted(request: Provenance, doorway: Doorway, isPage: boolean): void {
  const origins = findOrigins(request.hosts, doorway);
  if (request.origin !== undefined && !origins.has(request.origin.toLowerCase())) {
    throw foreign('The Origin of the request is not this server’s.');
  }
  assertSite(request, isPage);
  assertContentType(request);
}

function findOrigins([host = '', ...others]: readonly string[], doorway: Doorway): ReadonlySet<string> {
  const origins = others.length === 0 ? doorway.get(host.toLowerCase()) : undefined;
  if (origins !== undefined) return origins;
  throw new Refusal('misdirected_request', 'The Host of the request is not an address of this server.', {
    alternatives: [
      'Use the address that it printed at its start.',
      'Name the address at which it is reached: baton studio --origin https://baton.example.org',
    ],
  });
}

function assertSite({ method, site, mode, destination }: Provenance, isPage: boolean): void {
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  const isNavigation = mode === 'navigate' && destination === 'document';
  if (isPage && method === 'GET' && isNavigation) return;
  throw foreign('The browser reports that a page of another site sent the request.');
}

/** Whether a body contains a transcript as it is. */
export function isTranscript(contentType: string | undefined): boolean {
  return typeOf(contentType) === transcriptMediaType;
}

function typeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase();
}

function assertContentType({ method, contentType }: Provenance): void {
  if (method !== 'POST' || typeOf(contentType) === 'application/json' || isTranscript(contentType)) return;
  throw new Refusal('unsupported_media_type', 'The body must be JSON.', {
    alternatives: ['Send the header Content-Type: application/json.'],
  });
}

function foreign(message: string): Refusal {
  return new Refusal('foreign_origin', message, {
    alternatives: ['Send it from the server’s own page, or from a program that is not a browser.'],
  });
}
