import { z } from 'zod';
import { hosts } from '../../core/hosts.ts';
import { defineOperation } from '../../core/operation.ts';
import { version } from '../../version.ts';
import { withOwnPath } from '../../workspace/hosts/find-program.ts';
import type { OperationContext } from '../context.ts';
import { type Finding, findingSchema } from './diagnose-finding.ts';
import { diagnoseLive, liveTurnSchema } from './diagnose-live.ts';
import { diagnoseProject } from './diagnose-project.ts';

/** Tries the commands that hosts have registered, and checks what they depend on. */
export const projectDiagnose = defineOperation({
  name: 'project.diagnose',
  summary:
    'Runs the registered hooks and server for real, and checks what they rest on: commands, store, disk; or tries the hosts.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** Instead of checking the project: one turn of each installed host, in a project and a home of its own. */
    live: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      version: z.string(),
      /** The project's top folder. */
      root: z.string(),
      /** The source of the hosts' rules. */
      host_rules: z.string(),
      findings: z.array(findingSchema),
      /** One for each installed host, where they were tried. */
      turns: z.array(liveTurnSchema).optional(),
      problems: z.int(),
      warnings: z.int(),
    }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ live }, given: OperationContext) => {
    const context = { ...given, environment: withOwnPath(given.environment, given.workspace) };
    const { findings, turns } = live ? await diagnoseLive(context) : { findings: await diagnoseProject(context) };
    const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
    return {
      version,
      root: context.workspace.root,
      host_rules: Object.values(hosts)
        .map(({ title, version_seen }) => (version_seen === undefined ? title : `${title} ${version_seen}`))
        .join(', '),
      findings,
      ...(turns !== undefined && { turns }),
      problems: count('problem'),
      warnings: count('warning'),
    };
  },
});
