import type { Extractor } from '../core/model-settings.ts';

/** What an extraction did: who made it, what it cost, and what of an answer was not believed. */
export interface ExtractionReport {
  /** Whose extraction it is. */
  extractor: Extractor;
  /** Why the rules answered although a model was asked, in a sentence. */
  note?: string;
  /** Absent where no model was asked. */
  model?: ModelReport;
}

/** What requests to a model were made and gave, also where the rules answered in the end. */
export interface ModelReport {
  provider: string;
  model: string;
  /** Parts that the conversation was read in. */
  windows: number;
  /** Requests that were sent, repeated ones included. */
  requests: number;
  /** As the provider counts them; 0 where it does not. */
  input_tokens: number;
  output_tokens: number;
  /**
   * Tokens of one prompt that the server did not count as read, by an estimate: its context is probably too small, and
   * a part of the conversation was not read. Absent where there were none.
   */
  unread_tokens?: number;
  /** Absent where no price is configured. */
  cost?: { amount: number; currency: string };
  dropped: DroppedItems;
  /** Quotes that were in another message than the one named. */
  moved_quotes: number;
}

/** What of an answer was left out. */
export interface DroppedItems {
  /** Items whose quote nobody said. */
  invented_quotes: number;
  /** Files whose path leads out of the project, or is none. */
  refused_paths: number;
  /** Decisions that the model reversed without a quote to prove it; they stay. */
  unproven_reversals: number;
}

/** Something that an extraction named and did not get in, in the words that were refused. */
export interface RefusedItem {
  /** A path that leads out of the project, or words that nobody said. */
  kind: 'path' | 'quote';
  content: string;
}
