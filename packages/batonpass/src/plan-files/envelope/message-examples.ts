import type { MessageOperation } from './message-operations.ts';

const place = 'plan_directory: .claude/plans/my-feature/';

/** What each operation takes, every field of it once: shown where a request is not what it should be. */
const data: Readonly<Record<MessageOperation, string>> = {
  'create-directory': 'task_name: my-feature\ncollision: use-existing',
  'write-config': `${place}
configuration:
  plan_type: simple
  technology: javascript
  build_system: npm
  compatibility: deprecations
  commit_strategy: fine-granular
  finalizing: pr-workflow
  branch: feature/login
  issue: none`,
  'write-plan': `${place}
plan_content:
  title: Login form
  status: in_progress
  current_phase: init
  current_task: task-1
  phases[2]: init, execute
  tasks[2]:
    - id: task-1
      name: Agree on the form
      phase: init
      goal: Everybody knows what is built
      acceptance_criteria[1]: The team agreed
      checklist[2]: Ask the team, Write it down
    - name: Build the form
      phase: execute
      goal: People can log in`,
  'read-plan': place,
  'read-config': place,
  'get-references': place,
  'write-references': `${place}
action: add
reference_type: adr
reference_data:
  identifier: ADR-015
  title: Tokens
  path: doc/adr-015.md`,
  'update-progress': `${place}
update:
  task_id: task-1
  phase: init
  status: completed
  checklist_items[2]: 0, 1
files_created[1]: src/form.ts`,
  'validate-plan': place,
  'validate-config': place,
  'validate-references': place,
};

/** A whole message that asks for an operation. */
export function exampleOf(operation: MessageOperation): string {
  return `operation: ${operation}\n${data[operation]}\n`;
}
