import { defineCommand } from '../../command.ts';
import { visible } from '../../present/view.ts';

export const fileStoreShow = defineCommand({
  name: 'file store show',
  arguments: [
    { flags: '<folder>', description: 'that holds `handoffs`, as .twining' },
    { flags: '<id>', description: 'of the handoff' },
  ],
  summary: 'Show one handoff of a folder of JSON records, as its file has it',
  examples: [{ line: 'baton file store show .twining 01KJNRZ8SE4PCS1RYBN0RW5VSR', what: '' }],
  operation: 'file.store-show',
  toInput: ({ arguments: [folder = '', id = ''] }) => ({ folder, id }),
  present: ({ record }) => visible(JSON.stringify(record, null, 2)),
});
