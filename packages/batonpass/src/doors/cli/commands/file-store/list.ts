import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand } from '../../command.ts';
import { formatAge } from '../../duration.ts';
import { shellWord } from '../../present/command-words.ts';
import { presentRemarks } from '../../present/remarks.ts';
import { oneLine, table, type View, visible } from '../../present/view.ts';

type Listed = OperationOutput<'file.store-list'>['handoffs'][number];

export const fileStoreList = defineCommand({
  name: 'file store list',
  arguments: [{ flags: '<folder>', description: 'that holds `handoffs`, as .twining' }],
  summary: 'List the handoffs of a folder of JSON records, newest first',
  options: [
    { flags: '--from <agent>', description: 'written by this agent' },
    { flags: '--for <agent>', description: 'addressed to this agent' },
    { flags: '--scope <path>', description: 'on the way to this path, below it, or without a scope' },
    { flags: '--since <time>', description: 'created then or later, ISO 8601' },
    { flags: '--limit <number>', description: 'the newest so many', parse: (text) => Number(text) },
  ],
  examples: [
    { line: 'baton file store list .twining', what: '' },
    { line: 'baton file store list .twining --scope src/auth --limit 10', what: '' },
  ],
  operation: 'file.store-list',
  toInput: ({ arguments: [folder = ''], options }) => ({
    folder,
    source_agent: options.from as string | undefined,
    target_agent: options.for as string | undefined,
    scope: options.scope as string | undefined,
    since: options.since as string | undefined,
    limit: options.limit as number | undefined,
  }),
  isNo: ({ handoffs }) => handoffs.length === 0,
  present: ({ handoffs }, view) => (handoffs.length === 0 ? '' : table(handoffs.map((each) => rowOf(each, view)))),
  remark: ({ folder, handoffs, warnings }, view) =>
    presentRemarks(
      [
        ...warnings.map((text) => `! ${text}`),
        ...(handoffs.length === 0 ? [`There is no such handoff in ${visible(folder)}.`] : []),
        ...(warnings.length === 0 ? [] : [`→ Look through all of it: baton file store check ${shellWord(folder)}`]),
      ],
      view,
    ),
});

function rowOf(entry: Listed, view: View): string[] {
  const { id, acknowledged, created_at, source_agent, target_agent, scope, summary, result_status } = entry;
  return [
    view.style('bold', visible(id)),
    acknowledged ? 'acknowledged' : 'open',
    formatAge(created_at, view.now_ms),
    oneLine(`${source_agent} → ${target_agent ?? 'anybody'}`, 30),
    result_status,
    oneLine(scope ?? '', 24),
    oneLine(summary, Math.max(20, view.width - 110)),
  ];
}
