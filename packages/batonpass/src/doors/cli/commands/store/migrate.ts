import { defineCommand } from '../../command.ts';
import { visible } from '../../present/view.ts';

export const storeMigrate = defineCommand({
  name: 'store migrate',
  summary: 'Bring the store’s form up to date now, after a backup; every other command does it too',
  examples: [{ line: 'baton store migrate', what: 'from which form to which, and where the backup is' }],
  operation: 'store.migrate',
  toInput: () => ({}),
  progress: () => 'Bringing the store up to date',
  present: ({ store, from, to, migrated, backup }, view) => {
    if (!migrated) return `${view.style('bold', visible(store))} is up to date: form ${to}.`;
    return [
      `${view.style('bold', visible(store))} went from form ${from} to form ${to}.`,
      ...(backup === undefined ? [] : [`As it was before: ${visible(backup)}`]),
    ].join('\n');
  },
});
