import type { PlanConfiguration } from './config-document.ts';
import { codeValue, inlineValue } from './inline-value.ts';

/** A `references.md` without references; issue and branch as the plan's configuration has them. */
export function renderEmptyReferences({ issue, branch }: Partial<PlanConfiguration>): string {
  const lines = [
    '# References',
    ...(issue === undefined ? [] : ['', '## Issue', '', `**GitHub Issue**: ${inlineValue(issue)}`]),
    ...(branch === undefined ? [] : [`**Branch**: ${codeValue(branch)}`]),
    '',
  ];
  return lines.join('\n');
}
