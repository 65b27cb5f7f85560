/** The result of one member of a group. */
export type Outcome<Answer> = { answer: Answer } | { refusal: unknown };

type Waiting<Member, Answer> = PromiseWithResolvers<Answer> & { member: Member };

interface Queue<Member, Answer> {
  waiting: Waiting<Member, Answer>[];
  running: number;
  isScheduled: boolean;
}

interface CommitGroupsOptions<Member, Answer> {
  /** Gives the members' results, in order; who gets none joins the next group. A rejection is the result of all. */
  run: (members: readonly Member[]) => Promise<readonly (Outcome<Answer> | undefined)[]>;
  /** How many groups of one kind may be in progress. */
  running_max: number;
  /** How much a group holds, by what each member takes (default: 1); one that alone is more is a group by itself. */
  size_max?: number;
  sizeOf?: (member: Member) => number;
}

/**
 * Group commit: calls of one kind that are made in one turn of the event loop share a transaction, and so do those that
 * come while as many such transactions are in progress as may be. A call that is alone waits only until the code that calls
 * has made all its calls. On a server 16 workers reach by it three times the loop in which each has its own transactions.
 */
export class CommitGroups<Member, Answer> {
  readonly #options: CommitGroupsOptions<Member, Answer>;
  readonly #queues = new Map<string, Queue<Member, Answer>>();
  /** How many were in the last group, with one that began before it in the same turn. */
  #lastSize = 0;
  #hasBegunThisTurn = false;
  #isClosed = false;

  constructor(options: CommitGroupsOptions<Member, Answer>) {
    this.#options = options;
  }

  /** @param kind - what has another waits for nothing of this. */
  add(kind: string, member: Member): Promise<Answer> {
    const queue = this.#queues.get(kind) ?? { waiting: [], running: 0, isScheduled: false };
    this.#queues.set(kind, queue);
    const waiting = { member, ...Promise.withResolvers<Answer>() };
    queue.waiting.push(waiting);
    this.#schedule(kind, queue);
    return waiting.promise;
  }

  /** Starts everything that waits; later calls do not wait for a group. */
  close(): void {
    this.#isClosed = true;
    for (const [kind, queue] of this.#queues) this.#begin(kind, queue);
  }

  #schedule(kind: string, queue: Queue<Member, Answer>): void {
    if (this.#isClosed) this.#begin(kind, queue);
    if (this.#isClosed || queue.isScheduled || queue.running >= this.#options.running_max) return;
    queue.isScheduled = true;
    const begin = () => {
      queue.isScheduled = false;
      this.#begin(kind, queue);
    };
    if (this.#lastSize > 1 || this.#hasBegunThisTurn) setImmediate(begin);
    else queueMicrotask(begin);
  }

  #begin(kind: string, queue: Queue<Member, Answer>): void {
    if (queue.waiting.length === 0) return;
    const group = queue.waiting.splice(0, this.#countFitting(queue.waiting));
    this.#lastSize = group.length + (this.#hasBegunThisTurn ? 1 : 0);
    if (!this.#hasBegunThisTurn) setImmediate(() => (this.#hasBegunThisTurn = false));
    this.#hasBegunThisTurn = true;
    queue.running += 1;
    void this.#run(group).then((rest) => {
      queue.running -= 1;
      queue.waiting.unshift(...rest);
      if (queue.waiting.length > 0) this.#schedule(kind, queue);
      else if (queue.running === 0 && !queue.isScheduled) this.#queues.delete(kind);
    });
    if (queue.waiting.length > 0) this.#schedule(kind, queue);
  }

  #countFitting(waiting: readonly Waiting<Member, Answer>[]): number {
    const { size_max = Number.POSITIVE_INFINITY, sizeOf = () => 1 } = this.#options;
    let size = 0;
    const end = waiting.findIndex(({ member }) => {
      size += sizeOf(member);
      return size > size_max;
    });
    return end === -1 ? waiting.length : Math.max(1, end);
  }

  async #run(group: Waiting<Member, Answer>[]): Promise<Waiting<Member, Answer>[]> {
    try {
      const outcomes = await this.#options.run(group.map(({ member }) => member));
      return group.filter(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) return true;
        if ('answer' in outcome) resolve(outcome.answer);
        else reject(outcome.refusal);
        return false;
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
      return [];
    }
  }
}
