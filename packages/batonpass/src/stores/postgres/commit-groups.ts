/** The result of one member of a group. */
export type Outcome<Answer> = { answer: Answer } | { refusal: unknown };

/** One call that waits for its group. */
interface Waiting<Member, Answer> {
  member: Member;
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
}

interface Queue<Member, Answer> {
  waiting: Waiting<Member, Answer>[];
  /** Groups that are under way. */
  running: number;
  isScheduled: boolean;
}

/** How calls are grouped. */
export interface CommitGroupsOptions<Member> {
  /** How much a group holds: one that alone is more is a group by itself. */
  size_max: number;
  /** How much of that a member takes. Default: 1. */
  sizeOf?: (member: Member) => number;
  /** How many groups of one kind may be under way. Default: one on its way to the server, and one on its way back. */
  running_max?: number;
}

/**
 * Group commit: calls of one kind that are made in one turn of the event loop share a transaction, and so do those that
 * come while as many such transactions are under way as may be. A call that is alone waits for nothing but the
 * end of its turn.
 */
export class CommitGroups<Member, Answer> {
  readonly #run: (members: readonly Member[]) => Promise<readonly Outcome<Answer>[]>;
  readonly #options: Required<CommitGroupsOptions<Member>>;
  readonly #queues = new Map<string, Queue<Member, Answer>>();
  #isClosed = false;
  /** How many the last group had. */
  #lastGroup = 0;

  /** @param run - returns the result of each member, in their order; where it rejects, that is the result of all. */
  constructor(
    run: (members: readonly Member[]) => Promise<readonly Outcome<Answer>[]>,
    options: CommitGroupsOptions<Member>,
  ) {
    this.#run = run;
    this.#options = { sizeOf: () => 1, running_max: 2, ...options };
  }

  /** @param kind - what has another waits for nothing of this. */
  add(kind: string, member: Member): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const queue = this.#queues.get(kind) ?? { waiting: [], running: 0, isScheduled: false };
      this.#queues.set(kind, queue);
      queue.waiting.push({ member, resolve, reject });
      if (this.#isClosed) this.#begin(kind, queue);
      else this.#schedule(kind, queue);
    });
  }

  /** Begins with all that waits; what comes later waits for nobody. */
  close(): void {
    this.#isClosed = true;
    for (const [kind, queue] of this.#queues) while (queue.waiting.length > 0) this.#begin(kind, queue);
  }

  #schedule(kind: string, queue: Queue<Member, Answer>): void {
    if (queue.isScheduled || queue.running >= this.#options.running_max) return;
    queue.isScheduled = true;
    const begin = () => {
      queue.isScheduled = false;
      if (queue.waiting.length > 0) this.#begin(kind, queue);
    };
    // Who came alone the last time waits for those calls only that are made by the same code.
    if (this.#lastGroup === 1 && queue.running === 0) queueMicrotask(begin);
    else setImmediate(begin);
  }

  #begin(kind: string, queue: Queue<Member, Answer>): void {
    const group = queue.waiting.splice(0, this.#lengthOfGroup(queue.waiting));
    this.#lastGroup = group.length;
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
      const outcomes = await this.#run(group.map(({ member }) => member));
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
