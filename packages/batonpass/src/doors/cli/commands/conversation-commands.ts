import type { Content } from '../../../core/content.ts';
import type { Handoff } from '../../../core/handoff.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../command.ts';
import { presentHandoff } from '../present/handoff-detail.ts';
import { describeItems } from '../present/handoff-line.ts';
import type { View } from '../present/view.ts';
import { presentStep } from './lease-commands.ts';
import { nextForNew } from './writing-commands.ts';

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
  present: ({ content }, view) => presentHandoff(asUnkept(content, view), view),
  remark: ({ reading }, view) => describeReading(reading, view),
});

async function conversationOf(given: Given) {
  const [name] = given.arguments;
  const isLast = given.options.last as boolean | undefined;
  return name === '-' ? { text: await given.readStandardInput(), last: isLast } : { path: name, last: isLast };
}

/** An extraction in the form of a handoff, to be shown by the same code. */
function asUnkept(content: Content, view: View): Handoff {
  const created_at = new Date(view.now_ms).toISOString();
  const delivery = {
    state: 'draft' as const,
    version: 0,
    content_revision: 0,
    available_at: created_at,
    attempts: 0,
    max_attempts: 0,
    fence: 0,
    consumed: 1 as const,
  };
  return { id: 'not kept', schema: 1, created_at, project: '', content_sha256: '', content, delivery };
}

function describeReading(reading: OperationOutput<'conversation.extract'>['reading'], view: View): string {
  const { messages, unread_lines, unread_reasons, masked } = reading;
  const secrets = Object.entries(masked).map(([kind, count]) => `${count} × ${kind}`);
  const reasons = Object.entries(unread_reasons).map(([why, count]) => `${count} ${why}`);
  return [
    view.style('gray', `Read ${messages} messages.`),
    ...(unread_lines === 0 ? [] : [view.style('gray', `Not read: ${unread_lines} lines (${reasons.join(', ')}).`)]),
    ...(secrets.length === 0 ? [] : [view.style('yellow', `Secrets masked: ${secrets.join(', ')}.`)]),
  ].join('\n');
}
