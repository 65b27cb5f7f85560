import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { programRows } from './program-rows.ts';
import { type HostName, hostNames } from './programs.ts';
import type { RealStage } from './real-stage.ts';
import { writeSteps } from './recording.ts';
import { eventAt, Scene, spoken } from './scene.ts';

type Play = (scene: Scene, host: HostName) => Promise<string>;

/** What happens in the life of a session, for each host. */
const plays: Readonly<Record<string, Play>> = {
  /** A compacted session gets its own save back. */
  compact: async (scene, host) => {
    const session = await scene.work(host);
    await scene.handoff('open');
    await session.command(scene.host(host).row.compact);
    await scene.stage.waitForHook(eventAt(host, 'compaction'));
    await session.say(spoken.next, spoken.goingOn);
    // The save before the compaction may have taken the place of the one after the answer.
    const { id, delivery } = await scene.handoff('acknowledged');
    await session.quit();
    if (delivery.injected === undefined || !scene.model.wasTold(id)) throw new Error(JSON.stringify(delivery));
    return 'the session’s own save is given back after the compaction, and proven';
  },
  /** The results of a cleared session go to the one that follows it in the same window. */
  clear: async (scene, host) => {
    const session = await scene.work(host);
    const { id } = await scene.handoff('open');
    await session.command('/clear');
    await session.say(spoken.next, spoken.goingOn);
    await scene.waitUntilTold(id);
    await scene.handoff('acknowledged', (handoff) => handoff.id === id);
    await session.quit();
    return 'the next conversation in the same window goes on from it, proven';
  },
  /** A session that is taken up again has its own past; it is not given it twice. */
  resume: async (scene, host) => {
    await (await scene.work(host)).quit();
    const { id } = await scene.handoff('open');
    const session = await scene.say(host, scene.host(host).row.resume);
    await session.quit();
    const { state } = scene.stage.get(id).delivery;
    if (state === 'acknowledged') throw new Error('It was given what it had said itself.');
    return `a resumed session is not given its own save (${state})`;
  },
  /** A host that is killed leaves what it had come to. */
  killed: async (scene, host) => {
    const session = await scene.work(host);
    session.terminal.kill();
    await session.terminal.ended();
    const next = await scene.goOn(host);
    await scene.handoff('acknowledged');
    await next.quit();
    return 'what a killed session had come to goes to the next, proven';
  },
  /** What a session at work has saved is not given to another. */
  two: async (scene, host) => {
    const first = await scene.work(host);
    const { id } = await scene.handoff('open');
    const second = await scene.goOn(host);
    if (scene.model.wasTold(id)) throw new Error('The second session was given what the first is still at.');
    await first.quit();
    await second.quit();
    const third = await scene.goOn(host);
    await scene.waitUntilTold(id);
    await third.quit();
    return 'the second session is not given it while the first is at work; the third is';
  },
  /** Without a person nothing is claimed automatically, and a result is left. */
  headless: async (scene, host) => {
    // A host may read a project's settings only once a person trusts the folder.
    await (await scene.say(host)).quit();
    const id = scene.stage.create('Finish the login form');
    const { status, output } = await scene.runHeadless(host, spoken.request);
    if (status !== 0 || scene.model.wasTold(id)) throw new Error(`${status}: ${output}`);
    const { content } = await scene.handoff('open', (handoff) => handoff.id !== id);
    if (content.kind !== 'result') throw new Error(JSON.stringify(content));
    return 'takes nothing, and leaves a result';
  },
  /** `baton run` is the receiver of a run without a person. */
  run: async (scene, host) => {
    const id = scene.stage.create('Finish the login form');
    const { status, output } = await scene.runHeadless(host, spoken.next, ['baton', 'run', '--']);
    const { state } = scene.stage.get(id).delivery;
    if (status !== 0 || state !== 'acknowledged' || !scene.model.wasTold(id))
      throw new Error(`${status} ${state}: ${output}`);
    const empty = await scene.runHeadless(host, spoken.next, ['baton', 'run', '--']);
    if (empty.status !== 1) throw new Error(`With nothing to claim it ended with ${empty.status}: ${empty.output}`);
    return 'claims, gives it with the prompt, and acknowledges by the transcript';
  },
  /** The plugin from this clone does what `init` does. */
  plugin: async (scene, host) => {
    scene.stage.baton('init', '--undo', '--yes');
    scene.installPlugin(host);
    await (await scene.work(host)).quit();
    const { id } = await scene.handoff('open');
    const next = await scene.goOn(host);
    await scene.handoff('acknowledged', (handoff) => handoff.id === id);
    await next.quit();
    return 'installed from a clone, hands over and proves';
  },
};

/** Every scene, by its name and host. */
export const lifeScenes = Object.fromEntries(
  Object.entries(plays).flatMap(([name, play]) =>
    hostNames
      .filter((host) => name !== 'plugin' || programRows[host].plugin !== undefined)
      .map((host) => [`${name}-${host}`, () => playOn(play, host)] as const),
  ),
);

/** Keeps as fixtures what the tests without the programs cannot know of hosts: what a session is after `/compact`, `/clear` and when it is taken up again. */
export async function recordLife(named: readonly HostName[]): Promise<void> {
  // OpenCode's sessions are rows of a database, which a hook's script cannot count as it does lines of a file.
  const counted = named.filter((host) => host !== 'opencode');
  for (const name of ['compact', 'clear', 'resume'] as const) {
    for (const host of counted) {
      await playOn(plays[name] as Play, host, (stage) => writeSteps(stage, host, name));
    }
  }
}

async function playOn(play: Play, host: HostName, record?: (stage: RealStage) => Promise<void>): Promise<string> {
  const scene = await Scene.open([host]);
  try {
    if (record !== undefined) scene.stage.keepPayloads();
    const said = await play(scene, host);
    await record?.(scene.stage);
    return said;
  } finally {
    await scene.close();
  }
}

/** The validator of Claude Code itself, over the plugin and its marketplace. */
export function validatePlugins(claude: string, root: string): string {
  for (const place of [root, join(root, 'plugins/claude-code')]) {
    execFileSync(claude, ['plugin', 'validate', place], { stdio: ['ignore', 'pipe', 'inherit'] });
  }
  return 'valid by `claude plugin validate`';
}
