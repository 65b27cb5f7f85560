import { HandoffError } from '../../core/errors.ts';
import type { LocalCommand } from './program.ts';
import { write } from './write.ts';

/**
 * Prints a shell's completion script, made from the table of commands.
 *
 * @param locals - the commands that are no operations, except this one.
 */
export function createCompletionCommand(locals: readonly LocalCommand[]): LocalCommand {
  const completion: LocalCommand = {
    name: 'completion',
    arguments: '<shell>',
    summary: 'Print completion for bash, zsh or fish: source <(baton completion bash)',
    run: async (given) => {
      const { completionScripts } = await import('./completion-scripts.ts');
      const shell = given.arguments[0] ?? '';
      if (!Object.hasOwn(completionScripts, shell)) {
        throw new HandoffError('invalid_input', `There is no completion for "${shell}".`, {
          alternatives: Object.keys(completionScripts).map((name) => `baton completion ${name}`),
        });
      }
      const script = completionScripts[shell as keyof typeof completionScripts];
      await write(process.stdout, await script([...locals, completion]));
    },
  };
  return completion;
}
