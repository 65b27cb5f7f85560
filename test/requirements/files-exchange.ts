import { declare } from './declare.ts';

/** Import of files of sources 1 and 2 into the one record, and export from it. */
export const filesExchange = {
  ...declare('DESIGN 1, files and the record', 'files', {
    'EXCHANGE.mapping':
      'Type, agent, phase, related task and body of a file are named in the record, all else is in extra.',
    'EXCHANGE.file-bytes': 'A handoff file that was imported is exported with the same bytes.',
    'EXCHANGE.next-version': 'Exported as another version, only the version differs.',
    'EXCHANGE.record-whole': 'A handoff that was exported as a file imports as the same handoff, for any content.',
    'EXCHANGE.edited': 'A person’s change to an exported file takes effect when the file is read again.',
    'EXCHANGE.once': 'The same file is imported once, however often it is given, with the time that it states.',
    'EXCHANGE.review': 'A file that a person imports waits for a review as the project’s policy says.',
    'EXCHANGE.refused': 'A content that no file can hold is refused with its size, and nothing is written.',
    'EXCHANGE.no-overwrite': 'A file of another content under the same version stays: conflict.',
    'EXCHANGE.source-2': 'A record of source 2 is imported and exported with the same bytes.',
    'EXCHANGE.detect': 'Import distinguishes a handoff file, a record and a conversation by their content.',
  }),
} as const;
