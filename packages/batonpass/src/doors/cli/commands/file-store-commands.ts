import { HandoffError } from '../../../core/errors.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../command.ts';
import { formatAge } from '../duration.ts';
import { dropUndefined, parseJson, textFrom } from '../given-content.ts';
import { shellWord } from '../present/command-words.ts';
import { counted } from '../present/plural.ts';
import { presentRemarks } from '../present/remarks.ts';
import { oneLine, table, type View, visible } from '../present/view.ts';

const folder = { flags: '<folder>', description: 'that contains `handoffs`, e.g. .twining' };

export const fileStoreCreate = defineCommand({
  name: 'file store create',
  arguments: [folder, { flags: '[file]', description: 'JSON with the fields of the record, or - for standard input' }],
  summary: 'Add a handoff to a folder of JSON records',
  options: [
    { flags: '--summary <text>', description: 'what was done and what is next' },
    { flags: '--from <agent>', description: 'who wrote it; default: you' },
    { flags: '--for <agent>', description: 'the only agent that may receive it' },
    { flags: '--scope <path>', description: 'which part of the project it is about' },
  ],
  examples: [
    { line: 'baton file store create .twining --summary "Parser done" --scope src/parser', what: '' },
    { line: 'baton file store create .twining record.json', what: 'with results and a snapshot' },
  ],
  operation: 'file.store-create',
  toInput: async (given) => ({ folder: given.arguments[0] ?? '', record: await recordOf(given) }),
  present: ({ record }, view) => view.style('bold', visible(record.id)),
  remark: ({ folder: path, record }) => `→ Show it: baton file store show ${shellWord(path)} ${record.id}`,
});

async function recordOf(given: Given): Promise<Record<string, unknown>> {
  const { summary, from: source_agent, for: target_agent, scope } = given.options;
  const [, name] = given.arguments;
  const value = name === undefined ? {} : parseJson(name, await textFrom(name, given));
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new HandoffError('invalid_input', `${name} is JSON, but not an object.`, {
      alternatives: ['Give a JSON object, e.g. { "summary": "…" }.'],
    });
  }
  return { ...value, ...dropUndefined({ summary, source_agent, target_agent, scope }) };
}

export const fileStoreAcknowledge = defineCommand({
  name: 'file store acknowledge',
  arguments: [folder, { flags: '<id>', description: 'of the handoff' }],
  summary: 'Mark a handoff of a folder of JSON records as received',
  options: [{ flags: '--by <agent>', description: 'who received it; default: you' }],
  examples: [{ line: 'baton file store acknowledge .twining 01KJNRZ8SE4PCS1RYBN0RW5VSR --by coder', what: '' }],
  operation: 'file.store-acknowledge',
  toInput: ({ arguments: [path = '', id = ''], options }) => ({
    folder: path,
    id,
    acknowledged_by: options.by as string | undefined,
  }),
  present: ({ record }, view) =>
    view.style(
      'green',
      `✓ ${visible(`${record.id} is acknowledged by ${record.acknowledged_by}, ${record.acknowledged_at}.`)}`,
    ),
});

type ListedRecord = OperationOutput<'file.store-list'>['handoffs'][number];

export const fileStoreList = defineCommand({
  name: 'file store list',
  arguments: [{ flags: '<folder>', description: 'that contains `handoffs`, e.g. .twining' }],
  summary: 'List the handoffs of a folder of JSON records, newest first',
  options: [
    { flags: '--from <agent>', description: 'written by this agent' },
    { flags: '--for <agent>', description: 'addressed to this agent' },
    { flags: '--scope <path>', description: 'on this path, above or below it, or without a scope' },
    { flags: '--since <time>', description: 'created then or later, ISO 8601' },
    { flags: '--limit <number>', description: 'at most this many', parse: (text) => Number(text) },
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
        ...(warnings.length === 0 ? [] : [`→ Check the whole folder: baton file store check ${shellWord(folder)}`]),
      ],
      view,
    ),
});

function rowOf(entry: ListedRecord, view: View): string[] {
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

export const fileStoreShow = defineCommand({
  name: 'file store show',
  arguments: [
    { flags: '<folder>', description: 'that contains `handoffs`, e.g. .twining' },
    { flags: '<id>', description: 'of the handoff' },
  ],
  summary: 'Show one handoff of a folder of JSON records, as its file has it',
  examples: [{ line: 'baton file store show .twining 01KJNRZ8SE4PCS1RYBN0RW5VSR', what: '' }],
  operation: 'file.store-show',
  toInput: ({ arguments: [folder = '', id = ''] }) => ({ folder, id }),
  present: ({ record }) => visible(JSON.stringify(record, null, 2)),
});

type RecordReport = OperationOutput<'file.store-check'>;

export const fileStoreCheck = defineCommand({
  name: 'file store check',
  arguments: [{ flags: '<folder>', description: 'that contains `handoffs`, e.g. .twining' }],
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
      ? `→ ${counted(findings.length, 'finding')} left that rebuilding the index does not fix: correct these files.`
      : `→ ${counted(findings.length, 'finding')}. To rebuild the index: baton file store check ${path} --repair`;
  },
});

function presentGood({ records, acknowledged, repaired }: RecordReport, view: View): string {
  const made = repaired ? 'The index is rebuilt, and nothing' : 'Nothing';
  return view.style('green', `✓ ${made} is wrong: ${counted(records, 'record')}, ${acknowledged} acknowledged.`);
}

/** One finding per line, in the form of compilers, so that editors find the place. */
function presentFindings({ findings }: RecordReport, view: View): string {
  return findings
    .map(({ path, line, what }) => {
      const place = line === undefined ? path : `${path}:${line}`;
      return `${view.style('bold', visible(place))}: ${visible(what)}`;
    })
    .join('\n');
}
