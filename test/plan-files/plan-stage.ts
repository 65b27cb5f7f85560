import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Baton,
  HandoffError,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  openBaton,
} from '../../packages/batonpass/src/index.ts';

/** The plan that tests work on. */
export const plan_directory = '.claude/plans/jwt-auth/';

/** A separate project with the folder of one plan. */
export interface PlanStage {
  folder: string;
  baton: Baton;
  /** Runs an operation of plans on the plan of the stage. */
  run: <Name extends OperationName>(name: Name, input: Rest<Name>) => Promise<OperationOutput<Name>>;
  /** Runs it and gives the error that it must end with. */
  refused: <Name extends OperationName>(name: Name, input: Rest<Name>) => Promise<HandoffError>;
  read: (name: string) => string;
  write: (name: string, text: string | Buffer) => void;
  /** Every document of the plan, by name: what must not change on an error. */
  snapshot: () => Record<string, string | null>;
  close: () => Promise<void>;
}

type Rest<Name extends OperationName> = Omit<OperationInput<Name>, 'plan_directory'> & { plan_directory?: string };

/** Opens a stage. */
export async function openPlanStage(environment: NodeJS.ProcessEnv = {}): Promise<PlanStage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-plan-')));
  const surroundings = { HOME: join(folder, '.home'), XDG_STATE_HOME: join(folder, '.state'), ...environment };
  const baton = await openBaton({ cwd: folder, environment: surroundings });
  const place = (name: string) => join(folder, plan_directory, name);
  mkdirSync(place(''), { recursive: true });
  const run: PlanStage['run'] = (name, input) => baton.run(name, { plan_directory, ...input } as never);
  return {
    folder,
    baton,
    run,
    refused: async (name, input) => {
      const error = await run(name, input).then(
        (answer) => answer,
        (thrown: unknown) => thrown,
      );
      if (error instanceof HandoffError) return error;
      throw new Error(`${name} gave ${JSON.stringify(error) ?? String(error)}`, { cause: error });
    },
    read: (name) => readFileSync(place(name), 'utf8'),
    write: (name, text) => writeFileSync(place(name), text),
    snapshot: () =>
      Object.fromEntries(
        ['plan.md', 'config.md', 'references.md'].map((name) => [
          name,
          existsSync(place(name)) ? readFileSync(place(name), 'latin1') : null,
        ]),
      ),
    close: async () => {
      await baton.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The lines that differ between two texts, as `before → after`; only for texts of the same number of lines. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length !== now.length) throw new Error(`${old.length} lines became ${now.length}:\n${after}`);
  return old.flatMap((line, index) => (line === now[index] ? [] : [`${line} → ${now[index]}`]));
}
