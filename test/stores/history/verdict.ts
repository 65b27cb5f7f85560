/** What a history must never show. */
export const faults = ['lost', 'unexpected', 'duplicate', 'stolen', 'out_of_order', 'late'] as const;

export type Fault = (typeof faults)[number];

/** What was found in a history: a sentence for each fault. */
export interface Verdict extends Record<Fault, string[]> {
  /** No fault: operations without an answer that turned out to have happened. */
  recovered: string[];
}

export function createVerdict(): Verdict {
  return { lost: [], unexpected: [], duplicate: [], stolen: [], out_of_order: [], late: [], recovered: [] };
}

/** The faults that there are, the first few of each kind; empty for a sound history. */
export function describeFaults(verdict: Verdict, shown_max = 5): string[] {
  return faults.flatMap((fault) => {
    const found = verdict[fault];
    const more = found.length > shown_max ? [`${fault}: and ${found.length - shown_max} more.`] : [];
    return [...found.slice(0, shown_max).map((says) => `${fault}: ${says}`), ...more];
  });
}
