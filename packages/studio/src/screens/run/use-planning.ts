import { useCallback, useEffect, useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { useEvents } from '../../server/events.ts';
import { describeProblem, isBrokenOff, ServerProblem } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { type LiveStep, noStep, streamPlan } from './plan-stream.ts';

export type Attempt = OperationOutput<'planning.runs'>['runs'][number];

/** What the screen knows of a handoff's planning. */
export interface Planning {
  handoff: Handoff;
  runs: readonly Attempt[];
  /** The handoff that goes on from the plan; null where there is none yet. */
  next: Handoff | null;
}

/** Everything that is known of a handoff's planning now. @throws ServerProblem */
export async function loadPlanning(id: string): Promise<Planning> {
  const [handoff, { runs }] = await Promise.all([call('handoff.get', { id }), call('planning.runs', { id })]);
  return { handoff, runs, next: await findNext(handoff) };
}

/** The two have one transaction, hence one instant. Of several versions the newest that was not withdrawn goes on. */
async function findNext({ id, delivery }: Handoff): Promise<Handoff | null> {
  const { state, acknowledged_at } = delivery;
  if (state !== 'acknowledged' || acknowledged_at === undefined) return null;
  const { handoffs } = await call('handoff.list', { kind: 'plan', since: acknowledged_at, limit: 200 });
  const versions = handoffs.filter(({ content }) => content.parent_id === id);
  return versions.find((each) => each.delivery.state !== 'withdrawn') ?? versions[0] ?? null;
}

/** A planning that this page began or watches, and what can be done about it. */
export interface PlanningControl extends Planning {
  /** The step that the model is at, where this page runs it; null where it does not. */
  live: LiveStep | null;
  failure: string;
  /** Loads everything again; what goes on is shown at once where it is known. */
  refresh: (next?: Handoff) => void;
  /** Whether no model is there to be asked: a skeleton needs none. */
  lacksModel: boolean;
  plan: (again?: boolean) => Promise<void>;
  makeSkeleton: () => Promise<void>;
  stop: () => void;
}

/** Follows the planning of one handoff by its events, whoever runs it. */
export function usePlanning(loaded: Planning): PlanningControl {
  const { id } = loaded.handoff;
  const [planning, setPlanning] = useState(loaded);
  const asked = useRef(0);
  const refresh = useCallback(
    (next?: Handoff) => {
      asked.current += 1;
      const number = asked.current;
      if (next !== undefined) setPlanning((before) => ({ ...before, next }));
      loadPlanning(id).then(
        // An answer that was overtaken shows what was.
        (found) => number === asked.current && setPlanning(found),
        () => {
          // What is shown stays; the studio says by itself that the server is away.
        },
      );
    },
    [id],
  );
  useEvents({}, (events) => {
    // What goes on from the plan is decided upon here too.
    if (events.some(({ handoff_id }) => handoff_id === id || handoff_id === planning.next?.id)) refresh();
  });
  return { ...planning, refresh, ...useActions(id, refresh) };
}

type Actions = Omit<PlanningControl, keyof Planning | 'refresh'>;

function useActions(id: string, refresh: () => void): Actions {
  const [live, setLive] = useState<LiveStep | null>(null);
  const [problem, setProblem] = useState({ failure: '', lacksModel: false });
  const running = useRef<AbortController | null>(null);
  // Who leaves the page breaks the run off: the server would be told nothing more of it.
  useEffect(() => () => running.current?.abort(), []);
  const attempt = async (make: (signal: AbortSignal) => Promise<void>) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setProblem({ failure: '', lacksModel: false });
    try {
      await make(controller.signal);
    } catch (error) {
      if (isBrokenOff(error)) announce('Stopped. The handoff is offered again.');
      else setProblem({ failure: describeProblem(error), lacksModel: isWithoutModel(error) });
    } finally {
      running.current = null;
      setLive(null);
      refresh();
    }
  };
  return {
    live,
    ...problem,
    plan: (again = false) =>
      attempt(async (signal) => {
        setLive(noStep);
        const ended = await streamPlan({ id, ...(again ? { again } : {}) }, { signal, onStep: setLive });
        announce(ended.outcome === 'completed' ? 'The plan is written.' : (ended.reason ?? 'There is no plan.'));
        // Planned once more, it is another handoff.
        navigate(`/run/${ended.handoff.id}`);
      }),
    makeSkeleton: () =>
      attempt(async (signal) => {
        await call('planning.draft', { id }, { signal });
        announce('The skeleton of a plan is written.');
      }),
    stop: () => running.current?.abort(),
  };
}

function isWithoutModel(error: unknown): boolean {
  return error instanceof ServerProblem && error.code === 'unavailable';
}
