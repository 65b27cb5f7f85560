import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import buildOnce from '../../build-once.ts';
import { askedScenes } from './asked.ts';
import { breakScenes } from './breaks.ts';
import { type PairOutcome, pairs, playPair, shortRound } from './pairs.ts';
import { commandOf, type HostName, hostNames, installPrograms, isInstalled } from './programs.ts';
import { lifeScenes, recordLife, validatePlugins } from './scenes.ts';
import { ProgramTrouble } from './terminal.ts';
import { assertTimeLeft, endWaitsAt, TimeOver } from './until.ts';

/**
 * `npm run hosts -- install | play [SCENE …] | record [HOST …] | pairs`: the hosts' real programs against a model on loopback.
 * `record` writes the outcome of the pairs for the table in docs/hosts.md, and the hosts' transcripts and payloads as fixtures; `pairs` plays a round of them, and reports a program that cannot be installed.
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
  ...askedScenes,
  plugins: async () => validatePlugins(commandOf('claude-code'), root),
};

/** What is missing to play, in one sentence; nothing where all is there. */
function findMissing(): string | undefined {
  const absent = hostNames.filter((host) => !isInstalled(host));
  if (absent.length > 0) return `Not installed: ${absent.join(', ')}. First: npm run hosts -- install`;
  return spawnSync('tmux', ['-V']).status === 0 ? undefined : 'Interactive sessions need tmux: apt-get install tmux';
}

/** @returns whether no scene failed. */
async function play(names: readonly string[]): Promise<boolean> {
  buildOnce();
  let isGood = true;
  for (const name of names) {
    const scene = scenes[name];
    if (scene === undefined) throw new Error(`No scene ${name}. There are: ${Object.keys(scenes).join(', ')}`);
    try {
      assertTimeLeft();
      say(`ok      ${name}: ${await playAgainAfterTrouble(name, scene)}`);
    } catch (error) {
      const isOver = error instanceof TimeOver;
      say(`${isOver ? 'NOT PLAYED' : 'FAILED '} ${name}: ${reasonOf(error)}`);
      if (!isOver) isGood = false;
    }
  }
  return isGood;
}

/** A screen that was waited for in vain says why; where the time was over, the first line is enough. */
function reasonOf(error: unknown): string {
  if (error instanceof TimeOver) return `the time was over. ${error.message.split('\n')[0]}`;
  return error instanceof Error ? error.message : String(error);
}

/** Plays a scene a second time where the program itself did not start or took no keys, and reports that; never for a failure of Baton. */
async function playAgainAfterTrouble<Value>(name: string, scene: () => Promise<Value>): Promise<Value> {
  try {
    return await scene();
  } catch (error) {
    if (!(error instanceof ProgramTrouble)) throw error;
    say(`AGAIN   ${name}: the host's program did not come to its prompt or took no keys. ${error.message}`);
    return scene();
  }
}

/** @param named - the hosts that are recorded, each in its pairs with all hosts. */
async function record(named: readonly HostName[]): Promise<void> {
  buildOnce();
  const figures = join(root, 'docs/figures/hosts.json');
  let outcomes = JSON.parse(readFileSync(figures, 'utf8')) as PairOutcome[];
  for (const [from, to] of pairs.filter((pair) => pair.some((host) => named.includes(host)))) {
    const outcome = await playAgainAfterTrouble(`${from}-to-${to}`, () => playPair(from, to, true));
    say(`${from} → ${to}: ${JSON.stringify(outcome)}`);
    outcomes = [...outcomes.filter((former) => former.from !== from || former.to !== to), outcome];
    // After each pair: a failure of a later one loses none.
    writeFileSync(figures, `${JSON.stringify(inOrder(outcomes), null, 2)}\n`);
  }
  await recordLife(named);
  say('Written to docs/figures/hosts.json and test/hosts/recorded; now: npm run docs');
}

function inOrder(outcomes: readonly PairOutcome[]): PairOutcome[] {
  const place = ({ from, to }: PairOutcome) => pairs.findIndex((pair) => pair[0] === from && pair[1] === to);
  return outcomes.toSorted((one, other) => place(one) - place(other));
}

/**
 * Plays each host as the first and as the second of a pair. Where the programs cannot be installed, or the time is over, it reports that and fails nothing: they are no dependency.
 *
 * @returns whether no pair failed.
 */
async function playPairsWhereTheyAre(): Promise<boolean> {
  endWaitsAt(performance.now() + pairs_ms);
  const reason = installOrSayWhyNot() ?? findMissing();
  if (reason === undefined) return play(shortRound.map(([from, to]) => `${from}-to-${to}`));
  say(`NOT PLAYED: the pairs of real hosts. ${reason}`);
  return true;
}

function installOrSayWhyNot(): string | undefined {
  try {
    installPrograms(say);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function hostsNamed(words: readonly string[]): HostName[] {
  const unknown = words.filter((word) => !hostNames.some((host) => host === word));
  if (unknown.length > 0) throw new Error(`No host ${unknown.join(', ')}. There are: ${hostNames.join(', ')}`);
  return hostNames.filter((host) => words.includes(host));
}

/** With the programs' installation, so that all is over within six minutes; what is begun then is cleared away first. */
const pairs_ms = 5.5 * 60_000;

async function main([command, ...words]: readonly string[]): Promise<void> {
  if (command === 'install') return installPrograms(say);
  if (command === 'pairs') {
    if (!(await playPairsWhereTheyAre())) process.exitCode = 1;
    return;
  }
  if (command !== 'play' && command !== 'record') {
    process.stderr.write('npm run hosts -- install | play [SCENE …] | record [HOST …] | pairs\n');
    process.exitCode = 2;
    return;
  }
  const missing = findMissing();
  if (missing !== undefined) throw new Error(missing);
  if (command === 'record') return record(words.length === 0 ? hostNames : hostsNamed(words));
  if (!(await play(words.length > 0 ? words : Object.keys(scenes)))) process.exitCode = 1;
}

await main(process.argv.slice(2));
