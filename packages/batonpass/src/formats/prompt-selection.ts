import type { PromptItem, PromptSection } from './prompt-sections.ts';
import { estimateTokens, shortenToTokens } from './token-estimate.ts';

/** The lines that are shown, and whether each holds its whole item. */
export type ShownItems = Map<PromptItem, { line: string; whole: boolean }>;

/** A shortened item below this says too little for its place. */
const SHORTENED_TOKENS_MIN = 24;

/**
 * Chooses what fits into a room, in two rounds. First every section takes its best items within its own share, so that
 * a hundred decisions never push out the next steps; an item larger than half of the share is shortened. Then what is
 * left of the room goes by the sections' order: shortened items are shown whole again, further ones are added, and a
 * section that has nothing yet shows at least the beginning of its first item.
 */
export function chooseItems(sections: readonly PromptSection[], room_tokens: number): ShownItems {
  const shown: ShownItems = new Map();
  let left = Math.max(0, room_tokens);
  for (const section of sections) left -= fillShare(section, shareOf(section, room_tokens), shown);
  for (const section of sections) left -= fillRest(section, left, shown);
  return shown;
}

/** No text of ASCII has more characters to a token: eight small letters and a space. */
const PLAIN_CHARACTERS_A_TOKEN_MAX = 9;

/** Every item whole; null where so many characters surely do not fit, or one of the items is not whole. */
export function showAll(sections: readonly PromptSection[], budget_tokens: number): ShownItems | null {
  const shown: ShownItems = new Map();
  let left = budget_tokens * PLAIN_CHARACTERS_A_TOKEN_MAX;
  for (const { items } of sections) {
    for (const item of items) {
      const line = lineOf(item);
      left -= line.length;
      if (item.partial || left < 0) return null;
      shown.set(item, { line, whole: true });
    }
  }
  return shown;
}

/** Room for joints between the frame and what stands in it. */
export const FRAME_RESERVE_TOKENS = 4;

/** More than the notice of what was cut is worth without what it counts, and then with each section that it names. */
const NOTICE_TOKENS_MAX = 50;
const NOTICE_PART_TOKENS_MAX = 12;

/**
 * By how much the prices of all items, the frame's with its longest notice included, can lie above the tokens of a text
 * of ASCII that shows them all: with so much room to spare `chooseItems` shows them all too.
 */
export function reserveOf(sections: readonly PromptSection[], shown: ShownItems): number {
  const ofSections = sections.length * (NOTICE_PART_TOKENS_MAX + HEADING_BREAK_TOKENS);
  return FRAME_RESERVE_TOKENS + NOTICE_TOKENS_MAX + ofSections + shown.size * LINE_BREAK_TOKENS;
}

function shareOf(section: PromptSection, room_tokens: number): number {
  return Math.floor(Math.max(0, room_tokens) * section.share);
}

/** @returns the tokens spent. */
function fillShare(section: PromptSection, share: number, shown: ShownItems): number {
  let spent = 0;
  for (const item of section.items) {
    const heading = spent === 0 ? priceOfHeading(section) : 0;
    const room = share - spent - heading;
    if (room < 2) break;
    const line = lineOf(item);
    const price = priceOf(line);
    if (price <= room) {
      shown.set(item, { line, whole: !item.partial });
      spent += heading + price;
    } else {
      const shortened = price > share / 2 ? shortenItem(item, Math.min(room, Math.floor(share / 2))) : null;
      if (shortened !== null) {
        shown.set(item, { line: shortened, whole: false });
        spent += heading + priceOf(shortened);
      }
      if (section.ordered) break;
    }
  }
  return spent;
}

/** @returns the tokens spent beyond those of the first round. */
function fillRest(section: PromptSection, left: number, shown: ShownItems): number {
  let spent = 0;
  let empty = !section.items.some((item) => shown.has(item));
  for (const item of section.items) {
    const present = shown.get(item);
    const line = lineOf(item);
    if (present?.line === line) continue;
    const heading = empty ? priceOfHeading(section) : 0;
    const price = priceOf(line) - (present === undefined ? 0 : priceOf(present.line)) + heading;
    if (price <= left - spent) {
      shown.set(item, { line, whole: !item.partial });
      spent += price;
      empty = false;
      continue;
    }
    const shortened = empty ? shortenItem(item, left - spent - heading) : null;
    if (shortened !== null) {
      shown.set(item, { line: shortened, whole: false });
      spent += heading + priceOf(shortened);
      empty = false;
    }
    if (section.ordered) break;
  }
  return spent;
}

function lineOf(item: PromptItem): string {
  return `${item.mark}${item.text}${item.suffix}`.trimEnd();
}

function shortenItem(item: PromptItem, tokens_max: number): string | null {
  const room = tokens_max - priceOf(`${item.mark}${item.suffix}`);
  if (room < SHORTENED_TOKENS_MIN) return null;
  const text = shortenToTokens(item.text, room);
  return text === null ? null : `${item.mark}${text}${item.suffix}`;
}

const LINE_BREAK_TOKENS = 1;

/** A line with its line break. */
function priceOf(line: string): number {
  return estimateTokens(line) + LINE_BREAK_TOKENS;
}

const HEADING_BREAK_TOKENS = 2;

/** A heading with the empty line before it. */
function priceOfHeading(section: PromptSection): number {
  return estimateTokens(`## ${section.heading}`) + HEADING_BREAK_TOKENS;
}
