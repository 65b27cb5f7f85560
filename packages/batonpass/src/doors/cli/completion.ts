import { HandoffError } from '../../core/errors.ts';
import { commands } from './commands.ts';
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
const locals = ['mcp', 'hook', 'demo', 'completion'];

const globalFlags = ['--json', '--cwd', '--store', '--as', '--key', '--help'];

function bashScript(): string {
  const names = [...commands.map(({ name }) => name), ...locals].join(' ');
  const cases = commands.map(
    ({ name, options }) => `    ${name}) words="${[...longFlags(options), ...globalFlags].join(' ')}" ;;`,
  );
  return `_baton() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${names} ${globalFlags.join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${names}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _baton baton
`;
}

function zshScript(): string {
  const described = commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", '’')}'`);
  const cases = commands.map(
    ({ name, options }) => `    ${name}) compadd -- ${[...longFlags(options), ...globalFlags].join(' ')} ;;`,
  );
  return `#compdef baton
_baton() {
  local -a names
  names=(
${[...described, ...locals.map((name) => `    ${name}`)].join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command names; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
compdef _baton baton
`;
}

function fishScript(): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c baton -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '’')}'`,
    ...longFlags(options).map(
      (flag) => `complete -c baton -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`,
    ),
  ]);
  const others = locals.map((name) => `complete -c baton -n __fish_use_subcommand -a ${name}`);
  return `${[...lines, ...others].join('\n')}\n`;
}
