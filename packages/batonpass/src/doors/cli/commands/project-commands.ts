import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand } from '../command.ts';
import { counted } from '../present/plural.ts';
import { type View, visible, wrapped } from '../present/view.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Test what hosts run here, and find what keeps handoffs from arriving',
  options: [
    { flags: '--live', description: 'instead, one turn of each installed host’s own program, without an account' },
  ],
  examples: [
    { line: 'baton doctor', what: 'what works, what does not, why, and what to do' },
    { line: 'baton doctor --json', what: 'the same for programs' },
    { line: 'baton doctor --live', what: 'whether the installed hosts receive a handoff, and prove it' },
    { line: 'baton doctor && echo fine', what: 'exit code 1 where something does not work' },
  ],
  operation: 'project.diagnose',
  toInput: ({ options }) => ({ live: options.live === true }),
  isNo: ({ problems }) => problems > 0,
  tellsEach: true,
  present: ({ findings }, view) => findings.map((finding) => presentFinding(finding, view)).join('\n'),
  remark: presentTally,
});

type Diagnosis = OperationOutput<'project.diagnose'>;

type Finding = Diagnosis['findings'][number];

const marks = {
  ok: { mark: '✓', colour: 'green' },
  warning: { mark: '!', colour: 'yellow' },
  problem: { mark: '✗', colour: 'red' },
} as const;

const indent = '  ';

/** One line for a finding that is well; for any other the fact, the reason and the next step. */
function presentFinding({ level, what, why, next }: Finding, view: View): string {
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
function presentTally({ findings, problems, warnings }: Diagnosis, view: View): string {
  const all = counted(findings.length, 'check');
  if (problems === 0 && warnings === 0) return view.style('green', `${all}: all is well.`);
  const parts = [
    ...(problems > 0 ? [counted(problems, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return `${all}: ${parts.join(' and ')}.`;
}

type Trust = OperationOutput<'project.trust'>;

export const trust = defineCommand({
  name: 'trust',
  summary: 'Show the settings of this repository, and trust them',
  examples: [
    { line: 'baton trust', what: 'shows every value, then asks; only at a terminal' },
    { line: 'baton trust --json', what: 'the values for programs; nothing is trusted' },
  ],
  operation: 'project.trust',
  toInput: () => ({}),
  confirm: {
    isWanted: () => true,
    rehearse: (input) => input,
    agree: (input, { trusted, values_sha256 }) =>
      trusted || values_sha256 === null ? null : { ...input, values_sha256 },
    question: 'Let these values take effect?',
    refused: 'Nothing is trusted.',
  },
  isNo: ({ file, trusted }) => file !== null && !trusted,
  present: (answer, view) => (view.options.confirmed === true ? stateOf(answer) : presentValues(answer)),
  remark: ({ file, trusted, kept_in }, view) => {
    if (file === null) return '';
    const lines = trusted
      ? [`→ This holds until a value changes. To revoke it, remove ${visible(kept_in)}`]
      : [
          '! Nothing is trusted: a person decides, at a terminal.',
          '→ Or set what you want yourself, by BATON_ variables or in ~/.config/baton/config.json',
        ];
    return lines.map((line) => wrapped(line, view.width, '  ')).join('\n');
  },
});

function stateOf({ file, trusted }: Trust): string {
  if (file === null) return 'This repository has no settings.';
  return trusted ? `${file} is trusted: its values take effect.` : `${file} is not trusted: it can only restrict.`;
}

function presentValues(answer: Trust): string {
  const width = Math.max(0, ...answer.values.map(({ name }) => visible(name).length));
  const lines = answer.values.map(
    ({ name, value }) => `  ${visible(name).padEnd(width)}  ${visible(JSON.stringify(value))}`,
  );
  return [stateOf(answer), ...lines].join('\n');
}
