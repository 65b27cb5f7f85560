import { isParting, readHeading } from './markdown-line.ts';
import type { PlanDocument } from './plan-document.ts';
import type { PlanPhase } from './plan-phases.ts';

/** The line behind the last of the section that a heading opens; blank lines and rules at its end are not of it. */
export function sectionEnd({ lines }: PlanDocument, heading: number): number {
  let end = heading + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    const found = line?.is_structure === true ? readHeading(line.text) : null;
    if (found !== null && found.level <= 2) break;
  }
  while (end > heading + 1 && isParting(lines[end - 1]?.text ?? '')) end -= 1;
  return end;
}

/** Where the next task of a phase with a heading goes: behind its last one that stands there. */
export function nextTaskPlace(plan: PlanDocument, { heading, tasks }: PlanPhase): number | undefined {
  if (heading === undefined) return undefined;
  const last = tasks.findLast((task) => task.heading === heading);
  return last?.end ?? sectionEnd(plan, heading.line);
}
