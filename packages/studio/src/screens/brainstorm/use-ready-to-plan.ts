import { useEffect, useRef, useState } from 'react';
import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../../batonpass/src/operations/context.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import type { TranscriptInput } from '../../server/transcript-body.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { makeDraft } from '../import/make-draft.ts';
import { count, describeImport } from '../import/use-import.ts';
import { placeOf } from './chat-shelf.ts';
import { isShown, toTranscript } from './messages.ts';
import type { OpenChat } from './open-chat.ts';

type Extractor = 'model' | 'rules';

/** The way from the brainstorm to the review of its draft. */
export interface ReadyToPlan {
  /** What is read, in words; empty where nothing runs. */
  reading: string;
  /** How far, once that is told. */
  progress: Progress | undefined;
  failure: string;
  /** Reads the conversation; while it is being read it does nothing. */
  begin: (extractor: Extractor) => Promise<void>;
  cancel: () => void;
}

/** Lets the server make a draft of a brainstorm and its pins, and goes to its review. */
export function useReadyToPlan(opened: OpenChat): ReadyToPlan {
  const [reading, setReading] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController | null>(null);
  // Who goes elsewhere waits for no draft any more.
  useEffect(() => () => running.current?.abort(), []);
  const begin = async (extractor: Extractor) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setReading(describeAll(opened, extractor));
    setProgress(undefined);
    setFailure('');
    try {
      const made = await makeDraft(toInput(opened, extractor), {
        signal: controller.signal,
        onProgress: setProgress,
      });
      announce(describeImport(made));
      const { id, delivery } = made.handoff;
      navigate(delivery.state === 'draft' ? `/review/${id}` : `/h/${id}`);
    } catch (error) {
      if (isBrokenOff(error)) announce('Cancelled. The conversation and its pins are as they were.');
      else setFailure(describeProblem(error));
    } finally {
      running.current = null;
      setReading('');
    }
  };
  return { reading, progress, failure, begin, cancel: () => running.current?.abort() };
}

function describeAll({ chat }: OpenChat, extractor: Extractor): string {
  const messages = count(chat.messages.filter(isShown).length, 'message');
  return extractor === 'rules' ? `No model: rules read ${messages}…` : `The model reads ${messages}…`;
}

/** A transcript that nobody went on with is read from where it stands, which tells more than its words. */
function toInput(
  { brainstorm, chat, pins }: OpenChat,
  extractor: Extractor,
): OperationInput<'handoff.import'> & TranscriptInput {
  const { source, session } = brainstorm;
  const isWhole = source !== undefined && source.messages === chat.messages.length;
  return {
    ...(isWhole ? placeOf(source) : { text: toTranscript(session, chat.messages) }),
    extractor,
    pins: pins.getState().decisions.map(({ content }) => content),
  };
}
