import { HandoffError } from '../../../core/errors.ts';
import type { OperationInput, OperationOutput } from '../../../operations/catalogue.ts';
import { type CommandOption, defineCommand, type Given } from '../command.ts';
import { formatAge, numberWithin } from '../duration.ts';
import { dropUndefined, textFrom } from '../given-content.ts';
import { shellWord } from '../present/command-words.ts';
import { counted } from '../present/plural.ts';
import { presentRemarks } from '../present/remarks.ts';
import { shownPath } from '../present/shown-path.ts';
import { oneLine, table, type View, visible } from '../present/view.ts';

/** The options that become the fields of a handoff file. */
const frontMatterOptions: readonly CommandOption[] = [
  { flags: '--type <type>', description: 'findings, plan or problem' },
  { flags: '--status <status>', description: 'complete, partial or failed' },
  { flags: '--phase <phase>', description: 'the phase of the work' },
  { flags: '--agent <name>', description: 'who writes it; default: you' },
  { flags: '--created <instant>', description: 'default: now' },
  { flags: '--confidence <level>', description: 'for findings: high, medium or low' },
  { flags: '--task-id <id>', description: 'for a plan: a task that it created', many: true },
  {
    flags: '--tasks-created <number>',
    description: 'for a plan; default: the number of --task-id',
    parse: numberWithin({ option: '--tasks-created', min: 0 }),
  },
  { flags: '--severity <severity>', description: 'for a problem: blocker, warning or info' },
  { flags: '--related-task <id>', description: 'for a problem: the task that it is about' },
  { flags: '--field <name=text>', description: 'a field of your own', many: true, parse: parseField },
];

/** The fields that the options name. */
function fieldsOf({ options }: Given): Record<string, unknown> {
  const { type, status, phase, agent, created, confidence, severity } = options;
  const own = (options.field as readonly (readonly [string, string])[] | undefined) ?? [];
  return dropUndefined({
    version: options.fileVersion,
    type,
    status,
    created,
    phase,
    agent,
    confidence,
    tasks_created: options.tasksCreated,
    task_ids: options.taskId,
    severity,
    related_task: options.relatedTask,
    ...Object.fromEntries(own),
  });
}

function parseField(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name.trim(), value];
  throw new HandoffError('invalid_input', `--field takes a name and a text, e.g. "reviewed=no", not "${text}".`, {
    details: { option: '--field' },
    alternatives: ['Write --field NAME=TEXT.'],
  });
}

const bodyArgument = { flags: '[body]', description: 'a Markdown file, or - for standard input' };

const folderOption = { flags: '--dir <folder>', description: 'created if it is missing; default: this one' };

export const fileWrite = defineCommand({
  name: 'file write',
  arguments: [bodyArgument],
  summary: 'Write a handoff file under a version that you name',
  options: [
    { flags: '--file-version <version>', description: 'as 001, or 001.1' },
    folderOption,
    ...frontMatterOptions,
  ],
  examples: [
    {
      line: 'baton file write --dir handoffs --file-version 001.1 --type findings --status partial --phase 02-auth --confidence low notes.md',
      what: '',
    },
  ],
  operation: 'file.write',
  toInput: async (given) => ({
    folder: folderOf(given) ?? '.',
    frontmatter: fieldsOf(given),
    body: (await bodyOf(given)) ?? missingBody(),
  }),
  present: presentPath,
  remark: howToRead,
});

export const fileNext = defineCommand({
  name: 'file next',
  arguments: [bodyArgument],
  summary: 'Write a handoff file under the next version of its kind',
  options: [
    { flags: '--from <file>', description: 'start from this one: what you do not give is kept from it' },
    folderOption,
    ...frontMatterOptions,
  ],
  examples: [
    {
      line: 'baton file next --dir handoffs --type findings --status complete --phase 02-auth --confidence high notes.md',
      what: '',
    },
    { line: 'baton file next --from handoffs/findings-001.md --status complete', what: 'the same, but complete' },
    {
      line: 'baton file next --dir handoffs --type problem --status failed --phase 02-auth --severity blocker --related-task T7 -',
      what: 'the body from standard input',
    },
  ],
  operation: 'file.next',
  toInput: async (given) => {
    const from = given.options.from as string | undefined;
    const body = await bodyOf(given);
    if (from === undefined && body === undefined) return missingBody();
    const folder = folderOf(given) ?? (from === undefined ? '.' : undefined);
    return { from, folder, frontmatter: fieldsOf(given), body };
  },
  present: presentPath,
  remark: howToRead,
});

function folderOf({ options }: Given): string | undefined {
  return options.dir as string | undefined;
}

async function bodyOf(given: Given): Promise<string | undefined> {
  const [name] = given.arguments;
  return name === undefined ? undefined : textFrom(name, given);
}

function missingBody(): never {
  throw new HandoffError('invalid_input', 'The body of the file is missing.', {
    details: { field: 'body' },
    alternatives: [
      'Name a Markdown file at the end of the command.',
      'Or write "-" there, and give it on standard input.',
    ],
  });
}

function presentPath({ path }: { path: string }, view: View): string {
  return view.style('bold', shownPath(path));
}

function howToRead({ path }: { path: string }): string {
  return `→ Read it: baton file read ${shellWord(shownPath(path))}`;
}

export const fileRead = defineCommand({
  name: 'file read',
  arguments: [{ flags: '<file>', description: 'the handoff file' }],
  summary: 'Read a handoff file, including hand-written ones',
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
      repairs.map((repair) => `! Repaired: ${repair}`),
      view,
    ),
});

function presentField(name: string, value: unknown, view: View): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${view.style('gray', `${visible(name)}:`)} ${visible(text)}`;
}

type ListedFile = OperationOutput<'file.list'>['files'][number];

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

function rowOf({ type, version, status, created, agent, phase, title, problem }: ListedFile, view: View): string[] {
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

type FileReport = OperationOutput<'file.check'>;

export const fileCheck = defineCommand({
  name: 'file check',
  arguments: [{ flags: '<path...>', description: 'files, and folders with everything in them' }],
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

function presentGood({ documents, handoff_files }: FileReport, view: View): string {
  const found = `${counted(handoff_files, 'handoff file')} in ${counted(documents, 'document')}`;
  return view.style('green', `✓ Nothing is wrong: ${found}.`);
}

/** One finding per line, in the form of compilers, so that editors find the place. */
function presentFindings({ findings }: FileReport, view: View): string {
  return findings
    .map(({ path, line, column, what }) => {
      const place = line === undefined ? shownPath(path) : `${shownPath(path)}:${line}:${column}`;
      return `${view.style('bold', place)}: ${visible(what)}`;
    })
    .join('\n');
}
