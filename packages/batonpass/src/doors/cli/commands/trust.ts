import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand } from '../command.ts';
import { visible, wrapped } from '../present/view.ts';

type Trust = OperationOutput<'project.trust'>;

export const trust = defineCommand({
  name: 'trust',
  summary: 'See the settings that this repository brings, and let them take effect',
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
      ? [`→ Until a value changes. To take it back, remove ${visible(kept_in)}`]
      : [
          '! Nothing is trusted: a person decides, at a terminal.',
          '→ Or set what you want yourself, by BATON_ variables or in ~/.config/baton/config.json',
        ];
    return lines.map((line) => wrapped(line, view.width, '  ')).join('\n');
  },
});

function stateOf({ file, trusted }: Trust): string {
  if (file === null) return 'This repository brings no settings.';
  return trusted ? `${file} is trusted: its values take effect.` : `${file} is not trusted: it may only allow less.`;
}

function presentValues(answer: Trust): string {
  const width = Math.max(0, ...answer.values.map(({ name }) => visible(name).length));
  const lines = answer.values.map(
    ({ name, value }) => `  ${visible(name).padEnd(width)}  ${visible(JSON.stringify(value))}`,
  );
  return [stateOf(answer), ...lines].join('\n');
}
