import type { Evidence } from '../core/evidence.ts';
import type { ExtractedDecision, ExtractedRisk, ExtractedStatement, Extraction } from './extraction.ts';

type Implied<T> = Omit<T, 'evidence'> & { evidence?: Evidence };

/**
 * An extraction whose items may lack evidence. Rules have a quote for each of theirs; a model may name what nobody said
 * in words. Such an item is implied and comes last.
 */
export interface PartlyEvidenced extends Omit<Extraction, 'decisions' | 'risks' | 'next_steps' | 'open_questions'> {
  decisions: Implied<ExtractedDecision>[];
  risks: Implied<ExtractedRisk>[];
  next_steps: Implied<ExtractedStatement>[];
  open_questions: Implied<ExtractedStatement>[];
}
