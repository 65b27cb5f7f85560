import { useEffect, useMemo, useState } from 'react';
import { HandoffError } from '../core/errors.ts';
import { showHidden } from '../core/hidden-characters.ts';

/** The last announcement of a review, and its urgency. */
export interface Announcement {
  /** Increases with each, so that repeated words are read out again. */
  number: number;
  text: string;
  isFailure: boolean;
}

/** The functions for announcements: the same ones at every rendering. */
export interface Announcer {
  say(text: string): void;
  fail(text: string): void;
  /** Runs an action and announces it; a failure is announced instead, with what to do. False where it failed. */
  attempt(act: () => void, done: string): boolean;
}

/** Announcements within this time of each other are read out as one, after it. */
const BATCH_MS = 500;

/** The announcements of one review: results politely and in batches, failures at once. */
export function useAnnouncements(): [Announcement, Announcer] {
  const [last, setLast] = useState<Announcement>({ number: 0, text: '', isFailure: false });
  const batches = useMemo(() => {
    const put = (text: string, isFailure: boolean) =>
      setLast(({ number }) => ({ number: number + 1, text, isFailure }));
    return createBatches(put);
  }, []);
  useEffect(() => batches.stop, [batches]);
  return [last, batches.announcer];
}

function createBatches(put: (text: string, isFailure: boolean) => void): { announcer: Announcer; stop: () => void } {
  let waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    put(joinSaid(waiting), false);
    begin();
  };
  const begin = () => {
    waiting = [];
    timer = setTimeout(end, BATCH_MS);
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
  };
  const say = (text: string) => {
    if (timer !== undefined) {
      waiting.push(text);
      return;
    }
    put(text, false);
    begin();
  };
  const fail = (text: string) => {
    stop();
    put(text, true);
  };
  return { announcer: createAnnouncer(say, fail), stop };
}

function createAnnouncer(say: Announcer['say'], fail: Announcer['fail']): Announcer {
  return {
    say,
    fail,
    attempt(act, done) {
      try {
        act();
      } catch (error) {
        fail(describeFailure(error));
        return false;
      }
      say(done);
      return true;
    },
  };
}

/** Several announcements as one: a repeated one appears once, with its count. */
function joinSaid(texts: readonly string[]): string {
  const counted = Map.groupBy(texts, (text) => text);
  return [...counted].map(([text, all]) => (all.length === 1 ? text : `${text} (${all.length} times)`)).join(' ');
}

/** A failure as a message for the user: what happened, and what to do next where that is known. */
export function describeFailure(error: unknown): string {
  if (error instanceof HandoffError) return showHidden([error.message, ...error.alternatives].join(' '));
  return showHidden(error instanceof Error ? error.message : String(error));
}
