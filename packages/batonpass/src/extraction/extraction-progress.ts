import type { Gathered } from './model/gather-answers.ts';

/** How far a model has read a conversation, and what it found by then. */
export interface ExtractionProgress {
  /** Messages that were read. */
  read: number;
  /** Messages that there are to read. */
  messages: number;
  found: FoundSoFar;
}

/** Items found at the time of the report; a later window can still reverse one. */
export interface FoundSoFar {
  decisions: number;
  files: number;
  risks: number;
}

/** How many items were found by now. */
export function countFound({ decisions, files, risks }: Pick<Gathered, 'decisions' | 'files' | 'risks'>): FoundSoFar {
  return { decisions: decisions.length, files: files.size, risks: risks.length };
}

/** As a line that is shown while one waits: `50 of 230 messages read, 12 items found`. */
export function describeExtraction({ read, messages, found }: ExtractionProgress): string {
  const items = found.decisions + found.files + found.risks;
  const words = `${read} of ${messages} ${messages === 1 ? 'message' : 'messages'} read`;
  return items === 0 ? words : `${words}, ${items} ${items === 1 ? 'item' : 'items'} found`;
}
