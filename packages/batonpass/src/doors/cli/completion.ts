import { HandoffError } from '../../core/errors.ts';
import { commands } from './commands.ts';
import { groups, splitName } from './groups.ts';
import type { LocalCommand } from './program.ts';
import { write } from './write.ts';

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Prints a shell's completion script, made from the table of commands. */
export const completion: LocalCommand = {
  name: 'completion',
  arguments: '<shell>',
  summary: 'Print completion for bash, zsh or fish: source <(baton completion bash)',
  run: async (given) => {
    const shell = given.arguments[0] ?? '';
    if (!(shell in shells)) {
      throw new HandoffError('invalid_input', `There is no completion for "${shell}".`, {
        alternatives: Object.keys(shells).map((name) => `baton completion ${name}`),
      });
    }
    await write(process.stdout, shells[shell as keyof typeof shells]());
  },
};

const longFlags = (flags: readonly { flags: string }[] = []) =>
  flags.map((option) => option.flags.match(/--[a-z-]+/)?.[0] ?? '').filter((flag) => flag !== '');

/** The commands that are no operations; their summaries stand in the help. */
const locals = ['review', 'studio', 'mcp', 'hook', 'demo', 'completion'];

const globalFlags = ['--json', '--cwd', '--store', '--as', '--key', '--help'];

/** The words that a command line can begin with, each with its summary. */
function listFirstWords(): { word: string; summary: string }[] {
  const words = commands.map(({ name, summary }) => {
    const { group, own } = splitName(name);
    const first = group?.split(' ')[0];
    return first === undefined ? { word: own, summary } : { word: first, summary: groups[first] ?? '' };
  });
  return words.filter(({ word }, index) => words.findIndex((each) => each.word === word) === index);
}

/** The commands of a group, by their own words; of none, those that stand alone. */
function listCommands(wanted: string | undefined) {
  const direct = commands.flatMap(({ name, summary, options }) => {
    const { group, own } = splitName(name);
    return group === wanted ? [{ word: own, summary, flags: [...longFlags(options), ...globalFlags] }] : [];
  });
  return wanted === undefined ? direct : [...direct, ...listGroupsIn(wanted)];
}

/** A group in a group is completed by the words of its commands. */
function listGroupsIn(wanted: string): { word: string; summary: string; flags: string[] }[] {
  return Object.entries(groups).flatMap(([name, summary]) => {
    const { group, own } = splitName(name);
    return group === wanted ? [{ word: own, summary, flags: wordsOf(name).split(' ') }] : [];
  });
}

const groupNames = Object.keys(groups).filter((name) => splitName(name).group === undefined);

const wordsOf = (group: string) =>
  listCommands(group)
    .map(({ word }) => word)
    .join(' ');

function bashScript(): string {
  const names = [...listFirstWords().map(({ word }) => word), ...locals].join(' ');
  const toCase = ({ word, flags }: { word: string; flags: string[] }) => `${word}) words="${flags.join(' ')}" ;;`;
  const cases = listCommands(undefined).map((command) => `    ${toCase(command)}`);
  const nested = groupNames.map(
    (group) => `    ${group})
      case "\${COMP_WORDS[2]}" in
${listCommands(group)
  .map((command) => `        ${toCase(command)}`)
  .join('\n')}
      esac
      [ "$COMP_CWORD" -eq 2 ] && words="${wordsOf(group)}" ;;`,
  );
  return `_baton() {
  local words
  case "\${COMP_WORDS[1]}" in
${[...cases, ...nested].join('\n')}
    *) words="${names} ${globalFlags.join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${names}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _baton baton
`;
}

const inQuotes = (text: string) => text.replaceAll("'", '’');

function zshScript(): string {
  const described = listFirstWords().map(({ word, summary }) => `    '${word}:${inQuotes(summary)}'`);
  const toCase = ({ word, flags }: { word: string; flags: string[] }) => `${word}) compadd -- ${flags.join(' ')} ;;`;
  const cases = listCommands(undefined).map((command) => `    ${toCase(command)}`);
  const nested = groupNames.map(
    (group) => `    ${group})
      if (( CURRENT == 3 )); then compadd -- ${wordsOf(group)}; return; fi
      case "$words[3]" in
${listCommands(group)
  .map((command) => `        ${toCase(command)}`)
  .join('\n')}
      esac ;;`,
  );
  return `#compdef baton
_baton() {
  local -a names
  names=(
${[...described, ...locals.map((name) => `    ${name}`)].join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command names; return; fi
  case "$words[2]" in
${[...cases, ...nested].join('\n')}
  esac
  _files
}
compdef _baton baton
`;
}

function fishScript(): string {
  const complete = (condition: string, rest: string) => `complete -c baton -n '${condition}' ${rest}`;
  const first = listFirstWords().map(({ word, summary }) =>
    complete('__fish_use_subcommand', `-a ${word} -d '${inQuotes(summary)}'`),
  );
  const others = locals.map((name) => complete('__fish_use_subcommand', `-a ${name}`));
  // A word can be a command and, after its group, another one.
  const alone = listCommands(undefined).flatMap(({ word, flags }) =>
    flags.map((flag) => complete(`__fish_seen_subcommand_from ${word}${notInGroups}`, `-l ${flag.slice(2)}`)),
  );
  const nested = groupNames.flatMap((group) => [
    ...listCommands(group).map(({ word, summary }) =>
      complete(
        `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${wordsOf(group)}`,
        `-a ${word} -d '${inQuotes(summary)}'`,
      ),
    ),
    ...listCommands(group).flatMap(({ word, flags }) =>
      flags.map((flag) =>
        complete(
          `__fish_seen_subcommand_from ${group}; and __fish_seen_subcommand_from ${word}`,
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-a ${flag}`,
        ),
      ),
    ),
  ]);
  return `${[...first, ...others, ...alone, ...nested].join('\n')}\n`;
}

const notInGroups = groupNames.map((group) => `; and not __fish_seen_subcommand_from ${group}`).join('');
