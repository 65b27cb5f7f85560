import { parseLease } from './duration.ts';
import type { LocalCommand } from './program.ts';

/**
 * Works off a queue without a person: claims a handoff, starts a host with its text as a part of the prompt, renews the
 * lease while the host runs, and acknowledges once the host's transcript shows the text; else it releases.
 *
 * Where it is killed, the lease lapses, and the next receiver gets the handoff.
 */
export function createRunCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'run',
    arguments: '<words...>',
    summary: 'Claim a handoff and run a host on it without a person: baton run -- claude -p "Go on."',
    options: [
      { flags: '--task <id>', description: 'from this queue' },
      { flags: '--kind <kind>', description: 'of this kind (context)' },
      { flags: '--id <id>', description: 'only this handoff' },
      {
        flags: '--lease <duration>',
        description: 'how long the lease runs between renewals, as 15m',
        parse: parseLease,
      },
    ],
    // Only this command loads what runs a host.
    run: async (given, place) => (await import('./run-host.ts')).runHost(given, place, signal),
  };
}
