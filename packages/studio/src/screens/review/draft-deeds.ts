import type { HandoffDraftStoreState } from '../../../../batonpass/src/draft/handoff-store.ts';
import { call, createKey } from '../../server/call.ts';
import { announce, noteDeed } from '../../shell/announcements.ts';
import { findChanges } from './draft-changes.ts';
import { type DraftParts, partsIn, partsOf } from './draft-parts.ts';
import { mergeDrafts } from './merge-drafts.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** One change of a draft: how it stood before, and how it stood then. */
interface Deed {
  before: DraftParts;
  after: DraftParts;
}

/** The changes of one draft in the history of all that was done. */
export interface DraftDeeds {
  /** Takes the last change back, says so and keeps the focus; null before the review gave it. */
  own: (() => void) | null;
  /** The review is left: from now on a change is taken back on the server, once what was not saved yet is. */
  leave: (saved: Promise<void>) => void;
}

/**
 * Puts each change of a draft into the one history of what was done, so that `z` takes back what was done last, on
 * whichever screen that was: a draft's change while its review is shown, and afterwards as well.
 */
export function followDeeds({ store, sync }: SyncedDraft): DraftDeeds {
  let saved: Promise<void> | undefined;
  const deeds: DraftDeeds = {
    own: null,
    leave: (leaving) => {
      saved = leaving;
      unsubscribe();
    },
  };
  const takeBack = () => {
    if (deeds.own !== null) return deeds.own();
    store.getState().undo();
    announce('Undone.');
  };
  const note = (deed: Deed) =>
    noteDeed(async () => {
      if (saved === undefined) return takeBack();
      await saved;
      await takeBackElsewhere(sync.state.getState().handoff.id, deed);
    });
  const { past } = store.getState();
  // Words that came back from the shelf: they can be taken back as well.
  for (const [place, draft] of past.entries())
    note({ before: partsIn(draft), after: partsIn(past[place + 1] ?? store.getState()) });
  const unsubscribe = store.subscribe((now, before) => {
    if (isDeed(now, before)) note({ before: partsIn(before), after: partsIn(now) });
  });
  return deeds;
}

/** Whether one change was added to those that can be taken back; what others did changes them, and adds none. */
function isDeed({ past }: HandoffDraftStoreState, before: HandoffDraftStoreState): boolean {
  return past !== before.past && past.length > 0 && past.at(-2) === before.past.at(-1);
}

/**
 * Takes a change back in the draft as the server has it now: what was changed since, here or by others, stays.
 *
 * @throws Error in words for a person where it is no draft any more, or others changed the same words since.
 */
async function takeBackElsewhere(id: string, { before, after }: Deed): Promise<void> {
  const { content, delivery } = await call('handoff.get', { id });
  const name = `“${content.title}”`;
  if (delivery.state !== 'draft') throw new Error(`${name} is no draft any more: what was changed in it stays.`);
  const theirs = partsOf(content);
  const { parts, conflicts } = mergeDrafts({ base: after, mine: before, theirs });
  const { changes } = findChanges(theirs, parts);
  if (changes !== null) {
    await call('handoff.edit', { id, changes, if_version: delivery.version }, { idempotencyKey: createKey() });
  }
  if (conflicts.length > 0) throw new Error(`In ${name} the same words were changed since: those stay.`);
  announce(`Took back a change of the draft ${name}.`);
}
