import type { OperationContext } from './context.ts';

/** What a repository wants to set and does not, on one line, and what a person can do about it. */
interface IgnoredSettings {
  what: string;
  next: string;
}

/** The settings of a repository's files that are ignored; undefined where none is. */
export function describeIgnored({ repository }: Pick<OperationContext, 'repository'>): IgnoredSettings | undefined {
  const { ignored, problem, variables = [] } = repository;
  const what = [
    ...(problem === undefined ? [] : [`This repository's settings are ignored. ${problem}`]),
    ...(problem !== undefined || ignored.length === 0
      ? []
      : [`This repository's baton.config.json is not trusted, so it does not set ${ignored.join(', ')}.`]),
  ];
  const next = what.length > 0 ? trustHint : 'Set them in a file of your own: ~/.config/baton/config.json';
  if (variables.length > 0) {
    what.push(`This repository's files for hosts set ${variables.join(', ')}: that has no effect.`);
  }
  return what.length === 0 ? undefined : { what: what.join(' '), next };
}

const trustHint = 'See its values and decide: baton trust';
