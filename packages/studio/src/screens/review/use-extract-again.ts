import { useEffect, useRef, useState } from 'react';
import type { ReadingStep } from '../../server/send-transcript.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { makeDraft } from '../import/make-draft.ts';
import { describeImport } from '../import/use-import.ts';
import type { FoundConversation } from './conversation.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** A second extraction of the conversation that a draft was created from. */
export interface ExtractingAgain {
  isExtracting: boolean;
  /** The progress, once it is reported. */
  progress: ReadingStep | undefined;
  failure: { message: string; kept: string } | null;
  /** When an extraction last confirmed the draft, ISO 8601. */
  checkedAt?: string;
  begin: () => Promise<void>;
  /** Cancels it: the draft stays as it is. */
  cancel: () => void;
}

/**
 * Extracts a draft's conversation again, into the same draft: what users added, reworded, pinned or removed stays.
 * Without the conversation it goes to the import.
 */
export function useExtractAgain({ sync }: SyncedDraft, found: FoundConversation): ExtractingAgain {
  const [isExtracting, setExtracting] = useState(false);
  const [failure, setFailure] = useState<ExtractingAgain['failure']>(null);
  const [checkedAt, setCheckedAt] = useState<string>();
  const [progress, setProgress] = useState<ReadingStep>();
  const running = useRef<AbortController | null>(null);
  const isWanted = useRef(false);
  const begin = async () => {
    isWanted.current = found === 'looking';
    if (found === 'looking') return setExtracting(true);
    if (found === null) {
      setExtracting(false);
      announce('The conversation is no longer here. Add it again: your edits are kept.');
      return navigate('/import');
    }
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setExtracting(true);
    setProgress(undefined);
    setFailure(null);
    try {
      await sync.save();
      const made = await makeDraft(found.source, { signal: controller.signal, onProgress: setProgress });
      announce(describeImport(made));
      setCheckedAt(new Date().toISOString());
      sync.hear();
      const { id } = made.handoff;
      if (id !== sync.state.getState().handoff.id) navigate(`/review/${id}`);
    } catch (error) {
      if (isBrokenOff(error)) announce('Cancelled. The draft is unchanged.');
      else setFailure({ message: describeProblem(error), kept: 'The draft is unchanged.' });
    } finally {
      running.current = null;
      setExtracting(false);
    }
  };
  const cancel = () => {
    isWanted.current = false;
    running.current?.abort();
    if (running.current === null) setExtracting(false);
  };
  // A review that is left does not continue its extraction.
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    // It was requested during the search for the conversation.
    if (isWanted.current && found !== 'looking') void begin();
  });
  return { isExtracting, progress, failure, begin, cancel, ...(checkedAt === undefined ? {} : { checkedAt }) };
}
