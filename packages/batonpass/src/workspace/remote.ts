/**
 * A remote's identity: `github.com/owner/name`, the same for its ssh and https spellings, never with credentials.
 * A remote that is a path on this machine keeps the path.
 */
export function normalizeRemote(url: string): string {
  const trimmed = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const withScheme = trimmed.match(/^[a-z][a-z0-9+.-]*:\/\/(.*)$/i)?.[1];
  if (withScheme !== undefined) return withoutCredentials(withScheme);
  const [, host, path] = trimmed.match(/^(?:[^/]*@)?([^/:@]{2,}):(?!\/\/)\/?(.+)$/) ?? [];
  return host === undefined ? trimmed : `${host.toLowerCase()}/${path}`;
}

/** What follows the scheme, without user, password and port. Any text before an `@` may be a secret. */
function withoutCredentials(rest: string): string {
  const [authority = ''] = rest.split('/');
  // A colon that begins no port is a password's, which then may hold a slash of its own.
  const isOpen = !authority.includes('@') && /:(?!\d*$)/.test(authority.replace(/^\[[^\]]*\]/, ''));
  const end = (isOpen ? rest : authority).lastIndexOf('@') + 1;
  const [host = '', ...path] = rest.slice(end).split('/');
  return [host.replace(/:\d*$/, '').toLowerCase(), ...path].join('/');
}
