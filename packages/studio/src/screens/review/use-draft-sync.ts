import { useEffect, useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import {
  createDraftStore,
  type HandoffDraftStore,
  type HandoffDraftStoreState,
} from '../../../../batonpass/src/draft/draft-store.ts';
import { ask, call, createKey } from '../../server/call.ts';
import { useEvents } from '../../server/events.ts';
import { announce, noteDeed, undoLast } from '../../shell/announcements.ts';
import { findChanges } from './draft-changes.ts';
import { type DraftParts, partsIn, partsOf } from './draft-parts.ts';
import { DraftSync } from './draft-sync.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { openShelf } from './unsent-words.ts';

/** A draft under review and its synchroniser. */
export interface SyncedDraft {
  store: HandoffDraftStore;
  sync: DraftSync;
}

/** A draft whose changes are undone in the order of the studio's history. */
export interface ReviewedDraft extends SyncedDraft {
  /** Undoes the last change. @param own - the review's own undo, for a change in this draft. */
  undo: (own: () => void) => void;
}

/** The server stores the draft: the browser keeps only unsaved changes. */
const nothingStored = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

/** Keeps a loaded draft in sync with the server for as long as the screen is shown. */
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
          // The page is closed; the texts are on the shelf.
        });
      });
    document.addEventListener('visibilitychange', hide);
    window.addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      window.removeEventListener('pagehide', leave);
      // The review puts open edits into the store when it unmounts, which is after this.
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
    // Before this load, changes may have been missed.
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
  const store = createDraftStore({ storage: nothingStored, createId: () => `x${createKey().slice(0, 7)}` });
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

/** One change of a draft: its parts before and after. */
interface Deed {
  before: DraftParts;
  after: DraftParts;
}

/** The changes of one draft in the studio's history. */
interface DraftDeeds {
  /** Undoes the last change, announces it and keeps the focus; null until the review sets it. */
  own: (() => void) | null;
  /** Called when the review is left: from then on changes are undone on the server, once all is saved. */
  leave: (saved: Promise<void>) => void;
}

/**
 * Adds each change of a draft to the studio's one history, so that `z` undoes the last change of any screen: a draft's
 * change during its review, and afterwards as well.
 */
function followDeeds({ store, sync }: SyncedDraft): DraftDeeds {
  let saved: Promise<void> | undefined;
  const deeds: DraftDeeds = {
    own: null,
    leave: (leaving) => {
      saved = leaving;
      unsubscribe();
    },
  };
  const undoHere = () => {
    if (deeds.own !== null) return deeds.own();
    store.getState().undo();
    announce('Undone.');
  };
  const note = (deed: Deed) =>
    noteDeed(async () => {
      if (saved === undefined) return undoHere();
      await saved;
      await undoElsewhere(sync.state.getState().handoff.id, deed);
    });
  const { past } = store.getState();
  // Texts restored from the shelf: they can be undone as well.
  for (const [place, draft] of past.entries())
    note({ before: partsIn(draft), after: partsIn(past[place + 1] ?? store.getState()) });
  const unsubscribe = store.subscribe((now, before) => {
    if (isDeed(now, before)) note({ before: partsIn(before), after: partsIn(now) });
  });
  return deeds;
}

/** Whether a step was added to the undo history; changes of others rewrite its steps, and add none. */
function isDeed({ past }: HandoffDraftStoreState, before: HandoffDraftStoreState): boolean {
  return past !== before.past && past.length > 0 && past.at(-2) === before.past.at(-1);
}

/**
 * Undoes a change in the server's present draft: later changes, here or by others, stay.
 *
 * @throws Error with a message for the user where it is no longer a draft, or others changed the same text since.
 */
async function undoElsewhere(id: string, { before, after }: Deed): Promise<void> {
  const { content, delivery } = await call('handoff.get', { id });
  const name = `“${content.title}”`;
  if (delivery.state !== 'draft') throw new Error(`${name} is no longer a draft: its changes stay.`);
  const theirs = partsOf(content);
  const { parts, conflicts } = mergeDrafts({ base: after, mine: before, theirs });
  const { changes } = findChanges(theirs, parts);
  if (changes !== null) {
    await call('handoff.edit', { id, changes, if_version: delivery.version }, { idempotencyKey: createKey() });
  }
  if (conflicts.length > 0) throw new Error(`In ${name} the same words were changed since: that change stays.`);
  announce(`Undid a change of the draft ${name}.`);
}
