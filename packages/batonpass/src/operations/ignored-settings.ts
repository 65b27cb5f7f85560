import type { OperationContext } from './context.ts';

/** The settings of a repository's file that are ignored, on one line; undefined where none is. */
export function describeIgnored({ repository }: Pick<OperationContext, 'repository'>): string | undefined {
  const { ignored, problem } = repository;
  if (problem !== undefined) return `This repository's settings are ignored. ${problem}`;
  if (ignored.length === 0) return undefined;
  return `This repository's baton.config.json is not trusted, so it does not set ${ignored.join(', ')}.`;
}

/** What a person can do about it. */
export const trustHint = 'See its values and decide: baton trust';
