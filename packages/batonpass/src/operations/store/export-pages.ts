import type { Store, StoredHandoff } from '../../core/store.ts';

/** Handoffs in one page: with usual contents a transaction of some ten milliseconds. */
const page_handoffs = 200;

/** One page of a store, and where it begins: the same place gives the page again. */
export interface ExportedPage {
  begins: string | undefined;
  handoffs: StoredHandoff[];
}

/**
 * All that a store contains, page by page, oldest first, from a place on. Ends early where the signal aborts. An empty
 * store has one empty page.
 */
export async function* exportPages(
  store: Pick<Store, 'export'>,
  signal: AbortSignal,
  begins?: string,
): AsyncGenerator<ExportedPage, void> {
  let place = begins;
  do {
    const { handoffs, cursor } = await store.export({ cursor: place, limit: page_handoffs });
    yield { handoffs, begins: place };
    if (cursor === undefined) return;
    place = cursor;
  } while (!signal.aborted);
}

/** Reads one page again, from a place where an earlier one began. */
export async function exportPage(store: Pick<Store, 'export'>, begins: string | undefined): Promise<StoredHandoff[]> {
  const { handoffs } = await store.export({ cursor: begins, limit: page_handoffs });
  return handoffs;
}
