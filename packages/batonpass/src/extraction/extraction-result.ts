import { z } from 'zod';
import type { Evidence } from '../core/evidence.ts';

const relevanceSchema = z.enum(['high', 'medium', 'low']);
const severitySchema = z.enum(['high', 'medium', 'low']);

/** What an extraction gives, under the names that a snapshot has. Pure, so that a browser can load it. */
export const extractionResultSchema = z.object({
  decisions: z
    .array(
      z.object({
        content: z.string().describe('A single actionable decision, phrased as a declarative statement'),
        confidence: z
          .number()
          .min(0)
          .max(1)
          .describe('How explicitly this was agreed upon (1.0 = explicit, 0.5 = implied)'),
      }),
    )
    .describe('Distinct decisions agreed upon during the brainstorm'),
  filesReferenced: z
    .array(
      z.object({
        path: z.string().describe('Relative file path from project root (e.g., src/App.jsx)'),
        relevance: relevanceSchema.describe('How central this file is to the planned work'),
        context: z.string().describe('One sentence explaining why this file matters'),
      }),
    )
    .describe('Source files mentioned or implied as needing changes'),
  risks: z
    .array(
      z.object({
        description: z.string().describe('A specific risk or concern raised during brainstorming'),
        severity: severitySchema.describe('Impact if this risk materializes'),
      }),
    )
    .describe('Technical risks, unknowns, or concerns identified'),
  summary: z.string().describe('2-3 sentence digest of what was decided and what the next step is'),
});

export type ExtractionResult = z.infer<typeof extractionResultSchema>;

/** An item with the message where it was said; without one it was implied, and comes after the others. */
type WithEvidence<T> = T & { evidence?: Evidence };

/** What `extractHandoff` gives: an `ExtractionResult` whose items name where they were said. */
export interface EvidencedResult extends ExtractionResult {
  decisions: WithEvidence<ExtractionResult['decisions'][number]>[];
  filesReferenced: WithEvidence<ExtractionResult['filesReferenced'][number]>[];
  risks: WithEvidence<ExtractionResult['risks'][number]>[];
}
