import type { Baton, OperationName } from '../../packages/batonpass/src/index.ts';
import type { Case } from './catalogue-cases.ts';

/** Those of the documents; the others take whole messages, or read all plans. */
type PlanOperation = Exclude<Extract<OperationName, `plan.${string}`>, 'plan.list' | 'plan.answer' | 'plan.consult'>;

const plan_directory = '.claude/plans/jwt-auth/';

async function directory(baton: Baton): Promise<object> {
  await baton.run('plan.create-directory', { task_name: 'jwt-auth' });
  return {};
}

async function configured(baton: Baton): Promise<object> {
  await directory(baton);
  const configuration = { plan_type: 'simple', branch: 'feature/jwt' } as const;
  await baton.run('plan.write-config', { plan_directory, configuration });
  return {};
}

async function planned(baton: Baton): Promise<object> {
  await configured(baton);
  const tasks = ['init', 'execute', 'finalize'].map((phase) => ({ name: `Do ${phase}`, phase, goal: 'It is done' }));
  await baton.run('plan.write-plan', { plan_directory, plan_content: { title: 'Tokens', tasks } });
  return {};
}

async function referred(baton: Baton): Promise<object> {
  await directory(baton);
  const reference_data = { identifier: 'ADR-015', title: 'Tokens', path: 'doc/adr-015.md' };
  await baton.run('plan.write-references', { plan_directory, action: 'add', reference_type: 'adr', reference_data });
  return {};
}

const absent = { plan_directory: '.claude/plans/none/' };

/** What reading operations have in common: they take a plan's name, and refuse one that is not there. */
function reading(operation: string, prepare: (baton: Baton) => Promise<object>) {
  return {
    prepare,
    input: () => ({ plan_directory }),
    words: () => ['plan', operation, 'jwt-auth'],
    wrong: { input: absent, words: ['plan', operation, 'none'], code: 'file_not_found' },
  };
}

/** The operations of plans through two doors. */
export const planCases: { [Name in PlanOperation]: Case<Name> } = {
  'plan.create-directory': {
    input: () => ({ task_name: 'jwt-auth' }),
    words: () => ['plan', 'create-directory', 'jwt-auth'],
    wrong: {
      input: { task_name: 'JWT Auth' },
      words: ['plan', 'create-directory', 'JWT Auth'],
      code: 'validation_failed',
    },
  },
  'plan.write-config': {
    prepare: directory,
    input: () => ({ plan_directory, configuration: { plan_type: 'simple', branch: 'feature/jwt' } }),
    words: () => ['plan', 'write-config', 'jwt-auth', '--plan-type', 'simple', '--branch', 'feature/jwt'],
    wrong: {
      input: { ...absent, configuration: { plan_type: 'simple', branch: 'feature/jwt' } },
      words: ['plan', 'write-config', 'none', '--plan-type', 'simple', '--branch', 'feature/jwt'],
      code: 'file_not_found',
    },
  },
  'plan.write-plan': {
    prepare: configured,
    input: () => ({ plan_directory, plan_content: { title: 'Tokens' } }),
    words: () => ['plan', 'write-plan', 'jwt-auth', '--title', 'Tokens'],
    wrong: {
      input: { ...absent, plan_content: { title: 'Tokens' } },
      words: ['plan', 'write-plan', 'none', '--title', 'Tokens'],
      code: 'file_not_found',
    },
  },
  'plan.outline': reading('outline', planned),
  'plan.read-plan': reading('read-plan', planned),
  'plan.read-config': reading('read-config', configured),
  'plan.get-references': reading('get-references', referred),
  'plan.write-references': {
    prepare: referred,
    input: () => ({
      plan_directory,
      action: 'remove',
      reference_type: 'adr',
      reference_data: { identifier: 'ADR-015' },
    }),
    words: () => ['plan', 'write-references', 'jwt-auth', '--action', 'remove', '--type', 'adr', '--id', 'ADR-015'],
    wrong: {
      input: { ...absent, action: 'remove', reference_type: 'adr', reference_data: { identifier: 'ADR-015' } },
      words: ['plan', 'write-references', 'none', '--action', 'remove', '--type', 'adr', '--id', 'ADR-015'],
      code: 'file_not_found',
    },
  },
  'plan.update-progress': {
    prepare: planned,
    input: () => ({ plan_directory, update: { task_id: 'task-1', status: 'completed' } }),
    words: () => ['plan', 'done', 'jwt-auth', 'task-1'],
    wrong: {
      input: { ...absent, update: { task_id: 'task-1', status: 'completed' } },
      words: ['plan', 'done', 'none', 'task-1'],
      code: 'file_not_found',
    },
  },
  'plan.validate-plan': reading('validate-plan', planned),
  'plan.validate-config': reading('validate-config', configured),
  'plan.validate-references': reading('validate-references', referred),
};
