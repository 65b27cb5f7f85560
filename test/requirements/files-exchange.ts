import { declare } from './declare.ts';

/** Files of sources 1 and 2 into the one record, and out of it. */
export const filesExchange = {
  ...declare('DESIGN 1, files and the record', 'files', {
    'EXCHANGE.mapping':
      'Type, agent, phase, related task and body of a file are named in the record, all else is in extra.',
    'EXCHANGE.file-bytes': 'A handoff file that was taken in is written again with the same bytes.',
    'EXCHANGE.next-version': 'Written as another version only the version differs.',
    'EXCHANGE.record-whole': 'A handoff that was written as a file comes back as the same handoff, whatever it holds.',
    'EXCHANGE.edited': 'What somebody changed in a written file counts when it is read again.',
    'EXCHANGE.once': 'The same file comes in once, however often it is given, as of the time that it tells.',
    'EXCHANGE.review': 'A file that a person takes in waits for a review as the project has it.',
    'EXCHANGE.refused': 'What no file can hold is refused with its size, and nothing is written.',
    'EXCHANGE.no-overwrite': 'A file of another content under the same version stays: conflict.',
    'EXCHANGE.source-2': 'A record of source 2 is taken in and written again with the same bytes.',
    'EXCHANGE.detect': 'Import tells a handoff file, a record and a conversation apart by what they hold.',
  }),
} as const;
