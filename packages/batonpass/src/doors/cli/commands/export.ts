import { defineCommand } from '../command.ts';
import { shownPath } from '../present/shown-path.ts';

export const exportCommand = defineCommand({
  name: 'export',
  arguments: [{ flags: '<id>', description: 'the handoff, or the last characters of its id' }],
  summary: 'Write a handoff as a versioned Markdown file or a JSON record',
  options: [
    { flags: '--form <form>', description: 'file, the default: {type}-{version}.md; or record: handoffs/{id}.json' },
    { flags: '--to <folder>', description: 'where it is written; default: here' },
    {
      flags: '--file-version <number>',
      description: 'of the file, as 002; default: the one that it had, else the next',
    },
  ],
  examples: [
    { line: 'baton export 7Q4F --to docs/handoffs', what: 'a file that the next agent can read without Baton' },
    { line: 'baton import docs/handoffs/findings-001.md', what: 'the way back, without a loss' },
  ],
  operation: 'handoff.export',
  toInput: ({ arguments: [id = ''], options }) => ({
    id,
    as: options.form as 'file' | undefined,
    folder: options.to as string | undefined,
    version: options.fileVersion as string | undefined,
  }),
  present: ({ path }, view) => view.style('bold', shownPath(path)),
});
