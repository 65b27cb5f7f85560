import { useEffect, useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { createHandoffStore, type HandoffDraftStore } from '../../../../batonpass/src/draft/handoff-store.ts';
import { ask, call, createKey } from '../../server/call.ts';
import { useEvents } from '../../server/events.ts';
import { undoLast } from '../../shell/announcements.ts';
import { type DraftDeeds, followDeeds } from './draft-deeds.ts';
import { DraftSync } from './draft-sync.ts';
import { openShelf } from './unsent-words.ts';

/** A draft under review and what keeps it together with the one on the server. */
export interface SyncedDraft {
  store: HandoffDraftStore;
  sync: DraftSync;
}

/** One under review, whose changes are taken back in their turn. */
export interface ReviewedDraft extends SyncedDraft {
  /** Takes back what was done last. @param own - the review's own undo, for where that was in this draft. */
  undo: (own: () => void) => void;
}

/** The draft is the server's: the browser keeps only what that has not. */
const nothingStored = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

/** Keeps a draft that was just loaded together with the server for as long as the screen is shown. */
export function useDraftSync(loaded: Handoff): ReviewedDraft {
  const [draft] = useState(() => openDraft(loaded));
  const { sync } = draft;
  const { id } = loaded;
  const deeds = useRef<DraftDeeds | null>(null);
  useEffect(() => {
    const followed = followDeeds(draft);
    deeds.current = followed;
    const hide = () => void (document.visibilityState === 'hidden' && sync.save());
    // After `beforeunload`, in which the review puts open edits into the store.
    const leave = () =>
      sync.leave((input) => {
        const init = { method: 'POST', body: JSON.stringify(input), headers: { 'content-type': 'application/json' } };
        ask('/api/handoff.edit', { ...init, keepalive: true }).catch(() => {
          // Nobody is there to be told; the words are on the shelf.
        });
      });
    document.addEventListener('visibilitychange', hide);
    window.addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      window.removeEventListener('pagehide', leave);
      // The review puts open edits into the store when it goes, which is after this.
      queueMicrotask(() => {
        const saved = sync.save().finally(() => sync.close());
        followed.leave(saved);
      });
    };
  }, [draft, sync]);
  useEvents({ handoff_id: id }, (events) => {
    const isEdited = events.every(({ name }) => name === 'handoff-edited');
    const sha256 = events.at(-1)?.details?.content_sha256;
    sync.hear(isEdited && typeof sha256 === 'string' ? sha256 : '');
  });
  const first = useRef(loaded);
  useEffect(() => {
    // Loaded again, it may have been changed while nobody listened.
    if (loaded !== first.current) sync.hear();
  }, [sync, loaded]);
  const undo = (own: () => void) => {
    const { current } = deeds;
    if (current === null) return;
    current.own = own;
    void undoLast();
  };
  return { ...draft, undo };
}

function openDraft(handoff: Handoff): SyncedDraft {
  const { id } = handoff;
  const store = createHandoffStore({ storage: nothingStored, createId: () => `x${createKey().slice(0, 7)}` });
  const sync = new DraftSync({
    store,
    handoff,
    shelf: openShelf(() => localStorage, id, createKey().slice(0, 8)),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    server: { edit: (input) => call('handoff.edit', input), get: () => call('handoff.get', { id }) },
  });
  return { store, sync };
}
