import { useMemo, useState } from 'react';
import { HandoffError } from '../core/errors.ts';
import { showHidden } from '../core/hidden-characters.ts';

/** The last thing that a review said, and how urgently. */
export interface Announcement {
  /** Rises with each, so that the same words are read out again. */
  number: number;
  text: string;
  isFailure: boolean;
}

/** How a review says something: the same functions at every rendering. */
export interface Announcer {
  say(text: string): void;
  fail(text: string): void;
  /** Acts and says so; a failure is said in place of it, with what to do. False where it failed. */
  attempt(act: () => void, done: string): boolean;
}

/** The announcements of one review: results politely, failures at once. */
export function useAnnouncements(): [Announcement, Announcer] {
  const [last, setLast] = useState<Announcement>({ number: 0, text: '', isFailure: false });
  const announcer = useMemo(() => {
    const put = (text: string, isFailure: boolean) =>
      setLast(({ number }) => ({ number: number + 1, text, isFailure }));
    return createAnnouncer(put);
  }, []);
  return [last, announcer];
}

function createAnnouncer(put: (text: string, isFailure: boolean) => void): Announcer {
  return {
    say: (text) => put(text, false),
    fail: (text) => put(text, true),
    attempt(act, done) {
      try {
        act();
      } catch (error) {
        put(describeFailure(error), true);
        return false;
      }
      put(done, false);
      return true;
    },
  };
}

/** A failure in words for a person: what happened, and what to do next where that is known. */
export function describeFailure(error: unknown): string {
  if (error instanceof HandoffError) return showHidden([error.message, ...error.alternatives].join(' '));
  return showHidden(error instanceof Error ? error.message : String(error));
}
