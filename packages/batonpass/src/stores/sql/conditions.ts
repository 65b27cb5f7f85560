import { type Filter, foldCase } from '../../core/filter.ts';
import { limits } from '../../core/limits.ts';
import { listScopeAncestors, normalizeScope } from '../../core/scope.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { Dialect, Narrowing, RowsOfList } from './dialect.ts';
import type { Parameters } from './work.ts';

/** States in which somebody still has to act: few rows beside a long history, and each has an index. */
const indexed = ['draft', 'open', 'claimed', 'waiting', 'dead'] as const;

/** The fewest rows that hold all that a filter asks for. */
export function rowsFor({ project, state = [], awaiting_proof, id_suffix }: Filter): RowsOfList {
  if (project === undefined) return 'all';
  if (awaiting_proof === true) return 'offered';
  if (id_suffix !== undefined) return 'suffix';
  const only = state.length === 1 ? indexed.find((each) => each === state[0]) : undefined;
  return only ?? 'project';
}

/** Scope by segment, as `core/scope.ts` judges it: equal, below, or an ancestor. The empty scope meets every other. */
export const inScope = ({
  isBelow,
  isAmong,
}: Pick<Dialect, 'isBelow' | 'isAmong'>) => `(scope = :scope OR :scope IS NULL
  OR (scope IS NULL AND :include_unscoped = 1)
  OR (scope IS NOT NULL AND :scope = '')
  OR ${isBelow('scope', 'scope')}
  OR ${isAmong('scope', 'scope_ancestors')})`;

const named = ['kind', 'task_id', 'source_agent', 'target_agent', 'phase', 'session', 'branch'] as const;

/** Every member of a filter but its project and scope; those that look into the content come last. */
export const filtered = ({ isAmong, holdsText, namesFile }: Dialect) =>
  `${named.map((column) => `(${column} = :${column} OR :${column} IS NULL)`).join(' AND ')}
  AND (created_at >= :since OR :since IS NULL)
  AND (offered IS NOT NULL OR coalesce(:awaiting_proof, 0) = 0)
  AND (failure IS NOT NULL OR coalesce(:failed, 0) = 0)
  AND (coalesce(:is_of_state, 0) = 0 OR ${isAmong('state', 'states')})
  AND (substr(id, length(id) - length(:id_suffix) + 1) = :id_suffix OR :id_suffix IS NULL)
  AND ${holdsText} AND ${namesFile}`;

/** The parameters of a statement that judges scopes. */
export function scopeParameters({ scope, include_unscoped }: Pick<Filter, 'scope' | 'include_unscoped'>): Parameters {
  const normalized = scope === undefined ? undefined : normalizeScope(scope);
  return {
    scope: normalized,
    include_unscoped: include_unscoped === true ? 1 : 0,
    // The empty scope is everybody's ancestor.
    scope_ancestors: normalized === undefined ? [] : ['', ...listScopeAncestors(normalized)],
  };
}

/** What a filter does not name is NULL. */
export function filterParameters({ since, awaiting_proof, failed, state, text, ...filter }: Filter): Parameters {
  const { scope: _scope, include_unscoped: _unscoped, ...rest } = filter;
  return {
    ...rest,
    states: state ?? [],
    is_of_state: state === undefined ? 0 : 1,
    awaiting_proof: awaiting_proof === true ? 1 : 0,
    failed: failed === true ? 1 : 0,
    since: since === undefined ? undefined : Date.parse(since),
    text: text === undefined ? undefined : foldCase(text),
  };
}

/** What a claim names, and with it the statement that serves it. */
export function narrowingOf({ task_id, kind, scope, exclude_ids = [] }: ClaimRequest): Narrowing {
  return {
    task: task_id !== undefined,
    kind: kind !== undefined,
    excluded: exclude_ids.length > 0,
    scope: scope !== undefined,
  };
}

/** A text is put together once: it is long, and asked for with each claim. @param write - of a claim, and a number more. */
export function once(write: (narrowing: Narrowing, number: number) => string): typeof write {
  const written = new Map<string, string>();
  return (narrowing, number) => {
    const { task, kind, excluded, scope } = narrowing;
    const key = `${task}/${kind}/${excluded}/${scope}/${number}`;
    const text = written.get(key) ?? write(narrowing, number);
    written.set(key, text);
    return text;
  };
}

/** The queue and what of it is on offer. */
export function queueParameters(request: ClaimRequest, now: number | undefined): Parameters {
  const { project, task_id, kind, exclude_ids: excluded } = request;
  return { project, task_id, kind, excluded, now, backoff_max: limits.backoff_ms_max };
}
