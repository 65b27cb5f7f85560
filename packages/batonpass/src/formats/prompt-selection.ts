import { bare, type PromptItem } from './prompt-lines.ts';
import type { PromptSection } from './prompt-sections.ts';
import { estimateTokens, shortenToTokens } from './token-estimate.ts';

/** The items that are shown, each with its text as it is shown, and whether that is the whole item. */
export type ShownItems = Map<PromptItem, ShownItem>;

interface ShownItem {
  text: string;
  whole: boolean;
  /** Set where it is shown in few words, without its source. */
  isBrief?: boolean;
}

/** A shortened item below this carries too little for its place. */
const SHORTENED_TOKENS_MIN = 24;

/** A conversation that takes no more of the room is shown whole; the lists have what is left. */
const WHOLE_SHARE = 0.7;

/** Room for joints between the frame and the sections. */
export const FRAME_RESERVE_TOKENS = 4;
const LINE_BREAK_TOKENS = 1;
/** A heading with the empty line before it. */
const HEADING_BREAK_TOKENS = 2;
/** The mark of what is missing between two sentences of one message. */
const GAP_TOKENS = 1;

/**
 * Chooses what fits into a room, in two rounds. First every section takes its best items within its own share, so that
 * a hundred decisions never push out the next steps; an item larger than half of the share is shortened. Then what is
 * left of the room goes to the conversation's own words, and after them by the sections' order: shortened items are
 * shown whole again, further ones are added, and a section that has nothing yet shows at least the beginning of its
 * first item. A sentence that another item already contains is not shown again. A short conversation comes before all.
 */
export function chooseItems(sections: readonly PromptSection[], room_tokens: number): ShownItems {
  const choice = new Choice(Math.max(0, room_tokens));
  choice.fillBriefs(sections);
  choice.fillWhole(
    sections.filter(({ isSpoken }) => isSpoken),
    room_tokens * WHOLE_SHARE,
  );
  for (const section of sections) choice.fillShare(section, Math.floor(Math.max(0, room_tokens) * section.share));
  const spoken = sections.filter(({ isSpoken }) => isSpoken);
  choice.fillRest(spoken.flatMap(listEntries).sort((left, right) => (left.item.rank ?? 0) - (right.item.rank ?? 0)));
  for (const section of sections) if (!section.isSpoken) choice.fillRest(listEntries(section));
  return choice.shown;
}

/** An item with the section that it is shown in. */
interface Entry {
  section: PromptSection;
  item: PromptItem;
}

function listEntries(section: PromptSection): Entry[] {
  return section.items.map((item) => ({ section, item }));
}

class Choice {
  readonly shown: ShownItems = new Map();
  readonly #groups = new Set<string>();
  /** The text of the shown items, without marks and white space. */
  #said = '';
  #left: number;

  constructor(room_tokens: number) {
    this.#left = room_tokens;
  }

  /** What has a brief, in the order of importance: first all of them brief, as far as they fit, then whole from the top. */
  fillBriefs(sections: readonly PromptSection[]): void {
    const places = sections
      .flatMap((section) => section.items.map((item) => ({ item, section })))
      .filter(({ item }) => item.brief !== undefined)
      .sort((left, right) => (left.item.order ?? 0) - (right.item.order ?? 0));
    for (const { item, section } of places) {
      const text = item.brief ?? item.text;
      const price = this.#priceOfHeading(section) + this.#priceOf({ mark: item.mark, suffix: '' }, text);
      if (price <= this.#left) this.#show(item, { text, whole: text === item.text, isBrief: true }, price);
    }
    for (const { item } of places) {
      if (!this.shown.has(item)) continue;
      const price =
        this.#priceOf(item, item.text) - this.#priceOf({ mark: item.mark, suffix: '' }, item.brief ?? item.text);
      if (price <= this.#left) this.#show(item, { text: item.text, whole: !item.partial }, price);
    }
  }

  /** All that was said, if it fits into this room: a short conversation is shown as it was, without gaps. */
  fillWhole(spoken: readonly PromptSection[], room: number): void {
    const whole = new Choice(room);
    for (const section of spoken) {
      for (const item of section.items) {
        const price = whole.#priceOf(item, item.text) + whole.#priceOfHeading(section);
        if (price > whole.#left) return;
        whole.#show(item, { text: item.text, whole: !item.partial }, price);
      }
    }
    for (const [item, shown] of whole.shown) this.#show(item, shown, 0);
    this.#left -= room - whole.#left;
  }

  fillShare(section: PromptSection, share: number): void {
    if (share < (section.share_tokens_min ?? 0)) return;
    let room = Math.min(share, this.#left);
    for (const item of section.items) {
      const heading = this.#priceOfHeading(section);
      if (room - heading < 2 || this.#isFull(section)) break;
      if (isSaid(this.#said, item, section) || this.shown.has(item)) continue;
      const price = heading + this.#priceOf(item, item.text);
      if (price <= room) {
        this.#show(item, { text: item.text, whole: !item.partial }, price);
        room -= price;
        continue;
      }
      // The beginning of a fact of the state says more than none of it.
      const isCut = price > share / 2 || section.name === 'where_it_stands';
      const spent = isCut ? this.#showShortened(section, item, Math.min(room, Math.floor(share / 2))) : 0;
      room -= spent;
      if (section.ordered) break;
    }
  }

  /** What stands right behind a sentence that has no room is left out too: half a block misleads. */
  fillRest(entries: readonly Entry[]): void {
    let torn: number | undefined;
    for (const { section, item } of entries) {
      if (torn !== undefined && item.place === torn + 1) {
        torn = item.place;
        continue;
      }
      const present = this.shown.get(item);
      if (present?.isBrief) continue;
      if (present?.text === item.text) continue;
      if (present === undefined && (this.#isFull(section) || isSaid(this.#said, item, section))) continue;
      const heading = this.#priceOfHeading(section);
      const refund = present === undefined ? 0 : this.#priceOf(item, present.text);
      const price = this.#priceOf(item, item.text) - refund + heading;
      if (price <= this.#left) {
        this.#show(item, { text: item.text, whole: !item.partial }, price);
        continue;
      }
      torn = item.place;
      if (heading > 0) this.#showShortened(section, item, this.#left);
      if (section.ordered) break;
    }
  }

  #showShortened(section: PromptSection, item: PromptItem, room: number): number {
    const heading = this.#priceOfHeading(section);
    if (section.isWhole || room - heading < SHORTENED_TOKENS_MIN) return 0;
    const text = shortenToTokens(item.text, room - heading - this.#priceOf(item, ''));
    if (text === null) return 0;
    const price = heading + this.#priceOf(item, text);
    this.#show(item, { text, whole: false }, price);
    return price;
  }

  #show(item: PromptItem, shown: ShownItem, price: number): void {
    this.shown.set(item, shown);
    if (item.group !== undefined) this.#groups.add(item.group);
    this.#said += ` ${bare(shown.text)}`;
    this.#left -= price;
  }

  #isFull({ items, items_max }: PromptSection): boolean {
    if (items_max === undefined) return false;
    return items.reduce((count, item) => count + Number(this.shown.has(item)), 0) >= items_max;
  }

  /** A line with its line break; of a sentence the label of its message too, where that is not there yet. */
  #priceOf({ mark, suffix, group }: Pick<PromptItem, 'mark' | 'suffix' | 'group'>, text: string): number {
    if (group === undefined) return estimateTokens(`${mark}${text}${suffix}`) + LINE_BREAK_TOKENS;
    const label = this.#groups.has(group) ? GAP_TOKENS : estimateTokens(`${mark}${group}`) + LINE_BREAK_TOKENS;
    return estimateTokens(text) + label;
  }

  #priceOfHeading({ items, heading }: PromptSection): number {
    if (items.some((item) => this.shown.has(item))) return 0;
    return estimateTokens(`## ${heading}`) + HEADING_BREAK_TOKENS;
  }
}

/** A line of fewer letters is worth its place although another says it: lists and blocks of commands stay whole. */
const SAID_LETTERS_MIN = 16;

/**
 * Whether what is said, reduced, contains a sentence of the conversation, or all that a derived line says. Short
 * sentences occur everywhere by chance.
 */
export function isSaid(said: string, { group, text }: PromptItem, { isDerived }: PromptSection): boolean {
  if (isDerived) {
    const parts = text
      .split(/[.;:!?…。！？；]+/)
      .map(bare)
      .filter(({ length }) => length >= SAID_LETTERS_MIN);
    return parts.length > 0 && parts.every((part) => said.includes(part));
  }
  const sentence = bare(text);
  return group !== undefined && sentence.length >= SAID_LETTERS_MIN && said.includes(sentence);
}
