import type { Content, ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { markOfWords } from '../core/edit-marks.ts';
import type { Evidence } from '../core/evidence.ts';
import { maskSecrets } from '../core/masking.ts';
import { normalize, saysTheSame, toKept } from '../extraction/merge-extractions.ts';
import { findSaid } from './find-said.ts';
import type { Edits } from './keep-edits.ts';

/** A decision in the words in which a person pinned it, with their place in the conversation, where there is one. */
interface PinnedDecision {
  content: string;
  source: 'user-pinned';
  evidence?: Evidence;
}

/**
 * An extraction with what a person pinned in its conversation: the pins come first, in the person's order, and extracted
 * items with the same meaning as one of them are left out.
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

/** An earlier handoff of the conversation without the pins that were removed since; what a review added stays. */
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
