import { defineCommand } from '../../command.ts';
import { presentRemarks } from '../../present/remarks.ts';
import { type View, visible } from '../../present/view.ts';

export const fileRead = defineCommand({
  name: 'file read',
  arguments: [{ flags: '<file>', description: 'the handoff file' }],
  summary: 'Read a handoff file, hand-written ones too',
  options: [{ flags: '--any', description: 'any Markdown document: its front matter as it is' }],
  examples: [
    { line: 'baton file read handoffs/findings-001.md', what: '' },
    { line: 'baton file read --any .planning/01-01-PLAN.md --json', what: 'a document of another kind' },
  ],
  operation: 'file.read',
  toInput: ({ arguments: [path = ''], options }) => ({ path, any: options.any as boolean | undefined }),
  present: ({ frontmatter, body }, view) => {
    const fields = Object.entries(frontmatter ?? {}).map(([name, value]) => presentField(name, value, view));
    return [...fields, ...(fields.length > 0 && body !== '' ? [''] : []), visible(body)].join('\n');
  },
  remark: ({ repairs = [] }, view) =>
    presentRemarks(
      repairs.map((repair) => `! Mended: ${repair}`),
      view,
    ),
});

function presentField(name: string, value: unknown, view: View): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${view.style('gray', `${visible(name)}:`)} ${visible(text)}`;
}
