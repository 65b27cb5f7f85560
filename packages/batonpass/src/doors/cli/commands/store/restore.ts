import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand } from '../../command.ts';
import { formatBytes } from '../../present/bytes.ts';
import { shellWord } from '../../present/command-words.ts';
import { counted } from '../../present/plural.ts';
import { presentRemarks } from '../../present/remarks.ts';
import { presentStates } from '../../present/store-states.ts';
import { type View, visible } from '../../present/view.ts';

type Restoring = OperationOutput<'store.restore'>;

export const storeRestore = defineCommand({
  name: 'store restore',
  arguments: [{ flags: '<file>', description: 'a backup' }],
  summary: 'Replace the contents of the store with a backup; a copy of them is kept first',
  options: [
    { flags: '--dry-run', description: 'check the backup, and change nothing' },
    { flags: '-y, --yes', description: 'do not ask, not even on a terminal' },
  ],
  examples: [
    { line: 'baton store restore backups/baton-20261122-101500.db', what: 'on a terminal it asks first' },
    { line: 'baton store restore FILE --dry-run', what: 'whether the backup is intact, and what is in it' },
    { line: 'baton store restore FILE --store sqlite:new.db', what: 'into another store' },
  ],
  operation: 'store.restore',
  toInput: ({ arguments: [file = ''], options }) => ({ file, dry_run: options.dryRun as boolean | undefined }),
  confirm: {
    isWanted: ({ options }) => options.yes !== true && options.dryRun !== true,
    rehearse: (input) => ({ ...input, dry_run: true }),
    agree: (input) => ({ ...input, dry_run: false }),
    question: 'Replace the contents of the store with the backup?',
    refused: 'Nothing was changed.',
  },
  progress: () => 'Restoring the store',
  present: (restoring, view) => (restoring.restored ? presentDone(restoring, view) : presentPlan(restoring, view)),
  remark: (restoring, view) => presentRemarks(remarksOn(restoring), view),
});

function presentPlan({ store, file, backup, present }: Restoring, view: View): string {
  const now = present === undefined ? 'nothing that this Baton can read' : countsOf(present);
  return [
    `${view.style('bold', visible(store))} holds ${now}`,
    `${view.style('bold', visible(file))} holds ${countsOf(backup)}`,
  ].join('\n');
}

function presentDone({ store, backup, undo, undo_is_damaged }: Restoring, view: View): string {
  const kept = undo_is_damaged === true ? 'The damaged previous contents' : 'The previous contents';
  return [
    `${view.style('bold', visible(store))} holds ${countsOf(backup)}`,
    ...(undo === undefined ? [] : [`${kept}: ${visible(undo)}`]),
  ].join('\n');
}

function countsOf({ handoffs, states }: Restoring['backup']): string {
  return `${counted(handoffs, 'handoff')}${presentStates(states)}`;
}

function remarksOn({ restored, faults, undo, undo_is_damaged, schema, told_again }: Restoring): string[] {
  return [
    ...(faults === 0
      ? []
      : [`! ${counted(faults, 'fault')} in the backup: see them afterwards with baton store check`]),
    ...(restored ? [] : [`The backup is intact; its schema version is ${schema}.`]),
    ...(told_again === 0 ? [] : [`${counted(told_again, 'line')} of history are sent again to all subscribers.`]),
    ...(restored ? ['Leases are those of the backup: a handoff whose lease expired meanwhile is open again.'] : []),
    ...(undo === undefined || undo_is_damaged === true ? [] : [`→ Undo it: baton store restore ${shellWord(undo)}`]),
  ];
}

export const storeBackup = defineCommand({
  name: 'store backup',
  arguments: [{ flags: '[file]', description: 'default: backups/baton-YYYYMMDD-HHMMSS.db next to the store' }],
  summary: 'Copy the store to one file, while others use it',
  options: [{ flags: '--force', description: 'replace a file of that name' }],
  examples: [
    { line: 'baton store backup', what: 'next to the store, named by the current time' },
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
  remark: ({ file }) => `→ Restore it: baton store restore ${shellWord(file)}`,
});
