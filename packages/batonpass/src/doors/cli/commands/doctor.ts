import { defineCommand } from '../command.ts';
import { presentFinding, presentTally } from '../present/findings.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Try out what hosts run here, and find what keeps handoffs from arriving',
  options: [
    { flags: '--live', description: 'instead, one turn of each installed host’s own program, without an account' },
  ],
  examples: [
    { line: 'baton doctor', what: 'what works, what does not, why, and what to do' },
    { line: 'baton doctor --json', what: 'the same for programs' },
    { line: 'baton doctor --live', what: 'whether the hosts that are installed take a handoff, and prove it' },
    { line: 'baton doctor && echo fine', what: 'exit code 1 where something does not work' },
  ],
  operation: 'project.diagnose',
  toInput: ({ options }) => ({ live: options.live === true }),
  isNo: ({ problems }) => problems > 0,
  tellsEach: true,
  present: ({ findings }, view) => findings.map((finding) => presentFinding(finding, view)).join('\n'),
  remark: presentTally,
});
