import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type OperationInput, type OperationOutput, openBaton } from '../../packages/batonpass/src/index.ts';
import { openStage } from '../doors/stage.ts';

/** What `project.init` answers. */
export type Plan = OperationOutput<'project.init'>;

/** A project folder with its own user, in which `init` runs without a process. */
export interface InitFolder {
  folder: string;
  environment: NodeJS.ProcessEnv;
  init: (input?: OperationInput<'project.init'>) => Promise<Plan>;
  write: (path: string, content: string | Buffer) => void;
  read: (path: string) => string;
  /** Every file, folder and link of the project, with its content; what Baton keeps for itself left out. */
  snapshot: () => Record<string, string>;
}

/** Makes folders for tests, which are removed after each. */
export function createInitFolders(): (options?: { git?: boolean }) => InitFolder {
  const stages: { close: () => void }[] = [];
  afterEach(() => {
    for (const stage of stages.splice(0)) stage.close();
  });
  return ({ git = false } = {}) => {
    const stage = openStage({ git });
    stages.push(stage);
    const { folder } = stage;
    // No Baton of this machine's user takes part.
    const environment = { ...stage.environment, PATH: '/usr/bin:/bin' };
    return {
      folder,
      environment,
      init: async (input = {}) => {
        const baton = await openBaton({ cwd: folder, environment });
        return baton.run('project.init', input);
      },
      write: (path, content) => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      },
      read: (path) => readFileSync(join(folder, path), 'utf8'),
      snapshot: () => Object.fromEntries(listTree(folder)),
    };
  };
}

function listTree(root: string, inside = ''): [string, string][] {
  if (!existsSync(root)) return [];
  return readdirSync(join(root, inside))
    .sort()
    .flatMap((name): [string, string][] => {
      const path = join(inside, name);
      if (['.git', '.state'].includes(path)) return [];
      const status = lstatSync(join(root, path));
      if (status.isSymbolicLink()) return [[path, `→ ${readlinkSync(join(root, path))}`]];
      if (status.isDirectory()) return [[path, '/'], ...listTree(root, path)];
      return [[path, readFileSync(join(root, path), 'latin1')]];
    });
}
