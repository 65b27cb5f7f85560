import type { OperationOutput } from '../../../operations/catalogue.ts';
import { counted } from './plural.ts';
import { type View, wrapped } from './view.ts';

type Diagnosis = OperationOutput<'project.diagnose'>;
type Finding = Diagnosis['findings'][number];

const marks = {
  ok: { mark: '✓', colour: 'green' },
  warning: { mark: '!', colour: 'yellow' },
  problem: { mark: '✗', colour: 'red' },
} as const;

const indent = '  ';

/** One line for a finding that is well; for any other the fact, the reason and the next step. */
export function presentFinding({ level, what, why, next }: Finding, view: View): string {
  const { mark, colour } = marks[level];
  const head = `${view.style(colour, mark)} ${wrapped(what, view.width, indent)}`;
  if (level === 'ok') return head;
  return [
    view.style('bold', head),
    `${indent}${wrapped(why, view.width, indent)}`,
    `${indent}${view.style('cyan', wrapped(`→ ${next}`, view.width, `${indent}  `))}`,
  ].join('\n');
}

/** The overall result, in one sentence. */
export function presentTally({ findings, problems, warnings }: Diagnosis, view: View): string {
  const all = counted(findings.length, 'check');
  if (problems === 0 && warnings === 0) return view.style('green', `${all}: all is well.`);
  const parts = [
    ...(problems > 0 ? [counted(problems, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return `${all}: ${parts.join(' and ')}.`;
}
