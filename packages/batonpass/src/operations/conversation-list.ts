import { z } from 'zod';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { listProjectSessions } from './project-sessions.ts';
import { listRepositorySessions } from './repository-sessions.ts';

/** The sessions of agents that worked in this project: those on this machine, or those that the repository stores. */
export const conversationList = defineOperation({
  name: 'conversation.list',
  summary: 'Finds the transcripts of agents that worked in this project, on this machine or kept in it, newest first.',
  mutates: false,
  doors: { http: { role: 'admin', folder: true } },
  input: z.strictObject({
    limit: z.int().min(1).max(1_000).default(20),
    repository: z
      .boolean()
      .default(false)
      .describe('Those that the team keeps in its repository, read from git’s objects'),
  }),
  output: async () =>
    z.strictObject({
      sessions: z.array(
        z.strictObject({
          path: z.string(),
          host: z.string(),
          session: z.string(),
          /** The folder of the session; absent for one that the repository stores. */
          cwd: z.string().optional(),
          /** The author of its commit in the repository. */
          author: z.string().optional(),
          started_at: z.string().optional(),
          modified_at: z.string(),
          bytes: z.int(),
          title: z.string(),
        }),
      ),
    }),
  errors: ['unavailable'],
  run: async ({ limit, repository }, context: OperationContext) => {
    if (repository) return { sessions: await listRepositorySessions(context, limit) };
    const sessions = await listProjectSessions(context);
    return { sessions: sessions.slice(0, limit) };
  },
});
