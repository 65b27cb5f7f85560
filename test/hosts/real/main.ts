import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import buildOnce from '../../build-once.ts';
import { breakScenes } from './breaks.ts';
import { type PairOutcome, pairs, playPair } from './pairs.ts';
import { commandOf, hostNames, installPrograms, isInstalled } from './programs.ts';
import { lifeScenes, validatePlugins } from './scenes.ts';

/**
 * `npm run hosts -- install | play [SCENE …] | record | pairs`: the hosts' real programs against a model on loopback.
 * `record` writes the outcome of the pairs for the table in docs/hosts.md; `pairs` plays them alone, and says so where a program cannot be had.
 */

const root = join(import.meta.dirname, '../../..');
const say = (line: string) => void process.stdout.write(`${line}\n`);

const pairScenes = Object.fromEntries(
  pairs.map(([from, to]) => [
    `${from}-to-${to}`,
    async () => {
      const { delivered, proven, took_ms } = await playPair(from, to);
      if (!delivered || !proven) throw new Error(`delivered: ${delivered}, proven: ${proven}`);
      return `delivered and proven, ${took_ms} ms from end to start`;
    },
  ]),
);

const scenes: Readonly<Record<string, () => Promise<string>>> = {
  ...pairScenes,
  ...lifeScenes,
  ...breakScenes,
  plugins: async () => validatePlugins(commandOf('claude-code'), root),
};

/** What is missing to play, in one sentence; nothing where all is there. */
function findMissing(): string | undefined {
  const absent = hostNames.filter((host) => !isInstalled(host));
  if (absent.length > 0) return `Not installed: ${absent.join(', ')}. First: npm run hosts -- install`;
  return spawnSync('tmux', ['-V']).status === 0 ? undefined : 'Interactive sessions need tmux: apt-get install tmux';
}

/** @returns the names of the scenes that failed. */
async function play(names: readonly string[]): Promise<string[]> {
  buildOnce();
  const failed: string[] = [];
  for (const name of names) {
    const scene = scenes[name];
    if (scene === undefined) throw new Error(`No scene ${name}. There are: ${Object.keys(scenes).join(', ')}`);
    try {
      say(`ok      ${name}: ${await scene()}`);
    } catch (error) {
      say(`FAILED  ${name}: ${error instanceof Error ? error.message : error}`);
      failed.push(name);
    }
  }
  return failed;
}

async function record(): Promise<void> {
  buildOnce();
  const outcomes: PairOutcome[] = [];
  for (const [from, to] of pairs) outcomes.push(await playPair(from, to));
  writeFileSync(join(root, 'docs/figures/hosts.json'), `${JSON.stringify(outcomes, null, 2)}\n`);
  say('Written to docs/figures/hosts.json; now: npm run docs');
}

/** Where the programs cannot be had, it says so and fails nothing: they are nobody's dependency. */
async function playPairsWhereTheyAre(): Promise<string[]> {
  try {
    installPrograms(say);
  } catch {
    say('NOT PLAYED: the pairs of real hosts. The registry gave no programs.');
    return [];
  }
  const missing = findMissing();
  if (missing !== undefined) {
    say(`NOT PLAYED: the pairs of real hosts. ${missing}`);
    return [];
  }
  // A busy machine may keep a program from its prompt; what fails twice has failed.
  return play(await play(Object.keys(pairScenes)));
}

async function main([command, ...words]: readonly string[]): Promise<void> {
  if (command === 'install') return installPrograms(say);
  if (command === 'pairs') {
    if ((await playPairsWhereTheyAre()).length > 0) process.exitCode = 1;
    return;
  }
  if (command !== 'play' && command !== 'record') {
    process.stderr.write('npm run hosts -- install | play [SCENE …] | record | pairs\n');
    process.exitCode = 2;
    return;
  }
  const missing = findMissing();
  if (missing !== undefined) throw new Error(missing);
  if (command === 'record') return record();
  const failed = await play(words.length > 0 ? words : Object.keys(scenes));
  if (failed.length > 0) process.exitCode = 1;
}

await main(process.argv.slice(2));
