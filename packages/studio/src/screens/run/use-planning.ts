import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { LivePlanning } from '../../../../batonpass/src/operations/planning/background-runs.ts';
import { call, createKey, listHandoffs } from '../../server/call.ts';
import { livePlannings, useEvents } from '../../server/events.ts';
import { describeProblem, ServerProblem } from '../../server/server-problem.ts';
import { type Live, useLoaded } from '../../server/use-live.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { describeOutcome } from './step-words.ts';

export type Attempt = OperationOutput<'planning.runs'>['runs'][number];

/** The screen's data of a handoff's planning. */
export interface Planning {
  handoff: Handoff;
  runs: readonly Attempt[];
  /** The handoff that continues the plan; null where there is none yet. */
  next: Handoff | null;
}

/**
 * A handoff's planning, loaded again at each of its events: events count from the first load on, so that none is
 * missed.
 */
export function useLivePlanning(id: string): Live<Planning> {
  const live = useLoaded((signal) => loadPlanning(id, signal));
  const { handoff, next } = live.value ?? {};
  useEvents({}, (events) => {
    // The next handoff is changed on this screen too.
    const shown = [id, handoff?.id, next?.id];
    if (events.some(({ handoff_id }) => shown.includes(handoff_id))) void live.reload();
  });
  return live;
}

async function loadPlanning(id: string, signal: AbortSignal): Promise<Planning> {
  const [handoff, { runs }] = await Promise.all([
    call('handoff.get', { id }, { signal }),
    call('planning.runs', { id }, { signal }),
  ]);
  return { handoff, runs, next: await findNext(handoff, signal) };
}

/**
 * The two are written in one transaction, hence at one instant. Of several versions the newest that was not withdrawn
 * is next.
 */
async function findNext({ id, delivery }: Handoff, signal: AbortSignal): Promise<Handoff | null> {
  const { state, acknowledged_at } = delivery;
  if (state !== 'acknowledged' || acknowledged_at === undefined) return null;
  const { handoffs } = await listHandoffs({ kind: 'plan', since: acknowledged_at, limit: 200 }, signal);
  const versions = handoffs.filter(({ content }) => content.parent_id === id);
  return versions.find((each) => each.delivery.state !== 'withdrawn') ?? versions[0] ?? null;
}

/** What a run continues from, and whether the handoff was planned already. */
interface PlanOptions {
  again?: boolean;
  from?: { attempt: number; after_step?: number };
}

/** A planning and its actions. The run itself is the server's: this page only follows it. */
export interface PlanningControl extends Planning {
  /** The newest attempt, while it runs. */
  running: Attempt | undefined;
  /** The step that its model works on; null where none is reported, as before its first text. */
  live: LivePlanning | null;
  failure: string;
  /** Loads everything again; the next handoff is shown at once where it is known. */
  refresh: (next?: Handoff) => void;
  /** Whether no model is available: a skeleton needs none. */
  lacksModel: boolean;
  plan: (options?: PlanOptions) => Promise<void>;
  makeSkeleton: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Follows the planning of one handoff, wherever it runs. */
export function usePlanning(loaded: Planning, reload: () => Promise<void>): PlanningControl {
  const { id } = loaded.handoff;
  // A change made here is shown before it is loaded.
  const [done, setDone] = useState<{ over: Planning; next: Handoff }>();
  const planning = done?.over === loaded ? { ...loaded, next: done.next } : loaded;
  const refresh = (next?: Handoff) => {
    if (next !== undefined) setDone({ over: loaded, next });
    void reload();
  };
  const last = planning.runs.at(-1);
  const running = last?.outcome === 'running' ? last : undefined;
  useSayEnd(last);
  const told = useStore(livePlannings)[id];
  const isAhead = told !== undefined && running?.fence === told.fence && told.step > lastStepOf(running);
  return { ...planning, running, live: isAhead ? told : null, refresh, ...useActions(id, refresh) };
}

/** The number of the last step of an attempt, including the steps that it continues from. */
export function lastStepOf({ steps, from }: Attempt): number {
  return steps.at(-1)?.number ?? from?.step ?? 0;
}

/** Announces how a run ended, where it ends while it is shown. */
function useSayEnd(last: Attempt | undefined): void {
  const before = useRef(last);
  useEffect(() => {
    const { current } = before;
    before.current = last;
    if (last === undefined || current?.fence !== last.fence || current.outcome !== 'running') return;
    if (last.outcome === 'completed') announce('The plan is written.');
    else if (last.outcome !== 'running') announce(`${describeOutcome(last)}. The handoff is offered again.`);
  }, [last]);
}

type Actions = Pick<PlanningControl, 'failure' | 'lacksModel' | 'plan' | 'makeSkeleton' | 'stop'>;

function useActions(id: string, refresh: () => void): Actions {
  const [problem, setProblem] = useState({ failure: '', lacksModel: false });
  const isBusy = useRef(false);
  const attempt = async (make: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setProblem({ failure: '', lacksModel: false });
    try {
      await make();
    } catch (error) {
      setProblem({ failure: describeProblem(error), lacksModel: isWithoutModel(error) });
    } finally {
      isBusy.current = false;
      refresh();
    }
  };
  return {
    ...problem,
    plan: (options = {}) =>
      attempt(async () => {
        const { handoff } = await call('planning.start', { id, ...options }, { idempotencyKey: createKey() });
        // A handoff that is planned again is a new handoff.
        navigate(`/run/${handoff.id}`);
      }),
    makeSkeleton: () =>
      attempt(async () => {
        await call('planning.draft', { id });
        announce('The skeleton of a plan is written.');
      }),
    stop: () => attempt(async () => void (await call('planning.stop', { id }))),
  };
}

function isWithoutModel(error: unknown): boolean {
  return error instanceof ServerProblem && error.code === 'unavailable';
}
