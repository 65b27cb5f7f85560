import type {
  FindingsFrontmatter,
  PlanFrontmatter,
  ProblemFrontmatter,
} from '../../packages/batonpass/src/handoff-files/frontmatter.ts';

/** Front matter of each kind, as source 1 has it. */
export const findings: FindingsFrontmatter = {
  version: '001',
  type: 'findings',
  status: 'complete',
  created: '2026-01-24T15:30:00Z',
  phase: '02-auth',
  agent: 'researcher',
  confidence: 'high',
};

export const plan: PlanFrontmatter = {
  version: '001',
  type: 'plan',
  status: 'partial',
  created: '2026-01-24T15:30:00Z',
  phase: '02',
  agent: 'planner',
  tasks_created: 2,
  task_ids: ['02-01', '02-02'],
};

export const problem: ProblemFrontmatter = {
  version: '001',
  type: 'problem',
  status: 'failed',
  created: '2026-01-24T15:30:00Z',
  phase: 'auth',
  agent: 'executor',
  severity: 'blocker',
  related_task: '02-01',
};

/** Without its version, as `nextHandoffFile` takes it. */
export function unversioned<T extends { version: string }>({ version: _version, ...rest }: T): Omit<T, 'version'> {
  return rest;
}
