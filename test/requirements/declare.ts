import type { Milestone, Requirement } from './requirement.ts';

/** Requirements of one section of a document and one milestone: id and sentence of behaviour. */
export function declare<const Id extends string>(
  source: string,
  milestone: Milestone,
  behaviours: Record<Id, string>,
): Record<Id, Requirement> {
  const entries = Object.entries<string>(behaviours);
  return Object.fromEntries(entries.map(([id, behaviour]) => [id, { source, behaviour, milestone }])) as Record<
    Id,
    Requirement
  >;
}
