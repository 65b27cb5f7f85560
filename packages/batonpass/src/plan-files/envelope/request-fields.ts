import type { MessageOperation } from './message-operations.ts';

/** The places of one field of an operation's input in a message, as paths. */
export interface Field {
  /** Where it is whole; the first is the protocol's own. Several may name it if they agree. */
  whole: readonly string[];
  /** Where the members of an object are if it is nowhere whole: at the top of the message, or in another object. */
  loose?: Readonly<Record<string, readonly string[]>>;
}

const directory = { plan_directory: { whole: ['plan_directory', 'artifacts.plan_directory', 'task.plan_directory'] } };

const settings = [
  'plan_type',
  'technology',
  'build_system',
  'compatibility',
  'commit_strategy',
  'finalizing',
  'branch',
  'issue',
];

/**
 * The input of each operation, and where the messages of the field have it: at the top, below `artifacts`, below `task`,
 * or in the operation's own object. A field that is not listed here (`workflow`, `context`) is not for the operation.
 */
export const requestFields: Readonly<Record<MessageOperation, Readonly<Record<string, Field>>>> = {
  'create-directory': {
    task_name: { whole: ['task_name', 'task.task_name', 'task.name', 'artifacts.task_name'] },
    collision: { whole: ['collision', 'task.collision'] },
    from_handoff: { whole: ['from_handoff', 'artifacts.handoff'] },
    next_action: { whole: ['next_action'] },
  },
  'write-config': {
    ...directory,
    configuration: {
      whole: ['configuration', 'config', 'task.configuration'],
      loose: Object.fromEntries(settings.map((setting) => [setting, [setting]])),
    },
  },
  'write-plan': {
    ...directory,
    plan_content: { whole: ['plan_content', 'task.plan_content', 'artifacts.plan_content'] },
  },
  'read-plan': directory,
  'read-config': directory,
  'get-references': directory,
  'write-references': {
    ...directory,
    action: { whole: ['action', 'task.action'] },
    reference_type: { whole: ['reference_type', 'task.reference_type'] },
    reference_data: { whole: ['reference_data', 'task.reference_data'] },
  },
  'update-progress': {
    ...directory,
    update: {
      whole: ['update'],
      loose: {
        task_id: ['task_update.task_id', 'task_id', 'task.task_id', 'task.id'],
        phase: ['task_update.phase', 'phase', 'task.phase'],
        status: ['task_update.status', 'status', 'task.status'],
        checklist_items: [
          'task_update.checklist_items_completed',
          'task_update.checklist_items',
          'checklist_items',
          'checklist_items_completed',
          'task.checklist_items',
        ],
      },
    },
    phase_transition: { whole: ['phase_transition'] },
    open_handoff: { whole: ['open_handoff'] },
    files_created: { whole: ['files_created', 'artifacts.files_created'] },
  },
  'validate-plan': directory,
  'validate-config': directory,
  'validate-references': directory,
};
