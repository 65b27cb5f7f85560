import { type HostName, hostNames, programs } from './programs.ts';
import { writeRecording } from './recording.ts';
import { Scene } from './scene.ts';
import { until } from './until.ts';

/** What came over from one session to the next. */
export interface PairOutcome {
  from: HostName;
  to: HostName;
  /** The versions of both programs. */
  versions: [string, string];
  /** Whether the model of the next session was given the handoff. */
  delivered: boolean;
  /** Whether Baton found it in that session's transcript, and acknowledged it. */
  proven: boolean;
  /** From the end of the first program to the first request of the next that holds the handoff. */
  took_ms: number;
}

/** Every ordered pair of hosts. */
export const pairs = hostNames.flatMap((from) => hostNames.map((to) => [from, to] as const));

/** A short round: each host hands over once, and is handed over to once. */
export const shortRound = hostNames.map((from, at) => [from, hostNames[(at + 1) % hostNames.length] ?? from] as const);

/**
 * Works in one host, ends it, starts the other, and checks what it continues from.
 *
 * @param isRecorded - whether the sessions of a host with itself are kept as fixtures.
 */
export async function playPair(from: HostName, to: HostName, isRecorded = false): Promise<PairOutcome> {
  const scene = await Scene.open([from, to]);
  try {
    if (isRecorded) scene.stage.keepPayloads();
    const first = await scene.work(from);
    await first.quit();
    const ended_ms = performance.now();
    const asked = scene.model.requests.length;
    const second = await scene.goOn(to);
    const { id } = await scene.handoff('acknowledged');
    // A host may write the prompt down, which is the proof, before it sends it.
    const find = () => scene.model.requests.slice(asked).find(({ texts }) => texts.some((text) => text.includes(id)));
    await until(
      () => find() !== undefined,
      () => `a request of ${to} that holds ${id}`,
    );
    const request = find();
    await second.quit();
    if (isRecorded && from === to) await writeRecording(scene.stage, from);
    const log = scene.stage.baton('log', id);
    const steps = ['created', 'claimed', 'injected'].every((step) => log.includes(step));
    return {
      from,
      to,
      versions: [programs[from].version, programs[to].version],
      delivered: request !== undefined,
      proven: steps,
      took_ms: Math.round((request?.at_ms ?? Number.NaN) - ended_ms),
    };
  } finally {
    await scene.close();
  }
}
