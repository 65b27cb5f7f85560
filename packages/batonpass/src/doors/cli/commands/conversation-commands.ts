import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../command.ts';
import { presentContent } from '../present/handoff-detail.ts';
import { presentUnkeptHead } from '../present/handoff-head.ts';
import { describeItems } from '../present/handoff-line.ts';
import { nextForNew } from '../present/next-steps.ts';
import { counted } from '../present/plural.ts';
import type { View } from '../present/view.ts';
import { presentStep } from './lease-commands.ts';

const transcript = { flags: '[transcript]', description: 'a transcript file, or - for standard input' };
const last = { flags: '--last', description: 'the newest session found for this project' };

export const importCommand = defineCommand({
  name: 'import',
  arguments: [transcript],
  summary: 'Make a handoff of a conversation, as a draft to review',
  options: [
    last,
    { flags: '--title <text>', description: 'one line, in place of the derived one' },
    { flags: '--task <id>', description: 'the queue it waits in' },
    { flags: '--for <agent>', description: 'only this agent may claim it' },
    { flags: '--scope <path>', description: 'the path or topic it is about' },
  ],
  examples: [
    { line: 'baton import --last', what: 'the session that just ended here' },
    { line: 'baton import session.jsonl --for codex', what: 'a file, for one receiver' },
  ],
  operation: 'conversation.import',
  toInput: async (given) => ({
    ...(await conversationOf(given)),
    title: given.options.title as string | undefined,
    task_id: given.options.task as string | undefined,
    target_agent: given.options.for as string | undefined,
    scope: given.options.scope as string | undefined,
  }),
  present: ({ handoff }, view) => `${presentStep(handoff, view)}\n${describeItems(handoff.content)}`,
  remark: ({ handoff, reading, existing }, view) =>
    [
      describeReading(reading, view),
      ...(existing ? ['This very content was imported before; nothing new was kept.'] : []),
      nextForNew(handoff, view),
    ].join('\n'),
});

export const extract = defineCommand({
  name: 'extract',
  arguments: [transcript],
  summary: 'Show what a conversation holds, without keeping it',
  options: [last],
  examples: [
    { line: 'baton extract session.jsonl --json > content.json', what: 'edit it, then `baton create content.json`' },
  ],
  operation: 'conversation.extract',
  toInput: conversationOf,
  present: ({ content, reading }, view) =>
    `${presentUnkeptHead(content, reading.host, view)}\n\n${presentContent(content, view)}`,
  remark: ({ reading }, view) => describeReading(reading, view),
});

async function conversationOf(given: Given) {
  const [name] = given.arguments;
  const isLast = given.options.last as boolean | undefined;
  return name === '-' ? { text: await given.readStandardInput(), last: isLast } : { path: name, last: isLast };
}

function describeReading(reading: OperationOutput<'conversation.extract'>['reading'], view: View): string {
  const { messages, unread_lines, unread_reasons, masked } = reading;
  const secrets = Object.entries(masked).map(([kind, count]) => `${count} × ${kind}`);
  const reasons = Object.entries(unread_reasons).map(([why, count]) => `${count} ${why}`);
  return [
    view.style('gray', `Read ${counted(messages, 'message')}.`),
    ...(unread_lines === 0
      ? []
      : [view.style('gray', `Not read: ${counted(unread_lines, 'line')} (${reasons.join(', ')}).`)]),
    ...(secrets.length === 0 ? [] : [view.style('yellow', `Secrets masked: ${secrets.join(', ')}.`)]),
  ].join('\n');
}
