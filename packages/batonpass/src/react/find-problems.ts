import { isImplied } from '../core/implied.ts';
import type { DecisionDoubt } from '../draft/decision-doubts.ts';
import type { HandoffDecision } from '../draft/handoff-draft.ts';

/** A problem that the user should know before a draft is handed on. */
export interface ReviewProblem {
  text: string;
  /** Whether it must be settled before planning. */
  isBlocking: boolean;
}

/** The problems of a draft's decisions, the blocking ones first. */
export function findProblems(
  decisions: readonly HandoffDecision[],
  doubts: ReadonlyMap<string, DecisionDoubt>,
): ReviewProblem[] {
  const there = decisions.filter(({ id }) => doubts.has(id)).flatMap(({ id }) => doubts.get(id) ?? []);
  const count = (has: (doubt: DecisionDoubt) => boolean) => there.filter(has).length;
  const implied = decisions.filter(isImplied).length;
  return [
    ...(decisions.length === 0 ? [{ text: 'There is no decision yet.', isBlocking: true }] : []),
    ...warn(
      count(({ contradictions }) => contradictions.length > 0),
      'contradicts another.',
      'contradict another.',
    ),
    ...warn(
      count(({ duplicates }) => duplicates.length > 0),
      'says what another says.',
      'say what another says.',
    ),
    ...warn(implied, 'was only implied: nobody said it.', 'were only implied: nobody said them.'),
  ];
}

function warn(count: number, one: string, many: string): ReviewProblem[] {
  if (count === 0) return [];
  return [{ text: count === 1 ? `1 decision ${one}` : `${count} decisions ${many}`, isBlocking: false }];
}

/** Counts problems, as `1 blocking, 2 warnings`. */
export function countProblems(problems: readonly ReviewProblem[]): string {
  const blocking = problems.filter(({ isBlocking }) => isBlocking).length;
  const warnings = problems.length - blocking;
  return `${blocking} blocking, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
