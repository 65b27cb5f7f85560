/**
 * A path as an extraction may carry it: relative to the project, with `/`, without `.` segments.
 * Nothing where it is empty, absolute on any platform (`/x`, `C:\x`, `\\srv\x`, `~/x`, `file:`), holds NUL, or has a
 * `..` segment, percent-encoded or not. `src/foo..bar.ts` is an ordinary name.
 */
export function toProjectPath(spelt: string): string | undefined {
  const path = spelt.trim();
  if (path === '' || path.includes('\0') || /^(?:[/\\~]|[A-Za-z]:|[a-z][a-z0-9+.-]*:)/i.test(path)) return undefined;
  const decoded = path.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\').replace(/%00/g, '\0');
  if (decoded.includes('\0') || /^[/\\~]/.test(decoded)) return undefined;
  if (decoded.split(/[/\\]/).some((segment) => segment.trim() === '..')) return undefined;
  const segments = path.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
  return segments.length === 0 ? undefined : segments.join('/');
}
