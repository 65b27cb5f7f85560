import { useEffect, useRef, useState } from 'react';
import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call, createKey } from '../../server/call.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import type { Brainstorm } from './chat-shelf.ts';
import { findProject } from './find-project.ts';
import { toMessages } from './messages.ts';
import { beginChat, openChat } from './open-chat.ts';

type Source = Pick<OperationInput<'conversation.read'>, 'text' | 'path'>;

/** The reading of a transcript into the column, as the screen follows it. */
export interface Reading {
  /** What is being read, in words; empty where nothing is. */
  reading: string;
  failure: string;
  read: (source: Source, what: string) => Promise<void>;
  cancel: () => void;
}

/** Reads one transcript at a time, and shows it as a brainstorm of its own. */
export function useReading(): Reading {
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
      const [project, found] = await Promise.all([
        findProject(),
        call('conversation.read', source, { signal: controller.signal }),
      ]);
      const id = await show(project, found, source);
      announce(describeReading(found));
      navigate(`/b/${id}`);
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

/** A session that was read before and grew since is shown anew, its pins kept; what was said here behind it stays. */
async function show(project: string, found: OperationOutput<'conversation.read'>, source: Source): Promise<string> {
  const { session } = found.reading;
  const id = session !== undefined && /^[\w-]{1,200}$/.test(session) ? session : createKey();
  const read = toMessages(found);
  const known = session === undefined ? null : await openChat(project, id).catch(() => null);
  const brainstorm: Brainstorm = {
    id,
    project,
    session: session ?? id,
    title: '',
    changed_at: '',
    messages: read,
    is_owed: false,
    ...(session === undefined ? {} : { source: { ...source, messages: read.length } }),
  };
  if (known === null) beginChat(brainstorm).keep('now');
  else {
    const own = known.chat.messages.slice(known.brainstorm.source?.messages ?? 0);
    known.chat.messages = [...read, ...own];
    known.brainstorm.source = brainstorm.source;
    known.keep('now');
  }
  return id;
}

function describeReading({ reading }: OperationOutput<'conversation.read'>): string {
  const { messages, unread_lines, masked } = reading;
  const unread = unread_lines === 0 ? '' : ` ${unread_lines} lines were not understood.`;
  const secrets = Object.keys(masked).length === 0 ? '' : ' Secrets were masked.';
  return `Read ${messages} ${messages === 1 ? 'message' : 'messages'}.${unread}${secrets}`;
}
