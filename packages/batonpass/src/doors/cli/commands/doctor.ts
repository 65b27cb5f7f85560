import { defineCommand } from '../command.ts';
import { presentFinding, presentTally } from '../present/findings.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Try out what hosts run here, and find what keeps handoffs from arriving',
  examples: [
    { line: 'baton doctor', what: 'what works, what does not, why, and what to do' },
    { line: 'baton doctor --json', what: 'the same for programs' },
    { line: 'baton doctor && echo fine', what: 'exit code 1 where something does not work' },
  ],
  operation: 'project.diagnose',
  toInput: () => ({}),
  isNo: ({ problems }) => problems > 0,
  present: ({ findings }, view) => findings.map((finding) => presentFinding(finding, view)).join('\n'),
  remark: presentTally,
});
