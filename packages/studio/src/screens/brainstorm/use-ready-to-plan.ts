import { useEffect, useRef, useState } from 'react';
import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { ask } from '../../server/call.ts';
import { describeProblem, isBrokenOff, unreachable } from '../../server/server-problem.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { describeImport } from '../import/use-import.ts';
import { type ProblemData, readParts, toProblem } from '../run/plan-stream.ts';
import { isShown, toTranscript } from './messages.ts';
import type { OpenChat } from './open-chat.ts';

type Extractor = 'model' | 'rules';

/** The way from the brainstorm to the review of its draft. */
export interface ReadyToPlan {
  /** How far it is, in words; empty where nothing runs. */
  progress: string;
  failure: string;
  /** Reads the conversation; while it is being read it does nothing. */
  begin: (extractor: Extractor) => Promise<void>;
  cancel: () => void;
}

/** Lets the server make a draft of a brainstorm and its pins, and goes to its review. */
export function useReadyToPlan(opened: OpenChat): ReadyToPlan {
  const [progress, setProgress] = useState('');
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  // Who goes elsewhere waits for no draft any more.
  useEffect(() => () => running.current?.abort(), []);
  const begin = async (extractor: Extractor) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    const all = describeAll(opened, extractor);
    setProgress(all);
    setFailure('');
    try {
      const made = await makeDraft(toInput(opened, extractor), {
        signal: controller.signal,
        onProgress: ({ now }) => setProgress(now === undefined ? all : `${all} ${now}`),
      });
      announce(describeImport(made));
      const { id, delivery } = made.handoff;
      navigate(delivery.state === 'draft' ? `/review/${id}` : `/h/${id}`);
    } catch (error) {
      if (isBrokenOff(error)) announce('Cancelled. The conversation and its pins are as they were.');
      else setFailure(describeProblem(error));
    } finally {
      running.current = null;
      setProgress('');
    }
  };
  return { progress, failure, begin, cancel: () => running.current?.abort() };
}

function describeAll({ chat }: OpenChat, extractor: Extractor): string {
  const count = chat.messages.filter(isShown).length;
  const messages = `${count} ${count === 1 ? 'message' : 'messages'}`;
  return extractor === 'rules' ? `No model: rules read ${messages}…` : `The model reads ${messages}…`;
}

/** A transcript that nobody went on with is read from where it stands, which tells more than its words. */
function toInput({ brainstorm, chat, pins }: OpenChat, extractor: Extractor): OperationInput<'handoff.import'> {
  const { source, session } = brainstorm;
  const { text, path } = source ?? {};
  const isWhole = source !== undefined && source.messages === chat.messages.length;
  const given = path === undefined ? { text: text ?? '' } : { path };
  return {
    ...(isWhole ? given : { text: toTranscript(session, chat.messages) }),
    extractor,
    pins: pins.getState().decisions.map(({ content }) => content),
  };
}

interface Following {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** @throws ServerProblem, also where the stream ended too early; `AbortError` where the signal broke it off. */
async function makeDraft(
  input: OperationInput<'handoff.import'>,
  { signal, onProgress }: Following,
): Promise<OperationOutput<'handoff.import'>> {
  const answer = await ask('/api/handoff.import', {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    signal,
  });
  for await (const { type, data } of readParts(answer)) {
    if (type === 'data-progress') onProgress(data as Progress);
    if (type === 'data-result') return data as OperationOutput<'handoff.import'>;
    if (type === 'data-problem') throw toProblem(data as ProblemData);
  }
  throw unreachable(new Error('The stream ended before the draft was made.'));
}
