import { z } from 'zod';
import type { HandoffEvent } from '../../core/delivery.ts';
import { withoutEditWords } from '../../core/edit-changes.ts';
import { HandoffError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { withoutKeptStep } from '../../core/kept-step.ts';
import { limits } from '../../core/limits.ts';
import { showHiddenIn } from '../../core/shown-values.ts';
import { stateSchema } from '../../core/state.ts';
import type { Store } from '../../core/store.ts';
import type { Timing } from '../../core/timing.ts';
import type { Baton } from '../../operations/baton.ts';
import { assertKnownEvent } from '../../operations/handoff-reads.ts';
import type { BackgroundRuns, LivePlanning } from '../../operations/planning/background-runs.ts';
import { OpenStreams } from './open-streams.ts';
import type { Principal } from './principal.ts';

const name = z.string().trim().min(1).max(limits.name_characters_max);

const filterSchema = z.strictObject({
  project: name.optional(),
  task_id: name.optional(),
  /** Only events that lead to one of these. */
  state: z.array(stateSchema).min(1).optional(),
  after_seq: z.int().min(0).optional(),
});

type EventFilter = z.output<typeof filterSchema>;

/** What one stream of events uses. */
export interface EventsRequest {
  request: Request;
  baton: Baton;
  principal: Principal;
  /** Aborted when the client leaves or the server stops. */
  signal: AbortSignal;
  /** Ends the connection at once. */
  cut: () => void;
}

/** The streams of events that are open in one server. */
export class EventStreams {
  readonly #open = new OpenStreams({
    all_max: limits.http_event_streams_max,
    each_max: limits.http_event_streams_each_max,
    what: 'streams of events',
    advice: 'Close some: one stream has the events of a whole project.',
  });
  readonly #timing: Timing;

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /**
   * Answers with the events of a project as they come. A slow client is not written ahead of: the store is
   * asked for more when the client has read what there was, and only one page is held for it. A client that reads nothing
   * between two keep-alive lines is disconnected, and continues later by the id of the last event that it has.
   *
   * @throws HandoffError for an invalid filter and for a place that does not exist yet, Refusal for too many open streams.
   */
  async answer({ request, baton, principal, signal, cut }: EventsRequest): Promise<Response> {
    const filter = readFilter(request, baton);
    const store = await baton.context.openStore();
    await assertKnownEvent(store, filter.after_seq);
    const after_seq = filter.after_seq ?? (await findPlace(store, filter.project));
    const leave = this.#open.enter(principal);
    const ending = new AbortController();
    const ended = AbortSignal.any([ending.signal, signal]);
    const events = store.subscribe({ after_seq, project: filter.project }, ended)[Symbol.asyncIterator]();
    const { after } = this.#timing;
    const live = filter.task_id === undefined && filter.state === undefined ? baton.context.background : undefined;
    const end = () => ending.abort();
    const stream = streamOf({ after, events, store, filter, after_seq, principal, live, end, cut });
    if (ended.aborted) leave();
    else ended.addEventListener('abort', leave, { once: true });
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    });
  }
}

/** The place to continue from: a browser sends it in a header by itself, a program in the query. */
function readFilter(request: Request, { context }: Baton): EventFilter & { project: string } {
  const query = new URL(request.url).searchParams;
  const last = request.headers.get('last-event-id') ?? query.get('after_seq');
  const given = {
    ...Object.fromEntries([...query].filter(([field]) => field !== 'state' && field !== 'after_seq')),
    ...(query.has('state') ? { state: query.getAll('state') } : {}),
    ...(last === null || last === '' ? {} : { after_seq: /^\d{1,15}$/.test(last) ? Number(last) : last }),
  };
  const filter = parseInput(filterSchema, given, 'filter of events');
  return { ...filter, project: filter.project ?? context.project };
}

/** @throws HandoffError `not_found` where the caller's token is for another project. */
export function assertOwnProject(request: Request, { token }: Principal): void {
  const project = new URL(request.url).searchParams.get('project');
  if (token === undefined || project === null || project === token.project) return;
  throw new HandoffError('not_found', `There is no project "${project.slice(0, 100)}" here.`, {
    alternatives: ['Leave out `project`: the token names it.'],
  });
}

/** The first place of a stream that continues from none: sent at once, so that an early cut loses the client nothing. */
async function findPlace(store: Store, project: string): Promise<number> {
  const [newest] = await store.events({ project, newest: true, limit: 1 });
  return newest?.seq ?? 0;
}

interface StreamParts {
  after: Timing['after'];
  events: AsyncIterator<HandoffEvent>;
  store: Store;
  filter: EventFilter & { project: string };
  after_seq: number;
  principal: Principal;
  /** The events of the steps of runs; absent where the filter excludes them. */
  live: BackgroundRuns | undefined;
  end: () => void;
  cut: () => void;
}

function streamOf({
  after,
  events,
  store,
  filter,
  after_seq,
  principal,
  live,
  end,
  cut,
}: StreamParts): ReadableStream<Uint8Array> {
  let wasTaken = true;
  let isOver = false;
  let callOff = () => {};
  let leaveLive = () => {};
  const encoder = new TextEncoder();
  const finish = () => {
    isOver = true;
    leaveLive();
    callOff();
    end();
  };
  const beat = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    // A store that cannot be read also lets nobody in.
    const isGood = await principal.isGood().catch(() => false);
    if (isOver) return;
    const isTaken = (controller.desiredSize ?? 0) > 0;
    if (!isGood || !(isTaken || wasTaken)) {
      finish();
      cut();
      return;
    }
    wasTaken = isTaken;
    if (isTaken) controller.enqueue(encoder.encode(':\n\n'));
    callOff = after(limits.http_heartbeat_ms, () => void beat(controller));
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(`retry: 1000\nid: ${after_seq}\nevent: opened\ndata: {}\n\n`));
      callOff = after(limits.http_heartbeat_ms, () => void beat(controller));
      const send = (text: string) => {
        const isTaken = (controller.desiredSize ?? 0) > 0;
        if (isTaken) controller.enqueue(encoder.encode(text));
        return isTaken;
      };
      if (live !== undefined) leaveLive = tellLive(live, filter.project, { after, send });
    },
    pull: async (controller) => {
      try {
        const event = await nextThat(events, (candidate) => answers(candidate, filter, store));
        if (event !== null) {
          wasTaken = true;
          controller.enqueue(encoder.encode(formatEvent(event)));
          return;
        }
        finish();
        controller.close();
      } catch {
        // The store cannot be read now: the client reconnects with the id that it has, and gets the rest then.
        finish();
        cut();
      }
    },
    cancel: finish,
  });
}

/**
 * Sends the present steps of a project's runs, in an event without an id: they are not stored. Where a step
 * grows while a client reads slowly, the client gets the newest state.
 *
 * @returns the function that ends it.
 */
function tellLive(
  live: BackgroundRuns,
  project: string,
  { after, send }: { after: Timing['after']; send: (text: string) => boolean },
): () => void {
  const waiting = new Map<string, LivePlanning>();
  let callOff: (() => void) | undefined;
  const flush = () => {
    callOff = undefined;
    for (const [id, planning] of waiting) {
      const data = JSON.stringify(showHiddenIn(planning));
      if (send(`event: planning-progress\ndata: ${data}\n\n`)) waiting.delete(id);
    }
    if (waiting.size > 0) callOff = after(limits.plan_live_ms, flush);
  };
  const leave = live.follow((planning) => {
    if (planning.project !== project) return;
    waiting.set(planning.handoff_id, planning);
    callOff ??= after(limits.plan_live_ms, flush);
  });
  return () => {
    leave();
    callOff?.();
  };
}

async function nextThat(
  events: AsyncIterator<HandoffEvent>,
  isWanted: (event: HandoffEvent) => Promise<boolean>,
): Promise<HandoffEvent | null> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return null;
    if (await isWanted(value)) return value;
  }
}

async function answers({ to, handoff_id }: HandoffEvent, filter: EventFilter, store: Store): Promise<boolean> {
  if (filter.state !== undefined && !filter.state.includes(to)) return false;
  return filter.task_id === undefined || (await store.get(handoff_id))?.content.task_id === filter.task_id;
}

/** JSON has no line ends of its own, so it fits one line. What an edit took out is sent only on request. */
function formatEvent(event: HandoffEvent): string {
  return `id: ${event.seq}\nevent: ${event.name}\ndata: ${JSON.stringify(showHiddenIn(withoutKeptStep(withoutEditWords(event))))}\n\n`;
}
