import type { z } from 'zod';
import { HandoffError } from './errors.ts';
import { nearNames } from './near-names.ts';

/**
 * Checks a value from outside against a schema.
 *
 * @param what - the thing's name in the message, as "handoff content".
 * @throws HandoffError `invalid_input` that names each wrong field, what is wrong with it, and the fields there are.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const answer = schema.safeParse(value, { error: explainUnknownKey });
  if (answer.success) return answer.data;
  const issues = flatten(answer.error.issues).map(({ path, message }) => ({
    field: formatPath(path),
    reason: message,
  }));
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  throw new HandoffError('invalid_input', `The ${what} is not valid: ${first?.field}: ${first?.reason}${more}.`, {
    details: { issues: issues.slice(0, 20) },
    alternatives: issues.slice(0, 5).map(({ field, reason }) => `${field}: ${reason}`),
  });
}

type Issue = z.core.$ZodIssue;

/** The issues of a union are those of its nearest branch: the one that got furthest. */
function flatten(
  issues: readonly Issue[],
  base: readonly PropertyKey[] = [],
): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: reasonOf(issue) }];
    const branches = issue.errors.map((errors) => flatten(errors, path));
    const depth = (branch: { path: PropertyKey[] }[]) => Math.max(...branch.map((entry) => entry.path.length));
    return branches.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
  });
}

/** The library's words, but for the one that everybody meets: a text that holds nothing. */
function reasonOf(issue: Issue): string {
  const isEmptyText = issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1;
  return isEmptyText ? 'must not be empty' : issue.message;
}

/** The library's words for unknown keys, with the keys that they are like, or that there are; undefined for any other issue. */
function explainUnknownKey({ code, keys, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  const wrong = keys as string[];
  const known = Object.keys((inst?._zod.def as { shape?: object } | undefined)?.shape ?? {});
  const near = new Set(wrong.flatMap((key) => nearNames(key, known)[0] ?? []));
  const advice = near.size > 0 ? `did you mean ${inQuotes([...near])}?` : `known: ${known.join(', ') || 'none'}`;
  return `Unrecognized ${wrong.length === 1 ? 'key' : 'keys'}: ${inQuotes(wrong)} (${advice})`;
}

function inQuotes(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '(the whole)';
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}
