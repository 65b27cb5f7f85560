import type { Content, ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { markOfWords } from '../core/edit-marks.ts';
import type { Evidence } from '../core/evidence.ts';
import { maskSecrets } from '../core/masking.ts';
import { normalize, saysTheSame, toKept } from '../extraction/merge-extractions.ts';
import { findSaid } from './find-said.ts';
import type { Edits } from './keep-edits.ts';

/** A decision in the words in which a person pinned it, with the place where they were said, where there is one. */
interface PinnedDecision {
  content: string;
  source: 'user-pinned';
  evidence?: Evidence;
}

/**
 * An extraction with what a person pinned in its conversation: his pins stand first, in his order, and what was extracted
 * and says the same as one of them is left out.
 *
 * @param pins - texts of the conversation; their secrets are masked.
 */
export function withPins(content: ContentInput, pins: readonly string[], conversation: Conversation): ContentInput {
  const pinned = toPinned(pins, conversation);
  const kept = pinned.map(({ content: text, evidence }) => toKept(text, evidence));
  const others = (content.decisions ?? []).filter((decision) => {
    const { content: text, evidence } = typeof decision === 'string' ? { content: decision } : decision;
    return !kept.some((pin) => saysTheSame(pin, toKept(text, evidence)));
  });
  return { ...content, decisions: [...pinned, ...others] };
}

/** An earlier handoff of the conversation without the pins that were taken off since; what a review put in stays. */
export function withoutUnpinned(earlier: Content, pins: readonly string[], { added }: Edits): Content {
  const still = new Set(pins.map((pin) => normalize(maskSecrets(pin).text)));
  const decisions = earlier.decisions.filter(
    (decision) =>
      decision.source !== 'user-pinned' ||
      still.has(normalize(decision.content)) ||
      added.has(markOfWords('decisions', decision)),
  );
  return { ...earlier, decisions };
}

function toPinned(pins: readonly string[], { messages }: Conversation): PinnedDecision[] {
  const said = messages.map(({ text }) => text);
  const pinned = new Map(pins.map((pin) => [normalize(pin), maskSecrets(pin.trim()).text]));
  return [...pinned.values()].map((content) => {
    const evidence = findSaid(content, said);
    return { content, source: 'user-pinned' as const, ...(evidence === undefined ? {} : { evidence }) };
  });
}
