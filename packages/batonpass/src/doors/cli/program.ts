import { Help, Option, Command as Program } from 'commander';
import { HandoffError } from '../../core/errors.ts';
import { version } from '../../version.ts';
import type { Command, CommandOption, Given } from './command.ts';
import { aliases } from './commands.ts';
import { firstPageHeadingOf, groupDefaults, groups, splitName } from './groups.ts';
import { fold, formatExamples, helpLayout, helpWidth } from './help-layout.ts';

/** What every command takes. */
export interface GlobalOptions {
  json?: boolean;
  cwd?: string;
  store?: string;
  as?: string;
  key?: string;
}

/** Runs one command with the words given to it. */
export type Runner = (command: Command, given: Given, globals: GlobalOptions) => Promise<void>;

/** A command that is not an operation: it shows, prints or demonstrates something. */
export interface LocalCommand {
  name: string;
  arguments?: string;
  summary: string;
  options?: readonly CommandOption[];
  run: (given: Given, globals: GlobalOptions) => Promise<void>;
}

/** What the grammar is built from. */
export interface ProgramParts {
  /** The commands that the words ask for: the others are not loaded. */
  commands: readonly Command[];
  locals: readonly LocalCommand[];
  run: Runner;
  readStandardInput: Given['readStandardInput'];
}

/** The output of the grammar. */
export interface Printing {
  /** Receives help pages and the version. */
  writeOut: (text: string) => void;
  /** Whether the help page of `baton` itself shows every command, not only the first ones to learn. */
  showsAll: boolean;
}

/** The command line's grammar without commands: the options that every command takes. */
export function createProgram({ writeOut, showsAll }: Printing): Program {
  const help = new Help();
  const program: Program = new Program('baton')
    .description('Passes work between AI agents so that nothing is lost.')
    .version(version, '-V, --version')
    .option('--json', 'print the answer as JSON')
    .option('--cwd <folder>', 'work in this folder')
    .option('--store <url>', 'sqlite:PATH or postgres://…; default: inside git, shared by all worktrees')
    .option('--as <name>', 'act as this agent (BATON_AGENT)')
    .option('--key <key>', 'idempotency key: a retry with it returns the first answer')
    .configureHelp({
      ...helpLayout,
      sortSubcommands: false,
      visibleCommands: (command) =>
        help
          .visibleCommands(command)
          .filter((each) => showsAll || command.parent !== null || firstPageHeadingOf(each.name()) !== undefined),
      showGlobalOptions: true,
      visibleGlobalOptions: (command) => (command.parent === null ? [] : program.options.slice()),
    })
    .commandsGroup('Further commands:')
    .showSuggestionAfterError()
    // Errors of commander are rendered like every other error.
    .configureOutput({ writeErr: () => {}, writeOut, getOutHelpWidth: helpWidth })
    .exitOverride();
  const more = showsAll ? '' : 'All commands: baton help all\n';
  program.helpCommand('help [command]', 'Show the usage of a command; of all commands: baton help all');
  return program.addHelpText('after', `\n${more}${fold('One of them, with examples: baton COMMAND --help')}`);
}

/** Adds the commands to the grammar, in the order of the help page. */
export function addCommands(program: Program, { commands, locals, run, readStandardInput }: ProgramParts): void {
  const isFurther = ({ name }: Command) => Number(firstPageHeadingOf(name) === undefined);
  for (const command of commands.toSorted((left, right) => isFurther(left) - isFurther(right))) {
    const sub = addCommand(program, command);
    sub.action(async (...given: unknown[]) => {
      // An argument that may be given several times is a list.
      const texts = given.slice(0, command.arguments?.length ?? 0).flat() as (string | undefined)[];
      await run(command, { arguments: texts, options: sub.opts(), readStandardInput }, program.opts());
    });
  }
  for (const local of locals) {
    const sub = program
      .command(`${local.name}${local.arguments ? ` ${local.arguments}` : ''}`)
      .description(local.summary);
    place(sub);
    for (const option of local.options ?? []) sub.addOption(toOption(option));
    sub.action(async (...words: unknown[]) => {
      const texts = local.arguments === undefined ? [] : ([words[0]].flat() as (string | undefined)[]);
      await local.run({ arguments: texts, options: sub.opts(), readStandardInput }, program.opts());
    });
  }
}

/** The words that can name a command: without options, and without what the options before a command take. */
export function namingWords(words: readonly string[], program: Program): readonly string[] {
  const valued = valuedOptions(program);
  return words.filter((word, index) => !word.startsWith('-') && !valued.includes(words[index - 1]));
}

/** Options of the program itself that need a value. */
function valuedOptions({ options }: Program): readonly (string | undefined)[] {
  return options.filter((option) => option.required).map((option) => option.long);
}

/**
 * The words, with the default command where they name none. A group alone gets its own default where standard input is
 * not typed (`isTyped`), else `--help`. Commander's own default would read a mistyped command as an argument of it, and
 * could not suggest the right command.
 */
export function withDefaultCommand(
  words: readonly string[],
  program: Program,
  { name, isTyped }: { name: string; isTyped: () => boolean },
): readonly string[] {
  if (words.some((word) => ['-h', '--help', '-V', '--version'].includes(word))) return words;
  const valued = valuedOptions(program);
  for (const [index, word] of words.entries()) {
    if (word === '--') break;
    const next = words[index + 1];
    if (valued.includes(word) && (next === undefined || next.startsWith('--'))) throw missingValue(word);
  }
  const naming = namingWords(words, program);
  if (naming.length === 0) return [...words, name];
  const named = naming.join(' ');
  if (!Object.hasOwn(groups, named)) return words;
  const own = groupDefaults[named];
  return [...words, own === undefined || isTyped() ? '--help' : own];
}

/** An option at the end of the words, or right before another one. */
export function missingValue(
  option: string,
  how = 'See the usage: baton --help, or baton COMMAND --help.',
): HandoffError {
  return new HandoffError('invalid_input', `The option ${option} needs a value.`, {
    details: { option },
    alternatives: [how],
  });
}

function addCommand(program: Program, command: Command): Program {
  const { group, own } = splitName(command.name);
  const parent = group === undefined ? program : findGroup(program, group);
  const sub = parent.command(own).description(command.summary);
  if (group === undefined) place(sub);
  for (const [alias, name] of Object.entries(aliases)) if (name === command.name) sub.alias(alias);
  for (const { flags, description } of command.arguments ?? []) sub.argument(flags, description);
  for (const option of command.options ?? []) sub.addOption(toOption(option));
  sub.addHelpText('after', () => formatExamples(command));
  return sub;
}

function place(command: Program): void {
  const heading = firstPageHeadingOf(command.name());
  if (heading !== undefined) command.helpGroup(heading);
}

/** A group without a command shows its commands. A group can be in another group. */
function findGroup(program: Program, name: string): Program {
  const { group, own } = splitName(name);
  const parent = group === undefined ? program : findGroup(program, group);
  const known = parent.commands.find((each) => each.name() === own);
  return known ?? parent.command(own).description(groups[name] ?? '');
}

function toOption({ flags, description, many, parse }: CommandOption): Option {
  const option = new Option(flags, description);
  if (many === true) {
    return option.argParser((text: string, earlier: unknown[] | undefined) => [
      ...(earlier ?? []),
      parse?.(text) ?? text,
    ]);
  }
  return parse === undefined ? option : option.argParser((text: string) => parse(text));
}
