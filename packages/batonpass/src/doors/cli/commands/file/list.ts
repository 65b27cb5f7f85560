import type { OperationInput, OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand } from '../../command.ts';
import { formatAge } from '../../duration.ts';
import { shellWord } from '../../present/command-words.ts';
import { counted } from '../../present/plural.ts';
import { shownPath } from '../../present/shown-path.ts';
import { oneLine, table, type View } from '../../present/view.ts';

type Listed = OperationOutput<'file.list'>['files'][number];

export const fileList = defineCommand({
  name: 'file list',
  arguments: [{ flags: '[folder]', description: 'default: this one' }],
  summary: 'List the handoff files of a folder, the newest version of each kind first',
  options: [{ flags: '--type <type>', description: 'findings, plan or problem' }],
  examples: [
    { line: 'baton file list handoffs', what: '' },
    { line: 'baton file list handoffs --type plan --json', what: '' },
  ],
  operation: 'file.list',
  toInput: ({ arguments: [folder = '.'], options }) => ({
    folder,
    type: options.type as OperationInput<'file.list'>['type'],
  }),
  isNo: ({ files }) => files.length === 0,
  present: ({ files }, view) => (files.length === 0 ? '' : table(files.map((file) => rowOf(file, view)))),
  remark: ({ folder, files }) => {
    if (files.length === 0) return `There is no handoff file in ${shownPath(folder)}.`;
    const unread = files.filter(({ problem }) => problem !== undefined).length;
    return unread === 0
      ? ''
      : `→ See why ${counted(unread, 'file')} cannot be read: baton file check ${shellWord(shownPath(folder))}`;
  },
});

function rowOf({ type, version, status, created, agent, phase, title, problem }: Listed, view: View): string[] {
  const about = problem === undefined ? (title ?? '') : `! ${problem}`;
  return [
    view.style('bold', `${type} ${version}`),
    status ?? '',
    created === undefined ? '' : formatAge(created, view.now_ms),
    oneLine(phase ?? '', 24),
    oneLine(agent ?? '', 24),
    oneLine(about, Math.max(20, view.width - 70)),
  ];
}
