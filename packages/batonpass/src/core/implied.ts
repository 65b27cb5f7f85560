import type { Decision } from './content.ts';

/** Below it a decision was implied rather than agreed (source 5: 1 explicit, 0.5 implied). */
const CONFIDENCE_EXPLICIT_MIN = 0.75;

/**
 * Whether a decision was never stated explicitly: it was extracted without a quote, or with little confidence.
 * What a writer states without a confidence is stated, not extracted.
 */
export function isImplied({ source, confidence, evidence }: Decision): boolean {
  if (source !== 'ai-extracted' || confidence === undefined) return false;
  return evidence === undefined || confidence < CONFIDENCE_EXPLICIT_MIN;
}

/** From here on a confidence adds nothing: the decision was agreed explicitly. */
const CONFIDENCE_PLAIN_MIN = 0.9;

/** Whether an extraction's confidence in a decision is low enough that a reader should see it. */
export function isUnsure({ source, confidence = 1 }: Decision): boolean {
  return source === 'ai-extracted' && confidence < CONFIDENCE_PLAIN_MIN;
}
