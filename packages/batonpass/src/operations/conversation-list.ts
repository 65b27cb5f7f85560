import { z } from 'zod';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { listProjectSessions } from './project-sessions.ts';

/** The sessions of agents that worked in this project, on this machine. */
export const conversationList = defineOperation({
  name: 'conversation.list',
  summary: 'Finds the transcripts of agents that worked in this project, newest first.',
  mutates: false,
  doors: { http: true },
  input: z.strictObject({ limit: z.int().min(1).max(1_000).default(20) }),
  output: async () =>
    z.strictObject({
      sessions: z.array(
        z.strictObject({
          path: z.string(),
          host: z.string(),
          session: z.string(),
          /** The folder that it was held in. */
          cwd: z.string(),
          started_at: z.string().optional(),
          modified_at: z.string(),
          bytes: z.int(),
          title: z.string(),
        }),
      ),
    }),
  errors: ['unavailable'],
  run: async ({ limit }, context: OperationContext) => {
    const sessions = await listProjectSessions(context);
    return { sessions: sessions.slice(0, limit) };
  },
});
