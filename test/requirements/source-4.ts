import { declare } from './declare.ts';

/** Source 4: the protocol of plan files, with messages in TOON. */
export const source4 = {
  ...declare('source 4, operations', 'plan-files', {
    'PF.operation.create-directory': 'create-directory creates a plan directory.',
    'PF.operation.write-config': 'write-config writes config.md.',
    'PF.operation.write-plan': 'write-plan writes or updates plan.md.',
    'PF.operation.read-plan': "read-plan answers the plan's status.",
    'PF.operation.read-config': 'read-config answers the configuration.',
    'PF.operation.get-references': 'get-references answers what references.md holds.',
    'PF.operation.write-references': 'write-references adds, updates or removes references.',
    'PF.operation.update-progress': 'update-progress moves a task and its phase on.',
  }),
  ...declare('source 4, request and response', 'plan-files', {
    'PF.request.pattern':
      'A request has from, to, handoff_id, operation, plan_directory and the data of its operation.',
    'PF.response.pattern': 'A response has from, to, handoff_id, status and the result of its operation.',
    'PF.response.swapped': "A response goes from plan-files-skill to the request's sender.",
    'PF.response.status': 'The top-level status is success or failed.',
  }),
  ...declare('source 4, error responses', 'plan-files', {
    'PF.error.file-not-found': 'A missing plan directory is answered with exactly the written file_not_found.',
    'PF.error.invalid-structure':
      'A plan without its progress table is answered with exactly the written invalid_structure.',
    'PF.error.parse-error': 'A wrong technology in config.md is answered with exactly the written parse_error.',
  }),
  ...declare('source 4, directory', 'plan-files', {
    'PF.directory.place': 'A plan is in .claude/plans/{task-name}, below a root that can be configured.',
    'PF.directory.task-name':
      'A task name is kebab-case of at most 50 characters; capitals, spaces, _ and / are refused.',
    'PF.directory.collision-asked':
      'An existing directory is answered with the question and three options; nothing changes.',
    'PF.directory.use-existing': 'use-existing resumes the plan and reports its status.',
    'PF.directory.create-new': 'create-new takes the next free suffix and reports the original name.',
    'PF.directory.replace': 'replace starts from an empty plan.',
  }),
  ...declare('source 4, plan.md', 'plan-files', {
    'PF.plan.form': 'plan.md is written in its documented form, and both forms of its title are read.',
    'PF.plan.phase-sets':
      'The phase sets of implementation, simple and plugin-development are known; others are accepted.',
    'PF.plan.numbering': 'Tasks are numbered through the plan; plans that restart in each phase are read too.',
    'PF.plan.sequential': 'Phases follow each other strictly.',
    'PF.plan.phase-completes': 'A phase completes when every checklist item of its tasks is ticked.',
    'PF.plan.moves-on': 'Completing the last task of a phase moves to the next phase and task, in table and heading.',
  }),
  ...declare('source 4, config.md and references.md', 'plan-files', {
    'PF.config.form': 'config.md is written and read in its documented form.',
    'PF.config.defaults': 'Absent settings have the documented defaults.',
    'PF.config.branch': 'An implementation plan is not on main or master, and pr-workflow needs a feature branch.',
    'PF.references.form':
      'references.md is written and read in its documented form, with both spellings of its headings.',
  }),
  ...declare('source 4, precise requests and answers', 'plan-files', {
    'PF.answer.create-directory': 'create-directory answers artifacts and an outcome created or resumed.',
    'PF.answer.read-plan': 'read-plan answers plan_status, phases and the tasks of the current phase.',
    'PF.answer.read-config': 'read-config answers the eight settings.',
    'PF.answer.get-references': 'get-references answers all seven groups.',
    'PF.answer.write-plan': 'write-plan takes plan_content and answers created or updated with the file.',
    'PF.answer.write-config': 'write-config takes the eight settings and answers created or updated with the file.',
    'PF.answer.write-references': 'write-references answers its changes and the counts of references.',
    'PF.answer.update-progress': 'update-progress answers plan_status and phase_status with a percentage.',
    'PF.answer.last-task': 'After the last task the answer says completed, the next phase, action and focus.',
    'PF.answer.handoff-id':
      "An answer takes the request's handoff_id with -002; errors are numbered error-001 onwards.",
    'PF.answer.repeat': 'An update that already took effect changes nothing and is not an error.',
    'PF.answer.other-phase': 'A task outside the current phase is a phase_transition_violation with what remains.',
    'PF.answer.error-types': 'Every error has one of the seven types, a failed or blocked task, and alternatives.',
    'PF.envelope.operation': 'A request with operation and plan_directory at the top is accepted.',
    'PF.envelope.artifacts': 'A request with artifacts.plan_directory names its operation by its handoff_id.',
    'PF.envelope.stdin': 'baton plan without an operation takes it from the message on stdin.',
    'PF.validate.codes': 'validate-plan, -config and -references report the documented codes, warnings apart.',
    'PF.validate.conflict': 'A merge conflict is reported with its line, and its document is not changed.',
  }),
  ...declare('source 4, TOON', 'plan-files', {
    'PF.toon.strict-writing': 'Every message that we write decodes with the official decoder in strict mode.',
    'PF.toon.lenient-reading': 'Messages with rows at the indent of their header are read, and the repair is reported.',
    'PF.toon.error-samples': "The source's own error samples are read.",
    'PF.toon.field-defects':
      'Two messages in a block, wrong counts, block text and count templates are repaired or refused.',
    'PF.toon.ambiguous-refused': 'What is ambiguous is refused.',
    'PF.toon.limits': 'Bytes, lines and depth are bounded before decoding.',
  }),
  ...declare('source 4, held cases', 'plan-files', {
    'PF.held.checklist-exact': 'A checklist item is matched exactly or by index: "Add" never ticks "Add tests".',
    'PF.held.checklist-characters': 'Items may hold commas, parentheses, backslashes and [x].',
    'PF.held.unknown-nothing-written':
      'An unknown phase or task, an empty phase, or a task elsewhere is an error; nothing is written.',
    'PF.held.counts-tasks': 'Task counts count tasks, not checklist items.',
    'PF.held.unknown-sections':
      'Sections that we do not know survive byte for byte; only the lines that must change do.',
    'PF.held.two-updates': 'Two concurrent updates both succeed, and no reader sees half a file.',
    'PF.held.outside-root': 'A plan_directory outside the root, or a link out of it, is refused.',
  }),
} as const;
