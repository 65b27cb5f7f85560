import { z } from 'zod';
import type { Conversation } from './conversation.ts';
import { limits } from './limits.ts';

/** Where an item comes from: the quote is an exact substring of that message's text. */
export const evidenceSchema = z.strictObject({
  /** The transcript's session or file, where the handoff's origin does not already name it. */
  transcript: z.string().max(limits.name_characters_max).optional(),
  /** The message's index in its conversation, from 0. */
  message: z.int().min(0),
  quote: z.string().min(1).max(limits.quote_characters_max),
});

export type Evidence = z.infer<typeof evidenceSchema>;

/**
 * Whether a quote is, character for character, in the message that it names.
 * This is the mechanical check: an item whose evidence fails it is refused, from any extractor.
 */
export function isEvidenced(evidence: Evidence, conversation: Conversation): boolean {
  return conversation.messages[evidence.message]?.text.includes(evidence.quote) ?? false;
}
