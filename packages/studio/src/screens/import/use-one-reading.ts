import { useEffect, useRef, useState } from 'react';
import type { Following, ReadingStep } from '../../server/send-transcript.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';

/** The source of a conversation: its text, a chosen file, or the path of a session. */
export interface Source {
  text?: string | undefined;
  file?: File | undefined;
  path?: string | undefined;
}

/** The state of a reading, for the screen. */
export interface Reading<T = Source> {
  /** What is being read, as text; empty where nothing is. */
  reading: string;
  /** The progress, once it is known. */
  progress: ReadingStep | undefined;
  failure: string;
  /** Starts a reading; does nothing while one runs. */
  read: (source: T, what: string) => Promise<void>;
  cancel: () => void;
}

/** How to read, and the message after a cancellation. */
interface ReadingDeed<T> {
  /** Reads a conversation and shows the result, until the signal stops it. */
  take: (source: T, following: Following) => Promise<void>;
  /** What a cancelled reading leaves, as "Nothing of it was stored." */
  kept: string;
}

/** Reads one conversation at a time. An error of `take` is shown; leaving the screen stops it. */
export function useOneReading<T = Source>({ take, kept }: ReadingDeed<T>): Reading<T> {
  const [reading, setReading] = useState('');
  const [progress, setProgress] = useState<ReadingStep>();
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read: Reading<T>['read'] = async (source, what) => {
    // A double click starts one reading.
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
