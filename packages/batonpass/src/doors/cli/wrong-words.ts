import type { CommanderError } from 'commander';
import { HandoffError } from '../../core/errors.ts';
import type { Command } from './command.ts';
import { findCommandName, loadCommands } from './commands.ts';
import { groups } from './groups.ts';
import { missingValue } from './program.ts';

/** Words of other tools, which people try first, and the word of Baton for each. */
const meant: Readonly<Record<string, string>> = {
  '-v': 'The version: baton --version',
  version: 'The version: baton --version',
  install: 'Register Baton for the hosts of this project: baton init',
  setup: 'Register Baton for the hosts of this project: baton init',
  uninstall: 'Undo what init wrote: baton init --undo',
  undo: 'Undo what init wrote: baton init --undo · a handoff that was withdrawn: baton reopen ID',
  new: 'Hand work over: baton create --summary "…"',
  add: 'Hand work over: baton create --summary "…"',
  next: 'Take the oldest handoff: baton claim',
  take: 'Take the oldest handoff: baton claim',
  delete: 'Withdraw a handoff that nobody holds: baton withdraw ID',
  remove: 'Withdraw a handoff that nobody holds: baton withdraw ID',
  rm: 'Withdraw a handoff that nobody holds: baton withdraw ID',
  done: 'Confirm that you took a handoff over: baton ack ID --token TOKEN',
  history: 'Who did what, when and why: baton log',
  ui: 'Show the store in the browser: baton studio',
  serve: 'Show the store in the browser: baton studio',
};

/**
 * Commander's complaint as an error of Baton: what is wrong, in which command, and where the right form is documented.
 *
 * @param naming - the words that can name a command.
 */
export async function explainComplaint(
  { message, code }: CommanderError,
  naming: readonly string[],
): Promise<HandoffError> {
  if (message === '(outputHelp)') return noSuchCommand();
  const [what = '', guess = ''] = message.replace(/^error: /, '').split('\n');
  const quoted = what.match(/'([^']+)'/)?.[1] ?? '';
  if (code === 'commander.optionMissingArgument') {
    return missingValue(what.match(/(--[a-z-]+)/)?.[1] ?? quoted, howItIsRight(naming));
  }
  if (code === 'commander.missingArgument') return missingArgument(quoted, naming);
  const known = Object.hasOwn(meant, quoted) ? meant[quoted] : undefined;
  return new HandoffError('invalid_input', `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`, {
    details: { code },
    alternatives: [known ?? guess.replace(/^\(|\)$/g, ''), howItIsRight(naming)].filter((line) => line !== ''),
  });
}

/** Which argument of which command is absent, and what it is. */
async function missingArgument(argument: string, naming: readonly string[]): Promise<HandoffError> {
  const command = await findCommand(naming);
  const what = command?.arguments?.find(({ flags }) => flags.includes(argument))?.description;
  const name = command?.name ?? naming[0];
  return new HandoffError('invalid_input', `${name} needs <${argument}>${what === undefined ? '' : `: ${what}`}.`, {
    details: { code: 'commander.missingArgument', argument },
    alternatives: [...(argument === 'id' ? ['List them: baton list'] : []), howItIsRight(naming)],
  });
}

/**
 * A refused input in the words of the command line: it names an argument or an option, not a field of an
 * operation. Any other error stays as it is.
 */
export async function explainRefusal(error: HandoffError, naming: readonly string[]): Promise<HandoffError> {
  const { issues } = error.details as { issues?: readonly { field: string; reason: string }[] };
  const command = await findCommand(naming);
  if (error.code !== 'invalid_input' || issues === undefined || command === undefined) return error;
  const [first, ...others] = issues.map(({ field, reason }) => `${wordOf(field, command)}: ${reason}`);
  return new HandoffError('invalid_input', `${command.name} cannot take this: ${first}.`, {
    details: error.details,
    alternatives: [...others.slice(0, 4), howItIsRight(naming)],
  });
}

/** The argument or option that a field was given by; else the field. */
function wordOf(field: string, { arguments: given = [], options = [] }: Command): string {
  const last =
    field
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? '';
  const own = last.replaceAll('_', '-');
  if (given.some(({ flags }) => flags.replace(/[<>[\].]/g, '') === own)) return `<${own}>`;
  const words = options.map(({ flags, field: named }) => ({ named, word: /--[\w-]+/.exec(flags)?.[0] }));
  return words.find(({ named, word }) => named === last || word === `--${own}`)?.word ?? field;
}

async function findCommand(naming: readonly string[]): Promise<Command | undefined> {
  const name = findCommandName(naming);
  return name === undefined ? undefined : (await loadCommands([name]))[0];
}

function howItIsRight(naming: readonly string[]): string {
  const group = [naming.slice(0, 2).join(' '), naming[0] ?? ''].find((name) => Object.hasOwn(groups, name));
  const name = findCommandName(naming) ?? group;
  return name === undefined ? 'See all commands: baton help all' : `See its usage: baton ${name} --help`;
}

/** The error where help is asked for an unknown command; commander reports only that it shows its own help. */
function noSuchCommand(): HandoffError {
  return new HandoffError('invalid_input', 'There is no such command.', {
    alternatives: ['See all commands: baton help all'],
  });
}
