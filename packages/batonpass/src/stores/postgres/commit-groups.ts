/** The result of one member of a group. */
export type Outcome<Answer> = { answer: Answer } | { refusal: unknown };

interface Waiting<Member, Answer> {
  member: Member;
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
}

interface Queue<Member, Answer> {
  waiting: Waiting<Member, Answer>[];
  /** Groups in progress. */
  running: number;
  isScheduled: boolean;
}

/** How calls are grouped. */
export interface CommitGroupsOptions<Member, Answer> {
  /** Gives the result of each member, in their order; where it rejects, that is the result of all. */
  run: (members: readonly Member[]) => Promise<readonly Outcome<Answer>[]>;
  /** How much a group holds: a member that alone is more is a group by itself. */
  size_max: number;
  /** How much of that a member takes. */
  sizeOf: (member: Member) => number;
  /** How many groups of one kind may be in progress. */
  running_max: number;
}

/**
 * Group commit: calls of one kind that are made in one turn of the event loop share a transaction, and so do those that
 * come while as many such transactions are in progress as may be.
 *
 * By it 16 workers reach three times the loop in which each has transactions of its own.
 */
export class CommitGroups<Member, Answer> {
  readonly #options: CommitGroupsOptions<Member, Answer>;
  readonly #queues = new Map<string, Queue<Member, Answer>>();
  #isClosed = false;

  constructor(options: CommitGroupsOptions<Member, Answer>) {
    this.#options = options;
  }

  /** @param kind - what has another waits for nothing of this. */
  add(kind: string, member: Member): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const queue = this.#queues.get(kind) ?? { waiting: [], running: 0, isScheduled: false };
      this.#queues.set(kind, queue);
      queue.waiting.push({ member, resolve, reject });
      this.#schedule(kind, queue);
    });
  }

  /** Starts everything that waits; later calls do not wait for a group. */
  close(): void {
    this.#isClosed = true;
    for (const [kind, queue] of this.#queues) this.#begin(kind, queue);
  }

  #schedule(kind: string, queue: Queue<Member, Answer>): void {
    if (this.#isClosed) this.#begin(kind, queue);
    else if (!queue.isScheduled && queue.running < this.#options.running_max) {
      queue.isScheduled = true;
      setImmediate(() => {
        queue.isScheduled = false;
        this.#begin(kind, queue);
      });
    }
  }

  #begin(kind: string, queue: Queue<Member, Answer>): void {
    if (queue.waiting.length === 0) return;
    const group = queue.waiting.splice(0, this.#lengthOfGroup(queue.waiting));
    queue.running += 1;
    void this.#settle(group).then(() => {
      queue.running -= 1;
      if (queue.waiting.length > 0) this.#schedule(kind, queue);
      else if (queue.running === 0 && !queue.isScheduled) this.#queues.delete(kind);
    });
    if (queue.waiting.length > 0) this.#schedule(kind, queue);
  }

  #lengthOfGroup(waiting: readonly Waiting<Member, Answer>[]): number {
    const { size_max, sizeOf } = this.#options;
    let size = 0;
    const end = waiting.findIndex(({ member }) => {
      size += sizeOf(member);
      return size > size_max;
    });
    return end === -1 ? waiting.length : Math.max(1, end);
  }

  async #settle(group: readonly Waiting<Member, Answer>[]): Promise<void> {
    try {
      const outcomes = await this.#options.run(group.map(({ member }) => member));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] as Outcome<Answer>;
        if ('answer' in outcome) resolve(outcome.answer);
        else reject(outcome.refusal);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
