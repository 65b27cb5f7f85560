import { call } from '../../server/call.ts';

let project: Promise<string> | undefined;

/** The project of this page's server, under which brainstorms are stored; requested once. @throws ServerProblem */
export function findProject(): Promise<string> {
  project ??= call('handoff.status', {}).then(
    ({ project: name }) => name,
    (error: unknown) => {
      // The next call retries.
      project = undefined;
      throw error;
    },
  );
  return project;
}
