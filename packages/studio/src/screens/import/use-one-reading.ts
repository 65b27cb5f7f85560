import { useEffect, useRef, useState } from 'react';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';

/** Where a conversation comes from: its text, or the path of a session. */
export interface Source {
  text?: string | undefined;
  path?: string | undefined;
}

/** The reading of a conversation, as the screen follows it. */
export interface Reading {
  /** What is being read, in words; empty where nothing is. */
  reading: string;
  failure: string;
  read: (source: Source, what: string) => Promise<void>;
  cancel: () => void;
}

/** Reads one conversation at a time. What `take` fails with is told; whoever leaves the screen stops it. */
export function useOneReading(take: (source: Source, signal: AbortSignal) => Promise<void>): Reading {
  const [reading, setReading] = useState('');
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read: Reading['read'] = async (source, what) => {
    // A double click reads once.
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setReading(what);
    setFailure('');
    try {
      await take(source, controller.signal);
    } catch (error) {
      if (isBrokenOff(error)) announce('Cancelled. Nothing was kept of it.');
      else setFailure(describeProblem(error));
    } finally {
      running.current = null;
      setReading('');
    }
  };
  return { reading, failure, read, cancel: () => running.current?.abort() };
}
