/** One server of a simulation: its load, and the duration of each call. */
export interface SimulatedServer {
  /** Handoffs that are created in a second, at chance moments. */
  per_second: number;
  seconds: number;
  cores: number;
  /** Processor time of a create, a claim and an acknowledgement, on the average. */
  calls_us: readonly [number, number, number];
  /** From an answer of a claim to the acknowledgement: what a receiver does meanwhile. */
  work_us: number;
  /** The same seed gives the same course. */
  seed: number;
}

/** The result of a simulation. */
export interface SimulatedCourse {
  created: number;
  claimed: number;
  acknowledged: number;
  /** Handoffs that any call met in another state than the one it moves from. */
  out_of_state: number;
  /** Work of all processors over what they could have done until the last answer. */
  utilisation: number;
  /** Of what was given to the processors, in all. */
  busy_us: number;
  /** Until the last answer. */
  took_us: number;
  /** How long a claim waits for a processor and is served. */
  claim_p50_us: number;
  claim_p99_us: number;
}

type State = 0 | 1 | 2 | 3;

interface Arrival {
  at_us: number;
  handoff: number;
  /** 0 creates, 1 claims, 2 acknowledges. */
  call: 0 | 1 | 2;
}

/**
 * Moves handoffs through the processors of one server, each call as soon as one is free, first come first
 * served, with times that vary as those of chance events do. A claim comes at once after its create, as receivers that
 * wait are woken.
 */
export function simulateServer({
  per_second,
  seconds,
  cores,
  calls_us,
  work_us,
  seed,
}: SimulatedServer): SimulatedCourse {
  const random = createRandom(seed);
  const varied = (mean: number) => -mean * Math.log(1 - random());
  const total = Math.round(per_second * seconds);
  const states: State[] = Array.from({ length: total }, () => 0);
  const free_us: number[] = Array.from({ length: cores }, () => 0);
  const counts = [0, 0, 0];
  const claims_us: number[] = [];
  let [busy_us, took_us, out_of_state, next_us, begun] = [0, 0, 0, 0, 0];
  const queue = new Queue();
  const begin = () => {
    if (begun === total) return;
    next_us += varied(1e6 / per_second);
    queue.add({ at_us: next_us, handoff: begun, call: 0 });
    begun += 1;
  };
  begin();
  for (let arrival = queue.take(); arrival !== undefined; arrival = queue.take()) {
    const { at_us, handoff, call } = arrival;
    if (call === 0) begin();
    const core = free_us.indexOf(Math.min(...free_us));
    const serve_us = varied(calls_us[call]);
    const end_us = Math.max(at_us, free_us[core] ?? 0) + serve_us;
    free_us[core] = end_us;
    busy_us += serve_us;
    took_us = Math.max(took_us, end_us);
    if (states[handoff] !== call) out_of_state += 1;
    states[handoff] = (call + 1) as State;
    counts[call] = (counts[call] ?? 0) + 1;
    if (call === 1) claims_us.push(end_us - at_us);
    if (call === 0) queue.add({ at_us: end_us, handoff, call: 1 });
    if (call === 1) queue.add({ at_us: end_us + varied(work_us), handoff, call: 2 });
  }
  claims_us.sort((one, other) => one - other);
  const quantile = (share: number) => claims_us[Math.floor(claims_us.length * share)] ?? Number.NaN;
  const [created = 0, claimed = 0, acknowledged = 0] = counts;
  const utilisation = busy_us / (took_us * cores);
  return {
    ...{ created, claimed, acknowledged, out_of_state, utilisation, busy_us, took_us },
    claim_p50_us: quantile(0.5),
    claim_p99_us: quantile(0.99),
  };
}

/** Arrivals by their time: a heap. */
class Queue {
  readonly #heap: Arrival[] = [];

  add(arrival: Arrival): void {
    const heap = this.#heap;
    let index = heap.push(arrival) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if ((heap[parent]?.at_us ?? 0) <= arrival.at_us) break;
      heap[index] = heap[parent] as Arrival;
      index = parent;
    }
    heap[index] = arrival;
  }

  take(): Arrival | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && right.at_us < (heap[child]?.at_us ?? 0)) child += 1;
      if ((heap[child]?.at_us ?? 0) >= last.at_us) break;
      heap[index] = heap[child] as Arrival;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

/** Chance that a seed repeats (mulberry32): from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
