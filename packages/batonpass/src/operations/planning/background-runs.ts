import { isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** The present step of a run, as it grows: it is not stored until it is done. */
export interface LivePlanning {
  project: string;
  handoff_id: string;
  fence: number;
  /** From 1; the number of the last stored step before the model has begun the next. */
  step: number;
  /** The end of the model's text in it. */
  text: string;
  /** The tools that it called in it, in their order. */
  tools: string[];
}

/** The facts that identify a run of a Baton. */
export type OwnedPlanning = Pick<LivePlanning, 'project' | 'handoff_id' | 'fence' | 'step'>;

/** Why runs end with the program that owns them. */
export const programEnds: Error = new DOMException('The program that ran it was stopped.', 'AbortError');

/** A part of a model's answer, as far as it is read here. */
interface AnswerPart {
  type: string;
  delta?: string;
  toolName?: string;
}

interface Run {
  stop: (reason?: unknown) => void;
  ended: Promise<void>;
  live: LivePlanning;
}

/**
 * The planning runs in the background: they belong to the Baton, not to the caller that started them. They end by
 * themselves, when they are stopped, or with the Baton. Only the history survives a crash.
 */
export class BackgroundRuns {
  readonly #runs = new Map<string, Run>();
  readonly #followers = new Set<(live: LivePlanning) => void>();

  /**
   * Takes ownership of a run.
   *
   * @param end - resolves when it has ended, in whatever way: the history has its outcome.
   */
  own(planning: OwnedPlanning, controller: AbortController, end: Promise<unknown>): void {
    const { handoff_id } = planning;
    const ended = end.catch(logDefect).then(() => void this.#runs.delete(handoff_id));
    const stop = (reason?: unknown) => controller.abort(reason);
    this.#runs.set(handoff_id, { stop, ended, live: { ...planning, text: '', tools: [] } });
  }

  /** Records what the model of a run says and does. */
  note(handoff_id: string, chunk: AnswerPart): void {
    const run = this.#runs.get(handoff_id);
    const next = run && nextLive(run.live, chunk);
    if (run === undefined || next === undefined) return;
    run.live = next;
    for (const follower of [...this.#followers]) follower(next);
  }

  /** Reports the present step of each run: now, and whenever it grows. @returns the function that ends that. */
  follow(follower: (live: LivePlanning) => void): () => void {
    this.#followers.add(follower);
    for (const { live } of this.#runs.values()) follower(live);
    return () => this.#followers.delete(follower);
  }

  /** Stops the run of a handoff; resolves when it has given it back. @returns whether there was one. */
  async stop(handoff_id: string): Promise<boolean> {
    const run = this.#runs.get(handoff_id);
    run?.stop();
    await run?.ended;
    return run !== undefined;
  }

  /** Ends every run, each with its reason in the history, so that it can continue later from its last step. */
  async close(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const { stop } of runs) stop(programEnds);
    await Promise.all(runs.map(({ ended }) => ended));
  }
}

/** An expected error is in the history; a defect is only logged, since nobody waits for it. */
function logDefect(error: unknown): void {
  if (isHandoffError(error) || (error instanceof Error && error.name === 'AbortError')) return;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`baton: a planning run met a defect in Baton. Please report it with these lines:\n${stack}\n`);
}

/** The step after a part of an answer; undefined where the part shows nothing new. */
function nextLive(live: LivePlanning, chunk: AnswerPart): LivePlanning | undefined {
  const { type, delta = '', toolName = '' } = chunk;
  if (type === 'start-step') return { ...live, step: live.step + 1, text: '', tools: [] };
  if (type === 'text-delta') return { ...live, text: (live.text + delta).slice(-limits.plan_live_units_max) };
  if (type === 'tool-input-available') return { ...live, tools: [...live.tools, toolName] };
  return undefined;
}
