import type { Evidence } from '../core/evidence.ts';

/** A text as a draft keeps it: without white space around it, and of whole characters, so that it has a hash. */
export function toDraftText(text: string): string {
  return text.trim().toWellFormed();
}

/** Evidence as a draft keeps it. A quote that was cut inside of a character is none: it has no hash. */
export function toDraftEvidence(evidence: Evidence | undefined): { evidence?: Evidence } {
  return evidence?.quote.isWellFormed() === true ? { evidence } : {};
}
