import { useEffect, useRef, useState } from 'react';
import type { Following, ReadingStep } from '../../server/send-transcript.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';

/** Where a conversation comes from: its text, a file that was chosen, or the path of a session. */
export interface Source {
  text?: string | undefined;
  file?: File | undefined;
  path?: string | undefined;
}

/** The reading of a conversation, as the screen follows it. */
export interface Reading<T = Source> {
  /** What is being read, in words; empty where nothing is. */
  reading: string;
  /** How far that is, once it is known. */
  progress: ReadingStep | undefined;
  failure: string;
  /** Reads, and does nothing while it does already. */
  read: (source: T, what: string) => Promise<void>;
  cancel: () => void;
}

/** What a reading does, and what it says when it was cancelled. */
export interface ReadingDeed<T> {
  /** Reads a conversation and shows the result, until the signal stops it. */
  take: (source: T, following: Following) => Promise<void>;
  /** As "Nothing of it was stored." */
  kept: string;
}

/** Reads one conversation at a time. What `take` fails with is shown; leaving the screen stops it. */
export function useOneReading<T = Source>({ take, kept }: ReadingDeed<T>): Reading<T> {
  const [reading, setReading] = useState('');
  const [progress, setProgress] = useState<ReadingStep>();
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read: Reading<T>['read'] = async (source, what) => {
    // A double click reads once.
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setReading(what);
    setProgress(undefined);
    setFailure('');
    try {
      await take(source, { signal: controller.signal, onProgress: setProgress });
    } catch (error) {
      if (isBrokenOff(error)) announce(`Cancelled. ${kept}`);
      else setFailure(describeProblem(error));
    } finally {
      running.current = null;
      setReading('');
    }
  };
  return { reading, progress, failure, read, cancel: () => running.current?.abort() };
}
