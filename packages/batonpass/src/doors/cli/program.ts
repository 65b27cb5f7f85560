import { Option, Command as Program } from 'commander';
import { HandoffError } from '../../core/errors.ts';
import { version } from '../../version.ts';
import type { Command, CommandOption, Given } from './command.ts';
import { commands } from './commands.ts';
import { groupDefaults, groups, splitName } from './groups.ts';

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

/** A command that is not an operation: it shows, prints or demonstrates. */
export interface LocalCommand {
  name: string;
  arguments?: string;
  summary: string;
  options?: readonly CommandOption[];
  run: (given: Given, globals: GlobalOptions) => Promise<void>;
}

/** What the grammar is built around. */
export interface ProgramParts {
  words: readonly string[];
  run: Runner;
  locals: readonly LocalCommand[];
  readStandardInput: Given['readStandardInput'];
  /** Takes help pages and the version. */
  writeOut: (text: string) => void;
}

/**
 * The command line's grammar, built from the table of commands. Only a command that is among the words is built whole:
 * of the others the help page needs name and summary.
 */
export function createProgram({ words, run, locals, readStandardInput, writeOut }: ProgramParts): Program {
  const program: Program = new Program('baton')
    .description('Passes work between AI agents so that nothing is lost.')
    .version(version, '-V, --version')
    .option('--json', 'print the answer as JSON')
    .option('--cwd <folder>', 'work in this folder')
    .option('--store <url>', 'sqlite:PATH or postgres://…; default: inside git, shared by all worktrees')
    .option('--as <name>', 'act as this agent (BATON_AGENT)')
    .option('--key <key>', 'idempotency key: a retry with it gives the first answer once more')
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: true,
      visibleGlobalOptions: (command) => (command.parent === null ? [] : program.options.slice()),
    })
    .showSuggestionAfterError()
    // What commander would print of an error is rendered as every other error is.
    .configureOutput({ writeErr: () => {}, writeOut })
    .exitOverride();
  for (const command of commands) {
    const sub = addCommand(program, command, isAsked(command, words));
    sub.action(async (...given: unknown[]) => {
      // An argument that may be given several times comes as a list.
      const texts = given.slice(0, command.arguments?.length ?? 0).flat() as (string | undefined)[];
      await run(command, { arguments: texts, options: sub.opts(), readStandardInput }, program.opts());
    });
  }
  for (const local of locals) {
    const sub = program
      .command(`${local.name}${local.arguments ? ` ${local.arguments}` : ''}`)
      .description(local.summary);
    for (const option of local.options ?? []) sub.addOption(toOption(option));
    sub.action(async (...words: unknown[]) => {
      const texts = local.arguments === undefined ? [] : [words[0] as string | undefined];
      await local.run({ arguments: texts, options: sub.opts(), readStandardInput }, program.opts());
    });
  }
  return program;
}

/**
 * The words with the default command where they name none. A group alone gets its own default where standard input is
 * not typed (`isTyped`), else `--help`. Commander's
 * own default would take a mistyped command for an argument of it, and could not say what was meant.
 */
export function withDefaultCommand(
  words: readonly string[],
  program: Program,
  { name, isTyped }: { name: string; isTyped: boolean },
): readonly string[] {
  if (words.some((word) => ['-h', '--help', '-V', '--version'].includes(word))) return words;
  const valued = program.options.filter((option) => option.required).map((option) => option.long);
  for (const [index, word] of words.entries()) {
    if (word === '--') break;
    const next = words[index + 1];
    if (valued.includes(word) && (next === undefined || next.startsWith('--'))) throw missingValue(word);
  }
  const isValue = (index: number) => index > 0 && valued.includes(words[index - 1]);
  const [first, ...others] = words.filter((word, index) => !word.startsWith('-') && !isValue(index));
  if (first === undefined) return [...words, name];
  const named = [first, ...others].join(' ');
  if (!(named in groups)) return words;
  const own = isTyped ? undefined : groupDefaults[named];
  return [...words, own ?? '--help'];
}

/** An option at the end of the words, or right before another one. */
export function missingValue(option: string): HandoffError {
  return new HandoffError('invalid_input', `The option ${option} needs a value.`, {
    details: { option },
    alternatives: ['See what it takes: baton --help, or baton COMMAND --help.'],
  });
}

function isAsked({ name, alias }: Command, words: readonly string[]): boolean {
  return name.split(' ').every((word) => words.includes(word)) || (alias !== undefined && words.includes(alias));
}

function addCommand(program: Program, command: Command, whole: boolean): Program {
  const { group, own } = splitName(command.name);
  const parent = group === undefined ? program : findGroup(program, group);
  const sub = parent.command(own).description(command.summary);
  if (command.alias !== undefined) sub.alias(command.alias);
  if (!whole) return sub;
  for (const { flags, description } of command.arguments ?? []) sub.argument(flags, description);
  for (const option of command.options ?? []) sub.addOption(toOption(option));
  sub.addHelpText('after', formatExamples(command));
  return sub;
}

/** A group without a command of it is no command: it shows what there is. A group can stand in another. */
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

function formatExamples({ examples }: Command): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, what }) => (what === '' ? `  ${line}` : `  ${line.padEnd(width)}  ${what}`));
  return `\nExamples:\n${lines.join('\n')}`;
}
