import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { factsOf, processOf } from './session-facts.ts';
import { sessionSchema } from './session-input.ts';
import { takeNotice } from './session-notices.ts';
import { startSaves, workOnSaves } from './session-saves.ts';

/** An event of a session that is worth a save: recorded at once, and saved in the background. */
export const sessionNote = defineOperation({
  name: 'session.note',
  summary: 'Notes that a session of a host is to be saved, and starts the save in the background.',
  mutates: true,
  doors: { http: false },
  input: sessionSchema.extend({
    /** The host's event, as `Stop`. */
    event: z.string().min(1).max(100),
    /** Whether the session is over with it. */
    ended: z.boolean(),
    /** Whether the session loses its past now, and gets its own save back at the next prompt. */
    deferred: z.boolean().default(false),
    last_words: z.string().optional(),
  }),
  output: async () =>
    z.strictObject({
      noted: z.literal(true),
      /** One line for the person; empty where nothing is new. */
      notice: z.string(),
    }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ event, ended, deferred, last_words, ...given }, context: OperationContext) => {
    const sessions = hostSessionsOf(context);
    const now = new Date(context.now()).toISOString();
    const before = sessions.read(given.session);
    const process = processOf(given, before, context);
    const facts = factsOf(given, process, context);
    sessions.write({
      ...facts,
      process,
      seen_at: now,
      ...(ended ? { ended_at: now } : {}),
      deferred: deferred ? 'compact' : before?.deferred,
      received: before?.received ?? [],
    });
    // Masked whole, because a secret that is cut is no longer recognised.
    const words = last_words === undefined ? undefined : maskSecrets(last_words).text;
    const kept = words?.slice(-limits.last_words_characters_max).toWellFormed();
    sessions.writeJob({ ...facts, event, asked_at: now, last_words: kept, ended });
    await startSaves(context);
    return { noted: true as const, notice: ended ? '' : takeNotice(given.session, context) };
  },
});

/** Does the work that hooks left to be done. */
export const sessionWork = defineOperation({
  name: 'session.work',
  summary: 'Does the saves that hooks of this project asked for.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({}),
  output: async () => z.strictObject({ handoff_ids: z.array(z.string()) }),
  errors: ['invalid_input', 'too_large', 'conflict', 'unavailable'],
  run: async (_input, context: OperationContext) => ({ handoff_ids: await workOnSaves(context) }),
});
