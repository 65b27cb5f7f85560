import { defineCommand } from '../../command.ts';
import { formatBytes } from '../../present/bytes.ts';
import { shellWord } from '../../present/command-words.ts';
import { counted } from '../../present/plural.ts';
import { visible } from '../../present/view.ts';

export const storeBackup = defineCommand({
  name: 'store backup',
  arguments: [{ flags: '[file]', description: 'default: backups/baton-YYYYMMDD-HHMMSS.db next to the store' }],
  summary: 'Copy the store to one file, while others work with it',
  options: [{ flags: '--force', description: 'replace a file of that name' }],
  examples: [
    { line: 'baton store backup', what: 'next to the store, under the present time' },
    { line: 'baton store backup ~/backups/baton.db --force', what: 'always the same name' },
  ],
  operation: 'store.backup',
  toInput: ({ arguments: [file], options }) => ({ file, replace: options.force as boolean | undefined }),
  progress: () => 'Copying the store',
  present: ({ file, bytes, handoffs, lines, sha256 }, view) =>
    [
      view.style('bold', visible(file)),
      `${counted(handoffs, 'handoff')}, ${counted(lines, 'line')} of history, ${formatBytes(bytes)}`,
      view.style('gray', `checked against the store: sha256 ${sha256}`),
    ].join('\n'),
  remark: ({ file }) => `→ Go back to it: baton store restore ${shellWord(file)}`,
});
