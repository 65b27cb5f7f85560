import { useMemo, useSyncExternalStore } from 'react';

/** The screens by the first part of their addresses: the address is the state, so that a link shows the same. */
const prefixes = {
  '': 'home',
  b: 'brainstorm',
  inbox: 'inbox',
  h: 'handoff',
  review: 'review',
  run: 'run',
  lineage: 'lineage',
  plans: 'plans',
  plan: 'plans',
  import: 'import',
  settings: 'settings',
} as const;

export type ScreenName = (typeof prefixes)[keyof typeof prefixes];

function screenAt(prefix: string): ScreenName | undefined {
  return Object.hasOwn(prefixes, prefix) ? prefixes[prefix as keyof typeof prefixes] : undefined;
}

/** The current route. */
export interface Route {
  screen: ScreenName;
  /** The handoff, plan or brainstorm of the screen; absent where the address names none. */
  id?: string;
  query: URLSearchParams;
}

/** The route of an address; an unknown address leads home. */
export function parseRoute(address: string): Route {
  const { pathname, searchParams } = new URL(address, 'http://studio');
  const [prefix = '', id = ''] = pathname.slice(1).split('/');
  return { screen: screenAt(prefix) ?? 'home', ...(id === '' ? {} : { id: decodePart(id) }), query: searchParams };
}

/** A part of an address, decoded; with an invalid encoding it stays as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A mistyped address names nothing, and the screen shows that.
    return part;
  }
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}

const readAddress = () => location.pathname + location.search;

/** The current route; renders again when it changes. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, readAddress);
  return useMemo(() => parseRoute(address), [address]);
}

/**
 * Goes to another address of the studio.
 *
 * @param replace - whether it replaces the present address in the history. Default: no.
 */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (path === readAddress()) return;
  if (replace) history.replaceState(history.state, '', path);
  else history.pushState(null, '', path);
  for (const listener of [...listeners]) listener();
}

/** Changes single values of the address's query in place; an empty one is removed. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Makes links within the studio change the screen without a page load; the browser handles other targets. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.origin !== location.origin) return;
    if (screenAt(link.pathname.split('/')[1] ?? '') === undefined) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
