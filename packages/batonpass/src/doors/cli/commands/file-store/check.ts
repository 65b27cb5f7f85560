import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand } from '../../command.ts';
import { shellWord } from '../../present/command-words.ts';
import { counted } from '../../present/plural.ts';
import { type View, visible } from '../../present/view.ts';

type Report = OperationOutput<'file.store-check'>;

export const fileStoreCheck = defineCommand({
  name: 'file store check',
  arguments: [{ flags: '<folder>', description: 'that holds `handoffs`, as .twining' }],
  summary: 'Check every JSON record of a folder, and its index',
  options: [{ flags: '--repair', description: 'rebuild the index from the records first' }],
  examples: [
    { line: 'baton file store check .twining', what: 'exit code 1 where something is wrong' },
    { line: 'baton file store check .twining --repair', what: 'the records stay as they are' },
  ],
  operation: 'file.store-check',
  toInput: ({ arguments: [folder = ''], options }) => ({ folder, repair: options.repair === true }),
  isNo: ({ findings }) => findings.length > 0,
  progress: () => 'Checking records',
  present: (report, view) => (report.findings.length === 0 ? presentGood(report, view) : presentFindings(report, view)),
  remark: ({ folder, repaired, findings }) => {
    if (findings.length === 0) return '';
    const path = shellWord(folder);
    return repaired
      ? `→ ${counted(findings.length, 'finding')} left, which no index mends: correct these files.`
      : `→ ${counted(findings.length, 'finding')}. What the index lacks is mended by: baton file store check ${path} --repair`;
  },
});

function presentGood({ records, acknowledged, repaired }: Report, view: View): string {
  const made = repaired ? 'The index is made anew, and nothing' : 'Nothing';
  return view.style('green', `✓ ${made} is wrong: ${counted(records, 'record')}, ${acknowledged} acknowledged.`);
}

/** One finding per line, in the form of compilers, so that editors find the place. */
function presentFindings({ findings }: Report, view: View): string {
  return findings
    .map(({ path, line, what }) => {
      const place = line === undefined ? path : `${path}:${line}`;
      return `${view.style('bold', visible(place))}: ${visible(what)}`;
    })
    .join('\n');
}
