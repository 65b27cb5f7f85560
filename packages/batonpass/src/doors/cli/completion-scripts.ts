import type { Command } from './command.ts';
import { aliases, loadCommands } from './commands.ts';
import { groups, splitName } from './groups.ts';
import type { LocalCommand } from './program.ts';

/** The script of each shell, made from the table of commands and the local commands, which are no operations. */
export const completionScripts = {
  bash: async (locals: readonly LocalCommand[]) => bashScript(await loadWords(locals)),
  zsh: async (locals: readonly LocalCommand[]) => zshScript(await loadWords(locals)),
  fish: async (locals: readonly LocalCommand[]) => fishScript(await loadWords(locals)),
} as const;

const longFlags = (flags: readonly { flags: string }[] = []) =>
  flags.map((option) => option.flags.match(/--[a-z-]+/)?.[0] ?? '').filter((flag) => flag !== '');

const globalFlags = ['--json', '--cwd', '--store', '--as', '--key', '--help'];

/** The one command whose argument has a fixed set of values. */
const shellsOf = (name: string) => (name === 'completion' ? Object.keys(completionScripts) : []);

interface Described {
  word: string;
  summary: string;
}

/** What the scripts offer. */
interface OfferedWords {
  /** The words that a command line can begin with. */
  first: readonly Described[];
  /** The commands of a group, by their own words; without a group, the commands of one word. */
  of: (group: string | undefined) => readonly (Described & { flags: readonly string[] })[];
}

/** What a script contains about a command. */
type CompletedCommand = Pick<Command, 'name' | 'summary' | 'options'>;

async function loadWords(locals: readonly LocalCommand[]): Promise<OfferedWords> {
  const known: readonly CompletedCommand[] = [...(await loadCommands()), ...locals];
  const short = Object.entries(aliases).flatMap(([alias, name]) =>
    known.filter((each) => each.name === name).map((each) => ({ ...each, name: alias })),
  );
  const commands = [...known, ...short];
  const listDirect = (wanted: string | undefined) =>
    commands.flatMap(({ name, summary, options }) => {
      const { group, own } = splitName(name);
      return group === wanted
        ? [{ word: own, summary, flags: [...shellsOf(name), ...longFlags(options), ...globalFlags] }]
        : [];
    });
  // A group in a group is completed by the words of its commands.
  const listGroupsIn = (wanted: string) =>
    Object.entries(groups).flatMap(([name, summary]) => {
      const { group, own } = splitName(name);
      return group === wanted ? [{ word: own, summary, flags: listDirect(name).map(({ word }) => word) }] : [];
    });
  return {
    first: listFirstWords(commands),
    of: (wanted) => (wanted === undefined ? listDirect(wanted) : [...listDirect(wanted), ...listGroupsIn(wanted)]),
  };
}

function listFirstWords(commands: readonly CompletedCommand[]): Described[] {
  const words = commands.map(({ name, summary }) => {
    const { group, own } = splitName(name);
    const first = group?.split(' ')[0];
    return first === undefined ? { word: own, summary } : { word: first, summary: groups[first] ?? '' };
  });
  return words.filter(({ word }, index) => words.findIndex((each) => each.word === word) === index);
}

const groupNames = Object.keys(groups).filter((name) => splitName(name).group === undefined);

const wordsOf = (words: OfferedWords, group: string) =>
  words
    .of(group)
    .map(({ word }) => word)
    .join(' ');

function bashScript(words: OfferedWords): string {
  const names = [...words.first.map(({ word }) => word), 'help'].join(' ');
  const toCase = ({ word, flags }: { word: string; flags: readonly string[] }) =>
    `${word}) words="${flags.join(' ')}" ;;`;
  const cases = words.of(undefined).map((command) => `    ${toCase(command)}`);
  const nested = groupNames.map(
    (group) => `    ${group})
      case "\${COMP_WORDS[2]}" in
${words
  .of(group)
  .map((command) => `        ${toCase(command)}`)
  .join('\n')}
      esac
      [ "$COMP_CWORD" -eq 2 ] && words="${wordsOf(words, group)}" ;;`,
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

function zshScript(words: OfferedWords): string {
  const described = words.first.map(({ word, summary }) => `    '${word}:${inQuotes(summary)}'`);
  const toCase = ({ word, flags }: { word: string; flags: readonly string[] }) =>
    `${word}) compadd -- ${flags.join(' ')} ;;`;
  const cases = words.of(undefined).map((command) => `    ${toCase(command)}`);
  const nested = groupNames.map(
    (group) => `    ${group})
      if (( CURRENT == 3 )); then compadd -- ${wordsOf(words, group)}; return; fi
      case "$words[3]" in
${words
  .of(group)
  .map((command) => `        ${toCase(command)}`)
  .join('\n')}
      esac ;;`,
  );
  return `#compdef baton
_baton() {
  local -a names
  names=(
${described.join('\n')}
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

function fishScript(words: OfferedWords): string {
  const complete = (condition: string, rest: string) => `complete -c baton -n '${condition}' ${rest}`;
  const first = words.first.map(({ word, summary }) =>
    complete('__fish_use_subcommand', `-a ${word} -d '${inQuotes(summary)}'`),
  );
  // A word can be a command and, after its group, another one.
  const alone = words
    .of(undefined)
    .flatMap(({ word, flags }) =>
      flags.map((flag) => complete(`__fish_seen_subcommand_from ${word}${notInGroups}`, asOffered(flag))),
    );
  const nested = groupNames.flatMap((group) => [
    ...words
      .of(group)
      .map(({ word, summary }) =>
        complete(
          `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${wordsOf(words, group)}`,
          `-a ${word} -d '${inQuotes(summary)}'`,
        ),
      ),
    ...words
      .of(group)
      .flatMap(({ word, flags }) =>
        flags.map((flag) =>
          complete(`__fish_seen_subcommand_from ${group}; and __fish_seen_subcommand_from ${word}`, asOffered(flag)),
        ),
      ),
  ]);
  return `${[...first, ...alone, ...nested].join('\n')}\n`;
}

const notInGroups = groupNames.map((group) => `; and not __fish_seen_subcommand_from ${group}`).join('');

/** An option, or a word by itself, in the form that fish takes. */
const asOffered = (word: string) => (word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`);
