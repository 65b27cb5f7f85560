import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { FileReference } from '../../packages/batonpass/src/core/content.ts';
import type { FileDrift } from '../../packages/batonpass/src/core/drift.ts';
import { compareFiles } from '../../packages/batonpass/src/workspace/drift/drift.ts';
import { measureFiles } from '../../packages/batonpass/src/workspace/drift/file-facts.ts';
import { openWorkspace } from '../../packages/batonpass/src/workspace/project.ts';

/** Git as every test runs it: no user configuration, and always the same author. */
export const gitEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: '/nowhere',
  GIT_AUTHOR_NAME: 'Sam',
  GIT_AUTHOR_EMAIL: 'sam@example.com',
  GIT_COMMITTER_NAME: 'Sam',
  GIT_COMMITTER_EMAIL: 'sam@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_EDITOR: 'true',
};

/** A folder with a repository, or without one, and what tests do in it. */
export interface DriftStage {
  folder: string;
  git: (...words: string[]) => string;
  /** Writes files, with their folders. */
  write: (files: Readonly<Record<string, string | Buffer>>) => void;
  /** Writes, adds and commits; the commit's id. */
  commit: (files?: Readonly<Record<string, string | Buffer>>) => string;
  remove: (path: string) => void;
  link: (path: string, target: string) => void;
  mode: (path: string, mode: number) => void;
  /** References with what is measured of them now. */
  refer: (paths: readonly string[], lines?: string) => FileReference[];
}

/** Creates stages in temporary folders, which the end of each test removes. */
export function createDriftStages(): {
  create: (words?: readonly string[]) => DriftStage;
  at: (folder: string) => DriftStage;
  newFolder: () => string;
} {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const newFolder = () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-drift-')));
    folders.push(folder);
    return folder;
  };
  return {
    newFolder,
    at: openStageAt,
    create: (words = ['init', '--quiet', '--initial-branch=main', '.']) => {
      const stage = openStageAt(newFolder());
      if (words.length > 0) stage.git(...words);
      return stage;
    },
  };
}

function openStageAt(folder: string): DriftStage {
  const git = (...words: string[]) =>
    execFileSync('git', words, {
      cwd: folder,
      env: gitEnvironment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const write: DriftStage['write'] = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  return {
    folder,
    git,
    write,
    commit: (files = {}) => {
      write(files);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message=step');
      return git('rev-parse', 'HEAD').trim();
    },
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    link: (path, target) => symlinkSync(target, join(folder, path)),
    mode: (path, mode) => chmodSync(join(folder, path), mode),
    refer: (paths, lines) => {
      const facts = measureFiles(openWorkspace(folder), paths);
      return paths.map((path, index) => {
        const git = { ...facts.get(path), ...(lines === undefined ? {} : { lines }) };
        const known = Object.keys(git).length === 0 ? {} : { git };
        return { id: `f${index + 1}`, path, relevance: 'medium', context: '', ...known };
      });
    },
  };
}

/** The verdicts of references in a folder, by path. */
export function verdictsIn(folder: string, files: readonly FileReference[]): Record<string, string> {
  return Object.fromEntries(driftIn(folder, files).map(({ path, verdict }) => [path, verdict]));
}

/** The whole answer for references in a folder, in their order. */
export function driftIn(folder: string, files: readonly FileReference[]): FileDrift[] {
  return compareFiles(openWorkspace(folder), files);
}

/** As many numbered lines. */
export function lines(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
}
