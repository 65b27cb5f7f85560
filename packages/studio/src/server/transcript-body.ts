import { transcriptMediaType } from '../../../batonpass/src/core/transcript-media-type.ts';

/** What a request for an operation that reads a conversation sends: its input, and the file that it is about. */
export interface TranscriptInput {
  /** In place of a text: sent as it is, without ever being a text of this page. */
  file?: Blob | undefined;
}

/** The body of such a request, and its type. */
export function toTranscriptBody({ file, ...input }: TranscriptInput): { body: BodyInit; type: string } {
  if (file === undefined) return { body: JSON.stringify(input), type: 'application/json' };
  return { body: new Blob([JSON.stringify(input), '\n', file]), type: transcriptMediaType };
}
