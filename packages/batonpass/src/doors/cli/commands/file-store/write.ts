import { HandoffError } from '../../../../core/errors.ts';
import { defineCommand, type Given } from '../../command.ts';
import { dropUndefined, parseJson, textFrom } from '../../given-content.ts';
import { shellWord } from '../../present/command-words.ts';
import { visible } from '../../present/view.ts';

const folder = { flags: '<folder>', description: 'that holds `handoffs`, as .twining' };

export const fileStoreCreate = defineCommand({
  name: 'file store create',
  arguments: [folder, { flags: '[file]', description: 'JSON with the fields of the record, or - for standard input' }],
  summary: 'Add a handoff to a folder of JSON records',
  options: [
    { flags: '--summary <text>', description: 'what was done and what is next' },
    { flags: '--from <agent>', description: 'who wrote it; default: you' },
    { flags: '--for <agent>', description: 'for whom alone it is' },
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
    throw new HandoffError('invalid_input', `${name} is JSON, but no object.`, {
      alternatives: ['Give a JSON object, as { "summary": "…" }.'],
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
