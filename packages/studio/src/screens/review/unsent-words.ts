import type { DraftParts } from './draft-parts.ts';
import type { Conflict } from './merge-drafts.ts';

/** What one page made of a draft and the server does not have yet. */
export interface UnsentWords {
  /** What the server had when these words were written. */
  base: DraftParts;
  mine: DraftParts;
  conflicts: readonly Conflict[];
}

/** Where words wait that the server has not: they outlive a reload, a crash of the browser, and a server that is gone. */
export interface UnsentShelf {
  /** Puts this page's words there in place of its former ones; null takes them away. */
  keep(words: UnsentWords | null): void;
  /** Takes what other pages left, and leaves it there until `settle`: also a page that still lives may have left some. */
  find(): UnsentWords[];
  /** Takes away what `find` found. */
  settle(): void;
}

/** By which part of its name a text of this shelf is known. */
const prefixOf = (handoffId: string) => `baton-unsent:${handoffId}:`;

/**
 * The shelf of one draft in a storage of the browser. A storage that is full or closed keeps nothing, and says nothing:
 * the words are on the page, which says that they are not saved.
 *
 * @param openStorage - gives the storage; where a browser has none it may throw.
 * @param pageId - of this page alone, so that two pages with one draft leave each other's words alone.
 */
export function openShelf(openStorage: () => Storage, handoffId: string, pageId: string): UnsentShelf {
  const prefix = prefixOf(handoffId);
  let found: string[] = [];
  return {
    keep: (words) =>
      attempt(() => {
        if (words === null) openStorage().removeItem(prefix + pageId);
        else openStorage().setItem(prefix + pageId, JSON.stringify(words));
      }),
    find() {
      const words: UnsentWords[] = [];
      attempt(() => {
        const storage = openStorage();
        found = Object.keys(storage).filter((name) => name.startsWith(prefix) && name !== prefix + pageId);
        for (const name of found) attempt(() => words.push(JSON.parse(storage.getItem(name) ?? '') as UnsentWords));
      });
      return words;
    },
    settle: () =>
      attempt(() => {
        for (const name of found.splice(0)) openStorage().removeItem(name);
      }),
  };
}

function attempt(run: () => void): void {
  try {
    run();
  } catch {
    // No storage, a full one, or words of a version that nobody can read: the page itself says what is not saved.
  }
}
