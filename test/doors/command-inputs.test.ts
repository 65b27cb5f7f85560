import { expect, onTestFinished, vi } from 'vitest';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import type { Command, CommandOption, Given } from '../../packages/batonpass/src/doors/cli/command.ts';
import { loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import { verifies } from '../verifies.ts';

/** Texts for the values of options: each option gets the first ones that it takes. */
const samples = [
  ...[
    '2h',
    '7',
    'open',
    'claimed',
    'claude-code',
    'T1.1=done',
    'phase=build',
    'json',
    'high',
    'mcp',
    'toon',
    'completed',
  ],
  ...['plan', 'add', 'agent', '2026-11-20T12:00:00Z', 'words of it', 'src/a.ts', '{"a":1}'],
];

/** What a person may send on standard input. */
const inputs = {
  'no input': '',
  'a content': '{"summary":"Go on","decisions":[{"content":"Use SQLite"}]}',
  words: 'Go on.',
};

/** The name under which commander gives an option, and the values that it can have. */
function valuesOf({ flags, many, parse }: CommandOption): [name: string, values: unknown[]] {
  const [, no, word = '', value] = /--(no-)?([a-z-]+)(?: (.*))?$/.exec(flags) ?? [];
  const name = word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (value === undefined) return [name, [no === undefined]];
  const taken = samples.flatMap((sample) => {
    try {
      return [parse === undefined ? sample : parse(sample)];
    } catch {
      return [];
    }
  });
  const whole = many === true ? [taken.slice(0, 2)] : taken.slice(0, 1);
  return [name, value.startsWith('[') ? [true, ...whole] : whole];
}

const give = (
  words: readonly (string | undefined)[],
  options: Given['options'] = {},
  input = inputs['a content'],
): Given => ({
  arguments: words,
  options,
  readStandardInput: async () => input,
});

/** The words that a command is given, and what it makes of them. */
async function* tellCases(command: Command): AsyncIterable<[title: string, told: string]> {
  const { options = [], arguments: names = [] } = command;
  const places = names.map((_, at) => ['one', 'two', 'three'][at]);
  const alone = [[], ['-', ...places.slice(1)], places];
  for (const words of alone) {
    for (const [title, input] of Object.entries(inputs)) {
      yield [`${words.join(' ') || 'nothing'}, ${title}`, await tell(command, give(words, {}, input))];
    }
  }
  // Options show what they do only with words that are enough.
  const told = await Promise.all(alone.map((words) => tell(command, give(words))));
  const words = alone[told.findLastIndex((text) => text.startsWith('{'))] ?? [];
  const values = options.map(valuesOf);
  for (const [name, all] of values) {
    for (const value of all) {
      yield [`${name} ${JSON.stringify(value)}`, await tell(command, give(words, { [name]: value }))];
    }
  }
  const first = Object.fromEntries(values.map(([name, [value]]) => [name, value]));
  yield ['all options', await tell(command, give(words, first))];
}

/** What a command makes of its words: the input of its operation, or an error. */
async function tell(command: Command, given: Given): Promise<string> {
  try {
    const chosen = command.instead?.(given) ?? command;
    const input = await chosen.toInput(given);
    const asks =
      chosen.confirm?.isWanted(given) === true ? ` asks, after ${JSON.stringify(chosen.confirm.rehearse(input))}` : '';
    const progress = chosen.progress?.(given);
    const other = chosen === command ? '' : ` by ${chosen.name}`;
    return `${JSON.stringify(input)}${other}${asks}${progress === undefined ? '' : ` shows ${progress}`}`;
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

verifies(['CLI.run'], 'the words of every command become the input that is kept on file', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  for (const command of await loadCommands()) {
    lines.push(`baton ${command.name}`);
    let last = '';
    for await (const [title, told] of tellCases(command)) {
      // Most words change one field: a line that tells nothing new is not kept.
      if (told !== last) lines.push(`  ${title}: ${told}`);
      last = told;
    }
  }
  // A change that is wanted: `npx vitest run test/doors/command-inputs.test.ts --update`, and read the difference.
  await expect(`${lines.join('\n')}\n`.replaceAll(process.cwd(), '.')).toMatchFileSnapshot(
    '__fixtures__/command-inputs.txt',
  );
});
