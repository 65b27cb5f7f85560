import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand } from '../../command.ts';
import { counted } from '../../present/plural.ts';
import { presentRemarks } from '../../present/remarks.ts';
import { shownPath } from '../../present/shown-path.ts';
import { type View, visible } from '../../present/view.ts';

type Report = OperationOutput<'file.check'>;

export const fileCheck = defineCommand({
  name: 'file check',
  arguments: [{ flags: '<path...>', description: 'files, and folders with all that is in them' }],
  summary: 'Check handoff files, and the front matter of every Markdown file; made for a pre-commit hook',
  examples: [
    { line: 'baton file check handoffs', what: 'exit code 1 where something is wrong' },
    { line: 'baton file check $(git diff --cached --name-only -- "*.md")', what: 'in a pre-commit hook' },
  ],
  operation: 'file.check',
  toInput: ({ arguments: paths }) => ({ paths: paths.flatMap((path) => path ?? []) }),
  isNo: ({ findings }) => findings.length > 0,
  progress: () => 'Checking documents',
  present: (report, view) => (report.findings.length === 0 ? presentGood(report, view) : presentFindings(report, view)),
  remark: ({ repairs, findings, documents }, view) =>
    presentRemarks(
      [
        ...repairs.map(({ path, what }) => `! ${shownPath(path)}: ${what}`),
        ...(findings.length === 0
          ? []
          : [`${counted(findings.length, 'finding')} in ${counted(documents, 'document')}.`]),
      ],
      view,
    ),
});

function presentGood({ documents, handoff_files }: Report, view: View): string {
  const found = `${counted(handoff_files, 'handoff file')} in ${counted(documents, 'document')}`;
  return view.style('green', `✓ Nothing is wrong: ${found}.`);
}

/** One finding per line, in the form of compilers, so that editors find the place. */
function presentFindings({ findings }: Report, view: View): string {
  return findings
    .map(({ path, line, column, what }) => {
      const place = line === undefined ? shownPath(path) : `${shownPath(path)}:${line}:${column}`;
      return `${view.style('bold', place)}: ${visible(what)}`;
    })
    .join('\n');
}
