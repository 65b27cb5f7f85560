import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import type { TranscriptInput } from '../../server/send-transcript.ts';
import { count, importAndShow } from '../import/use-import.ts';
import { useOneReading } from '../import/use-one-reading.ts';
import { placeOf } from './chat-shelf.ts';
import { isShown, toTranscript } from './messages.ts';
import type { OpenChat } from './open-chat.ts';

type Extractor = 'model' | 'rules';

/** The path from the brainstorm to the review of its draft. */
export type ReadyToPlan = ReturnType<typeof useReadyToPlan>;

/** Lets the server make a draft of a brainstorm and its pins, and goes to its review. */
export function useReadyToPlan(opened: OpenChat) {
  const { read, ...reading } = useOneReading<Extractor>({
    take: (extractor, following) => importAndShow(toInput(opened, extractor), following),
    kept: 'The conversation and its pins are as they were.',
  });
  return { ...reading, begin: (extractor: Extractor) => read(extractor, describeAll(opened, extractor)) };
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
