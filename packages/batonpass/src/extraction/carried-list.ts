import { limits } from '../core/limits.ts';

/** How much of what was given is added to a list, and which of it. */
interface CarriedBounds<Given> {
  /** Of what was given. */
  items_max: number;
  /** The least is kept first where not all is; equals by their order. Default: the order alone. */
  rankOf?: (item: Given) => number;
}

/**
 * What is new, then what was given, each in its order; of two that say the same, the new one. Ids are assigned again,
 * and the whole stays within `limits.entries_max`.
 */
export function addCarried<Given extends object | string, Own extends object | string>(
  own: readonly Own[] = [],
  given: readonly Given[],
  { items_max, rankOf = () => 0 }: CarriedBounds<Given>,
): (Given | Own)[] {
  const said = new Set(own.map(keyOfItem));
  const news = given.filter((item) => {
    const key = keyOfItem(item);
    return !said.has(key) && said.add(key);
  });
  const best = new Set(
    news
      .map((item, place) => ({ place, rank: rankOf(item) }))
      .sort((left, right) => left.rank - right.rank)
      .slice(0, items_max)
      .map(({ place }) => place),
  );
  const all = [...own, ...news.filter((_item, place) => best.has(place))];
  return all.slice(0, limits.entries_max).map((item) => withoutId(item));
}

/** What two texts have in common that say the same: white space and the last stop are no difference. */
export function keyOfText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!…]+$/, '');
}

/** What two items have in common that say the same. */
export function keyOfItem(item: object | string): string {
  if (typeof item === 'string') return keyOfText(item);
  const { content, path, description, what } = item as Record<string, string | undefined>;
  return keyOfText(content ?? path ?? description ?? what ?? '');
}

/** Ids are given when a content is kept. */
export function withoutId<T extends object | string>(item: T): T {
  if (typeof item !== 'object' || !('id' in item)) return item;
  const { id: _id, ...rest } = item as object & { id: unknown };
  return rest as T;
}
