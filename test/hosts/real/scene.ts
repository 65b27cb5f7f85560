import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { HostEvent } from '../../../packages/batonpass/src/core/host.ts';
import { hosts } from '../../../packages/batonpass/src/core/hosts.ts';
import { ModelServer, type Script } from '../../../packages/batonpass/src/host-trial/model-server.ts';
import { commandOf, type HostName } from './programs.ts';
import { RealHost, type RealSession } from './real-host.ts';
import { RealStage, type ShownHandoff } from './real-stage.ts';
import { until } from './until.ts';

/** What the person says and the model answers in every scene. */
export const spoken = {
  request: 'Requests are counted per process, so that two servers let twice as many through. Fix that.',
  decision: 'I will use Redis for the counters instead of memory, so that all servers share them.',
  next: 'Go on where the last session stopped.',
  goingOn: 'I go on with the counters in Redis.',
  other: 'Say which file you wrote.',
  otherAnswer: 'I wrote limiter.ts.',
} as const;

const script: Script = {
  [spoken.request]: [
    { write: 'limiter.ts', content: 'export const limit = 100;\n' },
    { shell: 'node --test missing.test.ts' },
    { text: spoken.decision },
  ],
  [spoken.next]: [{ text: spoken.goingOn }],
  [spoken.other]: [{ text: spoken.otherAnswer }],
};

const root = join(import.meta.dirname, '../../..');

/** The event that a host calls at a moment. */
export function eventAt(host: HostName, moment: HostEvent['moment']): string {
  return hosts[host].events.find((each) => each.moment === moment)?.event ?? '';
}

/** A stage with a model and hosts, in which `baton init` was run. */
export class Scene {
  readonly stage: RealStage;
  readonly model: ModelServer;
  private readonly hosts: Map<HostName, RealHost>;

  private constructor(stage: RealStage, model: ModelServer, hosts: Map<HostName, RealHost>) {
    this.stage = stage;
    this.model = model;
    this.hosts = hosts;
  }

  static async open(names: readonly HostName[], more: Script = {}): Promise<Scene> {
    const stage = new RealStage();
    const model = new ModelServer({ ...script, ...more });
    const url = await model.listen();
    const hosts = new Map([...new Set(names)].map((name) => [name, new RealHost(name, stage, url)]));
    const scene = new Scene(stage, model, hosts);
    stage.baton('init', '--yes');
    return scene;
  }

  host(name: HostName): RealHost {
    const host = this.hosts.get(name);
    if (host === undefined) throw new Error(`${name} is not in this scene.`);
    return host;
  }

  /** A session that is asked for something, writes a file, fails a command and decides. */
  async work(name: HostName, words?: readonly string[]): Promise<RealSession> {
    const seen = this.stage.hookRuns().length;
    const session = await this.host(name).open({ prompt: spoken.request, answer: spoken.decision, words });
    await this.stage.waitForHook(eventAt(name, 'save'), seen);
    return session;
  }

  /** A session in which the person says a word and nothing is waited for. */
  async say(name: HostName, words?: readonly string[]): Promise<RealSession> {
    return this.host(name).open({ prompt: spoken.next, answer: spoken.goingOn, words });
  }

  /** Installs the plugin of this clone as a person does. */
  installPlugin(name: HostName): void {
    const host = this.host(name);
    const { environment } = host.headless('');
    for (const words of [
      ['plugin', 'marketplace', 'add', root],
      [...(host.row.plugin ?? []), 'baton@baton'],
    ]) {
      execFileSync(commandOf(name), words, {
        cwd: this.stage.project,
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
  }

  /** A session that continues from what it is given. */
  async goOn(name: HostName, words?: readonly string[]): Promise<RealSession> {
    const seen = this.stage.hookRuns().length;
    const session = await this.host(name).open({ prompt: spoken.next, answer: spoken.goingOn, words });
    await this.stage.waitForHook(eventAt(name, 'save'), seen);
    return session;
  }

  /** Runs a host without a person, with other words before its own where given. */
  async runHeadless(
    name: HostName,
    prompt: string,
    before: readonly string[] = [],
  ): Promise<{ status: number | null; output: string }> {
    const { words, environment } = this.host(name).headless(prompt);
    const [command = '', ...rest] = [...before, ...words];
    const child = spawn(command, rest, {
      cwd: this.stage.project,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part;
      });
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { status, output };
  }

  /** The one handoff in this state. */
  async handoff(state: string, isIt: (handoff: ShownHandoff) => boolean = () => true): Promise<ShownHandoff> {
    let found: ShownHandoff | undefined;
    const look = () => {
      found = this.stage.list().find((handoff) => handoff.delivery.state === state && isIt(handoff));
      return found !== undefined;
    };
    await until(
      look,
      () =>
        `a handoff that is ${state}; there are ${JSON.stringify(this.stage.list().map(({ id, delivery }) => [id, delivery.state]))}, and hooks that ran:\n${this.describeHooks()}`,
    );
    return found as ShownHandoff;
  }

  /** The model, and every waiter for it, sees this text. */
  async waitUntilTold(text: string): Promise<void> {
    await until(
      () => this.model.wasTold(text),
      () => `the model to be told ${text}`,
    );
  }

  /** What hooks left in their log, in short, for the search for a failure. */
  describeHooks(): string {
    return this.stage
      .hookRuns()
      .map(({ event, outcome, error }) => `${event}: ${error === undefined ? outcome : JSON.stringify(error)}`)
      .join('\n');
  }

  async close(): Promise<void> {
    for (const host of this.hosts.values()) host.close();
    await this.model.close();
    await this.stage.close();
  }
}
