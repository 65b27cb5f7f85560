import { useEffect, useRef, useState } from 'react';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { describeEmpty } from './chosen-file.tsx';

/** Where a conversation comes from: its text, a file that was chosen, or the path of a session. */
export interface Source {
  text?: string | undefined;
  file?: File | undefined;
  path?: string | undefined;
}

/** The reading of a conversation, as the screen follows it. */
export interface Reading {
  /** What is being read, in words; empty where nothing is. */
  reading: string;
  /** How far, where whoever reads tells it. */
  progress: Progress | undefined;
  failure: string;
  read: (source: Source, what: string) => Promise<void>;
  cancel: () => void;
}

/** Reads a conversation and shows what came of it, until the signal stops it. */
export type Take = (
  source: Source,
  following: { signal: AbortSignal; onProgress: (progress: Progress) => void },
) => Promise<void>;

/** Reads one conversation at a time. What `take` fails with is told; whoever leaves the screen stops it. */
export function useOneReading(take: Take): Reading {
  const [reading, setReading] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read: Reading['read'] = async (source, what) => {
    // A double click reads once.
    if (running.current !== null) return;
    if (source.file?.size === 0) return setFailure(describeEmpty(source.file));
    const controller = new AbortController();
    running.current = controller;
    setReading(what);
    setProgress(undefined);
    setFailure('');
    try {
      await take(source, { signal: controller.signal, onProgress: setProgress });
    } catch (error) {
      if (isBrokenOff(error)) announce('Cancelled. Nothing was kept of it.');
      else setFailure(describeProblem(error));
    } finally {
      running.current = null;
      setReading('');
    }
  };
  return { reading, progress, failure, read, cancel: () => running.current?.abort() };
}
