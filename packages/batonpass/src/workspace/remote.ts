/**
 * A remote's identity: `github.com/owner/name`, the same for its ssh and https spellings, never with credentials.
 * A remote that is a path on this machine keeps the path.
 */
export function normalizeRemote(url: string): string {
  const trimmed = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const withScheme = trimmed.match(/^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/i);
  if (withScheme) return `${withScheme[1]?.toLowerCase()}/${withScheme[2]}`;
  const shortForm = trimmed.match(/^(?:[^/@]+@)?([^/:]{2,}):(?!\/\/)\/?(.+)$/);
  if (shortForm) return `${shortForm[1]?.toLowerCase()}/${shortForm[2]}`;
  return trimmed;
}
