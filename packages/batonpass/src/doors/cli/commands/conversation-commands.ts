import type { Extractor } from '../../../core/model-settings.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../command.ts';
import { presentContent } from '../present/handoff-detail.ts';
import { presentUnkeptHead } from '../present/handoff-head.ts';
import { describeItems } from '../present/handoff-line.ts';
import { nextForNew } from '../present/next-steps.ts';
import { counted } from '../present/plural.ts';
import { type View, visible } from '../present/view.ts';
import { presentStep } from './lease-commands.ts';

const transcript = { flags: '[transcript]', description: 'a transcript file, or - for standard input' };
const extractor = {
  flags: '--extractor <name>',
  description: 'rules, offline and the default, or model: sends the conversation to the configured one',
};
const model = { flags: '--model <name>', description: 'the model, instead of the configured one' };
const last = { flags: '--last', description: 'the newest session found for this project' };
const repository = {
  flags: '--repository <session>',
  description: 'a session in the repository, by its path or id: baton sessions --repository',
};
const conversation = {
  flags: '--conversation <name>',
  description: 'of a file with several: its id, title or start (the newest)',
};

export const importCommand = defineCommand({
  name: 'import',
  arguments: [
    {
      flags: '[file]',
      description:
        'a transcript, a handoff file, a JSON record or a document with front matter, or - for standard input',
    },
  ],
  summary: 'Create a draft handoff from a conversation or a handoff file',
  options: [
    last,
    repository,
    conversation,
    extractor,
    model,
    { flags: '--title <text>', description: 'one line, instead of the derived one' },
    { flags: '--task <id>', description: 'the queue it waits in' },
    { flags: '--for <agent>', description: 'only this agent may claim it' },
    { flags: '--scope <path>', description: 'the path or topic it is about' },
    { flags: '--pin <text>', description: 'a decision, in its words: comes first', many: true },
  ],
  examples: [
    { line: 'baton import --last', what: 'the session that just ended here' },
    { line: 'baton import session.jsonl --for codex', what: 'a file, for one receiver' },
    { line: 'baton import findings-001.md', what: 'a handoff file that an agent wrote' },
    { line: 'baton import --last --extractor model', what: 'read by a language model instead of rules' },
  ],
  operation: 'handoff.import',
  toInput: async (given) => ({
    ...(await conversationOf(given)),
    title: given.options.title as string | undefined,
    task_id: given.options.task as string | undefined,
    target_agent: given.options.for as string | undefined,
    scope: given.options.scope as string | undefined,
    pins: given.options.pin as string[] | undefined,
  }),
  present: ({ form, handoff }, view) =>
    [presentStep(handoff, view), ...(form === 'conversation' ? [describeItems(handoff.content)] : [])].join('\n'),
  remark: ({ handoff, reading, extraction, existing, masked }, view) =>
    [
      ...(masked === undefined ? [] : [view.style('yellow', `${counted(masked, 'secret')} masked.`)]),
      ...(reading === undefined ? [] : [describeReading(reading, view)]),
      ...(extraction === undefined ? [] : describeExtraction(extraction, view)),
      ...(existing ? ['This content was imported before; nothing new was stored.'] : []),
      nextForNew(handoff, view),
    ].join('\n'),
});

export const extract = defineCommand({
  name: 'extract',
  arguments: [transcript],
  summary: 'Show what is extracted from a conversation, without storing it',
  options: [last, repository, conversation, extractor, model],
  examples: [
    { line: 'baton extract session.jsonl --json > content.json', what: 'edit it, then `baton create content.json`' },
  ],
  operation: 'conversation.extract',
  toInput: conversationOf,
  present: ({ content, reading }, view) =>
    `${presentUnkeptHead(content, reading.host, view)}\n\n${presentContent(content, view)}`,
  remark: ({ reading, extraction }, view) =>
    [describeReading(reading, view), ...describeExtraction(extraction, view)].join('\n'),
});

export const read = defineCommand({
  name: 'read',
  arguments: [transcript],
  summary: 'Show the messages of a conversation, without storing it',
  options: [last, repository, conversation],
  examples: [{ line: 'baton read --last', what: 'the newest session of this project' }],
  operation: 'conversation.read',
  toInput: sourceOf,
  present: ({ messages }, view) => messages.map((message) => presentMessage(message, view)).join('\n\n'),
  remark: ({ reading }, view) => describeReading(reading, view),
});

type SaidMessage = OperationOutput<'conversation.read'>['messages'][number];

function presentMessage({ role, text, tools }: SaidMessage, view: View): string {
  const used = tools.map(({ name, path, command }) => `${name} ${path ?? command ?? ''}`.trim());
  return [
    view.style('bold', role),
    ...(text === '' ? [] : [visible(text)]),
    ...used.map((each) => view.style('gray', visible(each))),
  ].join('\n');
}

async function conversationOf(given: Given) {
  const extractor = given.options.extractor as Extractor | undefined;
  const model = given.options.model as string | undefined;
  return { ...(await sourceOf(given)), extractor, model };
}

async function sourceOf(given: Given) {
  const [name] = given.arguments;
  const last = given.options.last as boolean | undefined;
  const repository = given.options.repository as string | undefined;
  const conversation = given.options.conversation as string | undefined;
  const source = name === '-' ? { text: await given.readStandardInput() } : { path: name };
  return { ...source, last, repository, conversation };
}

function describeReading(reading: OperationOutput<'conversation.extract'>['reading'], view: View): string {
  const { messages, conversations, unread_lines, unread_reasons, masked } = reading;
  const secrets = Object.entries(masked).map(([kind, count]) => `${count} × ${kind}`);
  const reasons = Object.entries(unread_reasons).map(([why, count]) => `${count} ${why}`);
  return [
    view.style('gray', `Read ${counted(messages, 'message')}.`),
    ...(conversations === undefined
      ? []
      : [`This is 1 of ${conversations} conversations in the file, see --conversation.`]),
    ...(unread_lines === 0
      ? []
      : [view.style('gray', `Not read: ${counted(unread_lines, 'line')} (${reasons.join(', ')}).`)]),
    ...(secrets.length === 0 ? [] : [view.style('yellow', `Secrets masked: ${secrets.join(', ')}.`)]),
  ].join('\n');
}

/** The request to a model for a conversation and its result, in lines; none where no model was asked. */
function describeExtraction(
  { extractor, note, model }: OperationOutput<'conversation.extract'>['extraction'],
  view: View,
): string[] {
  if (model === undefined) return [];
  const { requests, input_tokens, output_tokens, unread_tokens, cost, dropped } = model;
  const tokens = `${input_tokens.toLocaleString('en-US')} tokens in, ${output_tokens.toLocaleString('en-US')} out`;
  const price = cost === undefined ? '' : `, ${cost.amount.toFixed(4)} ${visible(cost.currency)}`;
  const who = extractor === 'model' ? 'Extracted by' : 'Asked';
  const left = [
    ...(dropped.invented_quotes === 0 ? [] : [`${counted(dropped.invented_quotes, 'item')} with an invented quote`]),
    ...(dropped.refused_paths === 0 ? [] : [`${counted(dropped.refused_paths, 'path')} out of the project`]),
    ...(dropped.unproven_reversals === 0 ? [] : [`${counted(dropped.unproven_reversals, 'reversal')} without proof`]),
  ];
  return [
    ...(note === undefined ? [] : [view.style('yellow', visible(note))]),
    view.style('gray', `${who} ${visible(model.model)}: ${counted(requests, 'request')}, ${tokens}${price}.`),
    ...(unread_tokens === undefined ? [] : [view.style('yellow', describeUnread(unread_tokens))]),
    ...(left.length === 0 ? [] : [view.style('yellow', `Left out of its answer: ${left.join(', ')}.`)]),
  ];
}

function describeUnread(tokens: number): string {
  const about = tokens.toLocaleString('en-US');
  return `The server counted some ${about} tokens fewer than one prompt has: give it a larger context, or set model.window_characters.`;
}
