/** What one handoff costs a server, as it was measured: created, claimed and acknowledged, a call each. */
export interface Costs {
  /** Processor time of the server's processes, in all. */
  server_cpu_us: number;
  /** The same of its create, its claim and its acknowledgement. */
  call_cpu_us: readonly [number, number, number];
  /** Processor time of the callers. */
  client_cpu_us: number;
  wal_bytes: number;
  /** Syncs of the log; commits that come at once share one. */
  wal_syncs: number;
  commits: number;
  /** Of tables and indexes, history included, dead rows apart. */
  kept_bytes: number;
  /** From the call to the answer of those that come at once, for each of them: so long a project's next create waits. */
  create_us: number;
}

/** A server and its assumed load. */
export interface Assumptions {
  cores: number;
  /** What its log can take, in bytes a second. */
  wal_bytes_per_second: number;
  /** Syncs a second that its disk can do. */
  syncs_per_second: number;
  /** The part of each that is planned with: the rest is for unplanned load. */
  utilisation_max: number;
  /** The busiest hour over the mean of the day. */
  peak_over_mean: number;
  projects: number;
  /** How uneven projects are: the nth largest has 1/n^exponent of the largest. */
  unevenness: number;
}

/** The default assumptions. */
export const assumptions: Assumptions = {
  cores: 16,
  wal_bytes_per_second: 200e6,
  syncs_per_second: 5_000,
  utilisation_max: 0.6,
  peak_over_mean: 3,
  projects: 100_000,
  unevenness: 0.6,
};

const day_seconds = 86_400;

/** Handoffs a second that one server can be planned with, and what bounds it. */
export interface Capacity {
  per_second: number;
  bound: 'processor' | 'log' | 'syncs';
}

/** The least of what its resources allow. Commits that come at once share a sync, so that a bound by syncs is a safe one. */
export function capacityOf(costs: Costs, given: Assumptions): Capacity {
  const allowed = [
    { bound: 'processor', per_second: (given.cores * 1e6) / costs.server_cpu_us },
    { bound: 'log', per_second: given.wal_bytes_per_second / costs.wal_bytes },
    { bound: 'syncs', per_second: given.syncs_per_second / costs.wal_syncs },
  ] as const;
  const least = allowed.reduce((one, other) => (other.per_second < one.per_second ? other : one));
  return { bound: least.bound, per_second: least.per_second * given.utilisation_max };
}

/** Handoffs a second that one project can be planned with: its creates are committed one after the other. */
export function projectCapacity(costs: Costs, { utilisation_max }: Assumptions): number {
  return (1e6 / costs.create_us) * utilisation_max;
}

/** What so many handoffs a day ask of how many servers. */
export interface Plan {
  per_day: number;
  mean_per_second: number;
  peak_per_second: number;
  servers: number;
  bound: Capacity['bound'];
  /** The load of the busiest server over the mean of all, projects placed one by one. */
  imbalance: number;
  /** Of the busiest server at the busiest hour; 1 is all that its processors can do. */
  utilisation: number;
  /** Of the busiest server at the busiest hour. */
  wal_bytes_per_second: number;
  kept_bytes_per_day: number;
  /** Of the largest project at the busiest hour, over what one project can be planned with. */
  largest_project: number;
  /** Handoffs a second of each server at the busiest hour, the busiest first. */
  loads: readonly number[];
}

/** The fewest servers of which none is asked for more than it is planned with. */
export function planFor(per_day: number, costs: Costs, given: Assumptions = assumptions): Plan {
  const mean_per_second = per_day / day_seconds;
  const peak_per_second = mean_per_second * given.peak_over_mean;
  const { per_second, bound } = capacityOf(costs, given);
  const shares = sharesOf(given);
  let servers = Math.max(1, Math.ceil(peak_per_second / per_second));
  let loads = placeProjects(shares, servers).map((share) => share * peak_per_second);
  // A project is not split: where the largest alone asks for more, no number of servers helps.
  const largest_per_second = (shares[0] ?? 0) * peak_per_second;
  while (Math.max(...loads) > per_second && largest_per_second <= per_second) {
    servers += 1;
    loads = placeProjects(shares, servers).map((share) => share * peak_per_second);
  }
  const busiest = Math.max(...loads);
  return {
    per_day,
    mean_per_second,
    peak_per_second,
    servers,
    bound,
    imbalance: busiest / (peak_per_second / servers),
    utilisation: utilisationOf(busiest, costs, given),
    wal_bytes_per_second: busiest * costs.wal_bytes,
    kept_bytes_per_day: per_day * costs.kept_bytes,
    largest_project: largest_per_second / projectCapacity(costs, given),
    loads,
  };
}

/** The utilisation law: what comes in a second, times what each takes, over the processors that there are. */
export function utilisationOf(per_second: number, { server_cpu_us }: Costs, { cores }: Assumptions): number {
  return (per_second * server_cpu_us) / 1e6 / cores;
}

/** The part of all handoffs that each project has, the largest first; together 1. */
export function sharesOf({ projects, unevenness }: Pick<Assumptions, 'projects' | 'unevenness'>): number[] {
  const weights = Array.from({ length: projects }, (_, index) => (index + 1) ** -unevenness);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The largest project first, each onto the server that has the least; the parts of all servers, the busiest first. */
function placeProjects(shares: readonly number[], servers: number): number[] {
  const loads: number[] = Array.from({ length: servers }, () => 0);
  for (const share of shares) {
    let least = 0;
    for (let index = 1; index < servers; index += 1) if ((loads[index] ?? 0) < (loads[least] ?? 0)) least = index;
    loads[least] = (loads[least] ?? 0) + share;
  }
  return loads.sort((one, other) => other - one);
}
