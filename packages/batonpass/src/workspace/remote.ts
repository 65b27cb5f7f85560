/**
 * A remote's identity: `github.com/owner/name`, the same for its ssh and https spellings, never with credentials.
 * A remote that is a path on this machine keeps the path.
 *
 * The host is the one that git connects to. Otherwise the text of a remote could claim the name of another project.
 */
export function normalizeRemote(url: string): string {
  // Another program fetches from such a remote, so that it is none of git's own spellings.
  const helper = /^(?:[a-z\d][a-z\d+.-]*::)+/i.exec(url.trim())?.[0] ?? '';
  const trimmed = url
    .trim()
    .slice(helper.length)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return `${helper}${withoutHelper(trimmed)}`;
}

function withoutHelper(text: string): string {
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/([\s\S]*)$/i.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) return readShort(text);
  // Git takes all that follows as a path.
  if (/^file$/i.test(scheme)) return rest.startsWith('/') ? rest : `//${rest}`;
  return withoutCredentials(rest, /^(?:git|ssh|git\+ssh|ssh\+git)$/i.test(scheme));
}

/** The form of scp: its host ends at the first colon, after an address in brackets; a slash before it makes a path. */
function readShort(text: string): string {
  // A path in the folder that git runs in may have the form of an identity.
  if (/^(?![./~\\])(?:[^:]*\/|[^:]*$)/.test(text)) return `./${text}`;
  if (/^[^:]*\/|^[^:]*$|^[a-z]:|:\/\//i.test(text)) return text;
  const end = text.indexOf(':', /^(?:[^/:[\]]*@)?\[[^\]]*\]/.exec(text)?.[0].length);
  return end === -1 ? text : `${hostOf(text.slice(0, end))}/${text.slice(end + 1).replace(/^\//, '')}`;
}

/**
 * What follows the scheme, without user, password and port. Any text before an `@` may be a secret.
 *
 * @param isOfGit - whether git reads it itself, after decoding it; libcurl does for the web's schemes.
 */
function withoutCredentials(rest: string, isOfGit: boolean): string {
  const found = rest.search(isOfGit ? /\/|%2f/i : /[/?#]/);
  const end = found === -1 ? rest.length : found;
  const authority = isOfGit ? decode(rest.slice(0, end)) : rest.slice(0, end);
  // A colon that begins no port is a password's, which then may hold a slash of its own: git reaches no host by that.
  const isOpen = !authority.includes('@') && !isAddress(authority) && /:(?![\s+-]*\d*$)/.test(authority);
  if (!isOpen) return `${hostOf(authority)}${rest.slice(end)}`;
  const [host = '', ...path] = rest.slice(rest.lastIndexOf('@') + 1).split('/');
  return [hostOf(host), ...path].join('/');
}

/** The host of `user:password@host:port`: as ssh and libcurl read it, it begins after the last `@`. */
function hostOf(authority: string): string {
  // Git takes off the brackets around a user, a host and its port, as in `[git@host:22]:path`.
  const whole = authority.replace(/\[([^[\]]*)\](?=$|:[^:]*$)/, (all, inside: string) =>
    isAddress(inside) ? all : inside,
  );
  const host = whole.slice(whole.lastIndexOf('@') + 1);
  return (isAddress(host) ? host : host.replace(/:[\s+-]*\d*$/, '')).toLowerCase();
}

/** Whether it is an address of IPv6, with or without brackets; ssh takes both. */
function isAddress(host: string): boolean {
  return /^(?:\[[^\]]*\]|[\da-f]*:[\da-f]*:[\da-f:.]*(?:%.*)?)$/i.test(host);
}

function decode(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
