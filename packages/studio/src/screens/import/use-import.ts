import { useEffect, useRef, useState } from 'react';
import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';

/** The reading of a conversation, as the screen follows it. */
export interface Importing {
  /** What is being read, in words; empty where nothing is. */
  reading: string;
  failure: string;
  read: (source: Pick<OperationInput<'handoff.import'>, 'text' | 'path'>, what: string) => Promise<void>;
  cancel: () => void;
}

/** Reads one conversation at a time, and goes to the draft that came of it. */
export function useImport(): Importing {
  const [reading, setReading] = useState('');
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read: Importing['read'] = async (source, what) => {
    // A double click reads once.
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setReading(what);
    setFailure('');
    try {
      const made = await call('handoff.import', source, { signal: controller.signal });
      announce(describeImport(made));
      const { id, delivery } = made.handoff;
      navigate(delivery.state === 'draft' ? `/review/${id}` : `/h/${id}`);
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

/** What was read, and what came of it, so that nothing is silently missing. */
export function describeImport({ handoff, existing, reading, extraction }: OperationOutput<'handoff.import'>): string {
  const { decisions, files, risks } = handoff.content;
  const found = `${count(decisions, 'decision')}, ${count(files, 'file')}, ${count(risks, 'risk')}.`;
  const words = reading === undefined ? 'Read a handoff' : `Read ${reading.messages} messages`;
  const unread =
    reading === undefined || reading.unread_lines === 0 ? '' : ` ${reading.unread_lines} lines were not understood.`;
  const masked = Object.keys(reading?.masked ?? {}).length === 0 ? '' : ' Secrets were masked.';
  const note = extraction?.note === undefined ? '' : ` ${extraction.note}`;
  return `${words}: ${found}${existing ? ' It was there already.' : ''}${unread}${masked}${note}`;
}

function count(items: readonly unknown[], noun: string): string {
  return `${items.length} ${items.length === 1 ? noun : `${noun}s`}`;
}
