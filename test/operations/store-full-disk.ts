import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isHandoffError, type OperationName, openBaton } from '../../packages/batonpass/src/index.ts';
import { digestsOf, fill, makeSource3 } from './store-contents.ts';

/** What one operation did on a file system that became full. */
export interface FullDiskReport {
  refusal?: { code: string; message: string; alternatives: readonly string[] };
  /** Whether the store held the same afterwards, and after the second try. */
  isKept: boolean;
  /** What lay unfinished on the disk afterwards. */
  unfinished: string[];
  /** The answer once there was room. */
  answer: unknown;
}

/**
 * Started in its own mount namespace, with a folder, an operation and its input: fills a small file system to its
 * last bytes, runs the operation, makes room, and runs it again. Prints one report.
 */
async function main(folder: string, name: string, input: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', folder]);
  const file = join(folder, 'baton.db');
  const before = await prepare(file, name);
  const filler = join(folder, 'filler');
  const { bavail, bsize } = statfsSync(folder);
  appendFileSync(filler, Buffer.alloc(bavail * bsize - 40 * 1_024));
  const refusal = await run(file, name, input).then(() => undefined, told);
  const unfinished = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((each) => each.endsWith('.new'));
  rmSync(filler);
  const isKept = name === 'store.migrate' || same(await digestsOf(file), before);
  const answer = await run(file, name, input);
  const report: FullDiskReport = { ...(refusal && { refusal }), isKept, unfinished, answer };
  process.stdout.write(JSON.stringify(report));
}

async function prepare(file: string, name: string): Promise<Map<string, string>> {
  if (name === 'store.migrate') {
    makeSource3(file, 12);
    return new Map();
  }
  const baton = await open(file);
  await fill(baton, 12);
  if (name === 'store.restore') {
    await baton.run('store.backup', { file: `${file}.backup` });
    await fill(baton, 1);
  }
  await baton.close();
  return digestsOf(file);
}

async function run(file: string, name: string, input: string): Promise<unknown> {
  const baton = await open(file);
  try {
    return await baton.run(name as Extract<OperationName, 'store.migrate'>, JSON.parse(input));
  } finally {
    await baton.close();
  }
}

function open(file: string) {
  return openBaton({ cwd: join(file, '..'), environment: { HOME: join(file, '..') }, store: `sqlite:${file}` });
}

function told(error: unknown): FullDiskReport['refusal'] {
  if (!isHandoffError(error)) throw error;
  const { code, message, alternatives } = error;
  return { code, message, alternatives };
}

function same(left: Map<string, string>, right: Map<string, string>): boolean {
  return left.size === right.size && [...left].every(([id, digest]) => right.get(id) === digest);
}

const [folder = '', name = '', input = '{}'] = process.argv.slice(2);
await main(folder, name, input);
