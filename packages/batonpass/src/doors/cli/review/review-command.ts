import { HandoffError } from '../../../core/errors.ts';
import type { Baton } from '../../../operations/baton.ts';
import { EXIT_INTERRUPTED } from '../exit-codes.ts';
import type { LocalCommand } from '../program.ts';
import { write } from '../write.ts';

/** The review of a draft in a terminal, or with its words on standard input; loaded when it is asked for. */
export function createReviewCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'review',
    arguments: '[draft]',
    summary: 'Review a draft line by line, by default the newest; words on standard input do too',
    run: async ({ arguments: [id] }, { cwd, store, as, json }) => {
      const [{ environmentNaming, openBaton }, { review }, { openTalk }, { formatJson, noteIgnored }] =
        await Promise.all([
          import('../../../operations/baton.ts'),
          import('./review.ts'),
          import('./talk.ts'),
          import('../run-command.ts'),
        ]);
      const baton = await openBaton({
        cwd,
        environment: environmentNaming(store),
        agent: as,
        program: process.argv[1],
      });
      await noteIgnored(baton);
      // With JSON, standard output has one answer only.
      const output = json === true ? process.stderr : process.stdout;
      const talk = openTalk({ input: process.stdin, output, errors: process.stderr }, signal);
      try {
        const { code, handoff } = await review(baton, id ?? (await newestDraft(baton)), talk);
        process.exitCode = signal.aborted ? signal.reason : talk.isInterrupted() ? EXIT_INTERRUPTED : code;
        if (json === true) await write(process.stdout, formatJson({ handoff }));
      } finally {
        talk.close();
        await baton.close();
      }
    },
  };
}

/** @throws HandoffError `not_found` where there is no draft. */
async function newestDraft(baton: Baton): Promise<string> {
  const { handoffs } = await baton.handoff.list({ state: ['draft'], limit: 1 });
  const [draft] = handoffs;
  if (draft !== undefined) return draft.id;
  throw new HandoffError('not_found', `There is no draft in ${baton.context.project}.`, {
    details: { project: baton.context.project },
    alternatives: ['Make one from a conversation: baton import --last', 'See what there is: baton list'],
  });
}
