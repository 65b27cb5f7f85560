import { attempt } from '../../shell/attempt.ts';
import type { DraftParts } from './draft-parts.ts';
import type { Conflict } from './merge-drafts.ts';

/** The changes of one page that the server does not have yet. */
interface UnsentWords {
  /** The server's version when these texts were written. */
  base: DraftParts;
  mine: DraftParts;
  conflicts: readonly Conflict[];
}

/** The storage of unsaved texts: they survive a reload, a crash of the browser, and an unreachable server. */
export interface UnsentShelf {
  /** Stores this page's texts in place of its previous ones; null removes them. */
  keep(words: UnsentWords | null): void;
  /** Returns the texts of other pages, and keeps them until `settle`: an open page can have stored them. */
  find(): UnsentWords[];
  /** Removes what `find` returned. */
  settle(): void;
}

/**
 * The shelf of one draft in the browser's storage. A full or unavailable storage is not reported: the texts are on the
 * page, which shows that they are not saved.
 *
 * @param openStorage - returns the storage; may throw where a browser has none.
 * @param pageId - of this page only, so that two pages with one draft keep separate texts.
 */
export function openShelf(openStorage: () => Storage, handoffId: string, pageId: string): UnsentShelf {
  const prefix = `baton-unsent:${handoffId}:`;
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
