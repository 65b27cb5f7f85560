import { HandoffError } from '../../core/errors.ts';
import { defaultHost, hostNames, isHostName } from '../../core/hosts.ts';
import type { LocalCommand } from './program.ts';
import { write } from './write.ts';

/**
 * The command that hosts call at their events. It always exits with 0: to a host, code 2 would mean "stop the user".
 * `baton doctor` reports what failed.
 */
export const hook: LocalCommand = {
  name: 'hook',
  arguments: '[event]',
  summary: 'Answer a host’s hook; `baton init` registers it',
  options: [{ flags: '--host <host>', description: `the host that asks: ${hostNames.join(', ')} (${defaultHost})` }],
  run: async (given) => {
    const { host = defaultHost } = given.options as { host?: string };
    if (!isHostName(host)) {
      throw new HandoffError('invalid_input', `No host is called "${host}"; there are ${hostNames.join(' and ')}.`, {
        alternatives: ['Register the hooks again: baton init --only hooks'],
      });
    }
    const { runHook } = await import('../hooks/run-hook.ts');
    const { output, remark } = await runHook({
      event: given.arguments[0],
      host,
      // At a terminal nobody sends a payload.
      readStandardInput: () => (process.stdin.isTTY ? Promise.resolve('') : given.readStandardInput()),
      environment: process.env,
      cwd: process.cwd(),
      program: process.argv[1] ?? '',
    });
    await write(process.stderr, remark).catch(() => false);
    await write(process.stdout, output);
    // What still runs after a failure, as a wait for a store, must not delay the host.
    if (remark !== '') process.exit();
  },
};
