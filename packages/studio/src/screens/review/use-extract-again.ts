import { useEffect, useState } from 'react';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { describeImport, makeDraft } from '../import/make-draft.ts';
import { useOneReading } from '../import/use-one-reading.ts';
import type { Conversation, FoundConversation } from './conversation.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

const kept = 'The draft is unchanged.';

export type ExtractingAgain = ReturnType<typeof useExtractAgain>;

/**
 * Extracts a draft's conversation again, into the same draft: what users added, reworded, pinned or removed stays.
 * Without the conversation it goes to the import.
 */
export function useExtractAgain({ sync }: SyncedDraft, found: FoundConversation) {
  // Requested during the search for the conversation.
  const [isWaiting, setWaiting] = useState(false);
  /** When an extraction last confirmed the draft, ISO 8601. */
  const [checkedAt, setCheckedAt] = useState<string>();
  const { reading, progress, failure, read, cancel } = useOneReading<Conversation>({
    kept,
    take: async ({ source }, following) => {
      await sync.save();
      const made = await makeDraft(source, following);
      announce(describeImport(made));
      setCheckedAt(new Date().toISOString());
      sync.hear();
      const { id } = made.handoff;
      if (id !== sync.state.getState().handoff.id) navigate(`/review/${id}`);
    },
  });
  const begin = () => {
    setWaiting(found === 'looking');
    if (found === 'looking') return;
    if (found !== null) return void read(found, 'the conversation');
    announce('The conversation is no longer here. Add it again: your edits are kept.');
    navigate('/import');
  };
  useEffect(() => {
    if (isWaiting && found !== 'looking') begin();
  });
  return {
    isExtracting: isWaiting || reading !== '',
    progress,
    failure: failure === '' ? null : { message: failure, kept },
    checkedAt,
    begin,
    cancel: () => {
      setWaiting(false);
      cancel();
    },
  };
}
