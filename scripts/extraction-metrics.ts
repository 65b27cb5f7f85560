import { rates, type Score } from './extraction-score.ts';

/** A figure of an extraction. */
export interface Metric {
  name: string;
  value: number;
  /** The worst value that passes; absent where none is asked for. */
  floor: number | undefined;
  /** The value that is worked for. */
  aim: number;
  better: 'higher' | 'lower';
}

/** The figures of a score. Floors are the goals where they are reached with room to spare. */
export function toMetrics(score: Score): Metric[] {
  const metric = (name: string, value: number, aim: number, floor?: number): Metric => ({
    name,
    value,
    floor,
    aim,
    better: 'higher',
  });
  const decisions = rates(score.decisions);
  return [
    metric('decisions F1', decisions.f1, 0.7, 0.7),
    metric('decisions precision', decisions.precision, 0.7, 0.7),
    metric('decisions recall', decisions.recall, 0.7, 0.65),
    metric('explicit decisions recall', score.explicit.hit / Math.max(1, score.explicit.gold), 0.75, 0.75),
    metric('files F1', rates(score.files).f1, 0.92, 0.92),
    metric('files relevance accuracy', rates(score.relevance).precision, 0.7, 0.7),
    metric('files of high relevance recall', score.high_files.hit / Math.max(1, score.high_files.gold), 0.92, 0.92),
    metric('risks F1', rates(score.risks).f1, 0.45, 0.45),
    metric('risks precision', rates(score.risks).precision, 0.45, 0.45),
    metric('risks recall', rates(score.risks).recall, 0.45, 0.45),
    metric('risks severity accuracy', rates(score.severity).precision, 0.6),
    { name: 'superseded predicted', value: score.superseded, floor: 2, aim: 2, better: 'lower' },
  ];
}

/** The metrics below their floor. */
export function findBelow(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(
    ({ value, floor, better }) => floor !== undefined && (better === 'higher' ? value < floor : value > floor),
  );
}
