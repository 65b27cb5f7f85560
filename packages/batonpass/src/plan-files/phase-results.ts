import type { ContentInput } from '../core/content.ts';
import { limits } from '../core/limits.ts';
import { findPhase, isDone } from './documents/plan-phases.ts';
import { readUsablePlan } from './documents/plan-progress.ts';
import { readReferences } from './documents/references-document.ts';
import { findPlanFolder, type PlanPlace, readPlanDocument, requirePlanDocument } from './plan-place.ts';

/** The content of a handoff for a phase that is complete: its tasks as results, the next phase's as steps, the plan's files. */
export function phaseResults(place: PlanPlace, plan_directory: string, phase_name: string): ContentInput {
  const folder = findPlanFolder(place, plan_directory);
  const { plan, phases } = readUsablePlan(requirePlanDocument(folder, 'plan.md'));
  const phase = findPhase(phases, phase_name);
  const next = phase === undefined ? undefined : phases[phases.indexOf(phase) + 1];
  const { references } = readReferences(readPlanDocument(folder, 'references.md') ?? '');
  const title = plan.title ?? folder.name;
  const goOn = next === undefined ? 'The plan is completed.' : `Phase ${next.name} comes next.`;
  return {
    kind: 'result',
    title: `${title}: phase ${phase_name} completed`.slice(0, limits.title_characters_max),
    summary: `Phase ${phase_name} of the plan ${folder.shown} is completed. ${goOn}`,
    task_id: folder.name,
    phase: phase_name,
    results: (phase?.tasks ?? [])
      .slice(0, limits.entries_max)
      .map(({ name, number }) => ({ description: fit(name, `Task ${number}`), status: 'completed' as const })),
    next_steps: (next?.tasks ?? [])
      .filter((task) => !isDone(task))
      .slice(0, limits.entries_max)
      .map(({ name, number }) => fit(name, `Task ${number}`)),
    files: references
      .filter(({ group }) => group === 'implementation' || group === 'test')
      .filter(({ identifier }) => identifier.trim() !== '' && identifier.length <= limits.name_characters_max)
      .slice(0, limits.entries_max)
      .map(({ identifier }) => ({ path: identifier })),
  };
}

/** A name from a document as an entry of a content, which is neither empty nor endless. */
function fit(name: string, otherwise: string): string {
  return name.trim().slice(0, limits.entry_characters_max) || otherwise;
}
