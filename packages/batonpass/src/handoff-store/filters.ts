import { z } from 'zod';
import { parseInput } from '../core/input.ts';
import { isNormalizedScopeMatch, normalizeScope } from '../core/scope.ts';
import type { ListedHandoff } from './index-lines.ts';
import { type HandoffIndexEntry, isInstant } from './record.ts';

/** The filters of a list; each member narrows it, an empty one does not. */
export interface HandoffFilters {
  /** Exactly this writer. */
  source_agent?: string | undefined;
  /** Exactly this receiver. */
  target_agent?: string | undefined;
  /** Scopes that are an ancestor of this path or below it, by whole segments; and every handoff without a scope. */
  scope?: string | undefined;
  /** Created at this instant or later: ISO 8601, in UTC where no zone is given. */
  since?: string | undefined;
  /** The newest so many. Default: all. */
  limit?: number | undefined;
}

const filtersSchema = z.strictObject({
  source_agent: z.string().optional(),
  target_agent: z.string().optional(),
  scope: z.string().optional(),
  since: z
    .string()
    .refine((value) => value === '' || isInstant(value), 'must be a date and time of ISO 8601')
    .optional(),
  limit: z.int().min(0).optional(),
});

/** @throws HandoffError `invalid_input` for an unknown filter, a `since` that is no instant, a negative limit. */
export function parseFilters(filters: HandoffFilters): HandoffFilters {
  return parseInput(filtersSchema, filters, 'filter');
}

/** The entries that answer the filters, in the given order. */
export function selectEntries(listed: readonly ListedHandoff[], filters: HandoffFilters): HandoffIndexEntry[] {
  const { source_agent = '', target_agent = '', limit = Number.POSITIVE_INFINITY } = filters;
  const scope = normalizeScope(filters.scope ?? '');
  const since_ms = instantOf(filters.since ?? '');
  const entries: HandoffIndexEntry[] = [];
  for (const { entry, at_ms } of listed) {
    // The newest come first: everything after the limit, or before the instant, is left out.
    if (entries.length >= limit || at_ms < since_ms) break;
    const isIn =
      (source_agent === '' || entry.source_agent === source_agent) &&
      (target_agent === '' || entry.target_agent === target_agent) &&
      (scope === '' || isNormalizedScopeMatch(normalizeScope(entry.scope ?? ''), scope));
    // A copy: what the caller does with it is not remembered here.
    if (isIn) entries.push({ ...entry });
  }
  return entries;
}

function instantOf(since: string): number {
  if (since === '') return Number.NEGATIVE_INFINITY;
  const hasZone = !since.includes('T') || /(?:Z|[+-]\d\d:?\d\d)$/i.test(since);
  return Date.parse(hasZone ? since : `${since}Z`);
}
