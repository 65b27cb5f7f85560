/**
 * Scopes are paths or topics, compared by segment: `src/auth` covers `src/auth/token.ts`, never `src/authz`.
 * Matching goes both ways, as source 2 requires: a filter finds what is below it and what is above it.
 */

/** The one spelling of a scope: no leading `.//`, no trailing `/`, no doubled `/`. Empty means project-wide. */
export function normalizeScope(scope: string): string {
  return scope
    .trim()
    .split('/')
    .filter((segment, index) => segment !== '' && !(index === 0 && segment === '.'))
    .join('/');
}

/** Whether one of two scopes is the other, or its ancestor. The empty scope matches everything. */
export function isScopeMatch(left: string, right: string): boolean {
  return isNormalizedScopeMatch(normalizeScope(left), normalizeScope(right));
}

/** The same for two scopes in their one spelling. */
export function isNormalizedScopeMatch(left: string, right: string): boolean {
  if (left === '' || right === '' || left === right) return true;
  return left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
}

/** A normalized scope's ancestors, nearest first, without itself: `a/b/c` gives `a/b` and `a`. */
export function listScopeAncestors(scope: string): string[] {
  const segments = normalizeScope(scope).split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, segments.length - 1 - index).join('/'));
}
