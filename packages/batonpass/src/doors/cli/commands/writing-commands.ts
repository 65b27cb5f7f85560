import type { ContentInput } from '../../../core/content.ts';
import { HandoffError } from '../../../core/errors.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { type CommandOption, defineCommand, type Given, underItsKey } from '../command.ts';
import { durationWithin, numberWithin, parseBudget } from '../duration.ts';
import { contentFromText, dropUndefined } from '../given-content.ts';
import { describeItems, shortId } from '../present/handoff-line.ts';
import { howToTake, nextForNew } from '../present/next-steps.ts';
import { shownPath } from '../present/shown-path.ts';
import type { View } from '../present/view.ts';
import { presentStep } from './lease-commands.ts';

const contentOptions: readonly CommandOption[] = [
  { flags: '--title <text>', description: 'one line' },
  { flags: '--summary <text>', description: 'what it is about, in two or three sentences' },
  { flags: '--decision <text>', description: 'what was decided', many: true },
  { flags: '--file <path>', description: 'a file that matters', many: true },
  { flags: '--risk <text>', description: 'what may go wrong', many: true },
  { flags: '--next <text>', description: 'what comes next', many: true },
  { flags: '--question <text>', description: 'what is still open', many: true },
];

const addressOptions: readonly CommandOption[] = [
  { flags: '--task <id>', description: 'the queue it waits in' },
  { flags: '--for <agent>', description: 'only this agent may claim it' },
  { flags: '--scope <path>', description: 'the path or topic it is about' },
];

export const create = defineCommand({
  name: 'create',
  arguments: [
    {
      flags: '[content]',
      description:
        'a file, or - for standard input: JSON with the fields; or Markdown, all of which becomes the body, also its lists of decisions and next steps',
    },
  ],
  summary: 'Hand work over: write a handoff',
  options: [
    ...contentOptions,
    ...addressOptions,
    { flags: '--kind <kind>', description: 'context, findings, plan, problem, result, or your own word' },
    {
      flags: '--tried <what=outcome>',
      description: 'a dead end, e.g. "cache=stale after deploy"',
      many: true,
      parse: parseTried,
    },
    { flags: '--parent <id>', description: 'the handoff that this one follows' },
    { flags: '--supersede <id>', description: 'the handoff that this one replaces' },
    {
      flags: '--expires <duration>',
      description: 'expires after this long, e.g. 2d',
      parse: durationWithin({ option: '--expires', min: 1_000 }),
    },
    { flags: '--draft', description: 'start as a draft that has to be approved' },
    {
      flags: '--attempts <number>',
      description: 'claims before it is given up (5)',
      parse: numberWithin({ option: '--attempts', min: 1, max: 100 }),
    },
  ],
  examples: [
    {
      line: 'baton create --summary "Finish the login form" --next "wire up validation" --file src/login.tsx',
      what: '',
    },
    { line: 'baton create --task auth --for reviewer - < handoff.json', what: 'a complete content' },
    { line: 'baton create notes.md --decision "…" --next "…"', what: 'a document, and lists next to it' },
  ],
  operation: 'handoff.create',
  toInput: async (given) => {
    const { options } = given;
    const base = given.arguments[0] === undefined ? {} : await contentFromText(given);
    const content = { ...base, ...fieldsOf(given), ...listsOf(given, base) };
    if (Object.keys(content).length === 0) throw nothingGiven();
    return {
      content,
      expires_in_ms: options.expires as number | undefined,
      draft: options.draft as boolean | undefined,
      max_attempts: options.attempts as number | undefined,
    };
  },
  present: presentStep,
  toJson: underItsKey,
  remark: (handoff, view) => [...secretsMaskedIn(handoff, view), nextForNew(handoff, view)].join('\n'),
});

export const edit = defineCommand({
  name: 'edit',
  arguments: [
    { flags: '<id>', description: 'the draft' },
    { flags: '[content]', description: 'complete new content: a JSON file, or - for standard input' },
  ],
  summary: 'Change a draft',
  options: [
    ...contentOptions,
    ...addressOptions,
    { flags: '--remove <item>', description: 'remove an item, by the id that `baton show` prints', many: true },
    { flags: '--reword <item=text>', description: 'reword an item', many: true, parse: parseReword },
    {
      flags: '--if-version <number>',
      description: 'only if it still has this version',
      parse: numberWithin({ option: '--if-version' }),
    },
  ],
  examples: [
    { line: 'baton edit 7QX4M2AB --remove d3 --reword "d1=Use one token bucket per key"', what: '' },
    { line: 'baton edit 7QX4M2AB --decision "Keep the old endpoint until March"', what: 'add one' },
  ],
  operation: 'handoff.edit',
  toInput: async (given) => {
    const { title, summary, task_id, target_agent, scope } = fieldsOf(given);
    const { decisions, files, risks, next_steps, open_questions } = listsOf(given, {});
    return {
      id: given.arguments[0] ?? '',
      content: given.arguments[1] === undefined ? undefined : await contentFromText(given, 1),
      changes: {
        title,
        summary,
        task_id,
        target_agent,
        scope,
        remove: given.options.remove as string[] | undefined,
        reword: given.options.reword as { id: string; text: string }[] | undefined,
        add: { decisions, files, risks, next_steps, open_questions },
      },
      if_version: given.options.ifVersion as number | undefined,
    };
  },
  present: (handoff, view) => `${presentStep(handoff, view)}\n${describeItems(handoff.content)}`,
  toJson: ({ words_remain_in, ...handoff }) => ({ handoff, words_remain_in }),
  remark: (handoff, view) =>
    [
      ...secretsMaskedIn(handoff, view),
      ...wordsRemain(handoff.words_remain_in ?? []).map((line) => view.style('yellow', line)),
      nextForNew(handoff, view),
    ].join('\n'),
});

export const approve = defineCommand({
  name: 'approve',
  arguments: [{ flags: '<id>', description: 'the draft' }],
  summary: 'Open a draft for receivers, bound to exactly this content',
  options: [
    { flags: '--hash <sha256>', description: 'refuse unless the content has this hash' },
    { flags: '--rendered <sha256>', description: 'refuse unless the text for the receiver has this hash' },
    { flags: '--budget <tokens>', description: 'how long the text for the receiver may be', parse: parseBudget },
  ],
  examples: [{ line: 'baton approve 7QX4M2AB', what: 'after `baton show 7QX4M2AB`' }],
  operation: 'handoff.approve',
  toInput: ({ arguments: [id = ''], options }) => ({
    id,
    content_sha256: options.hash as string | undefined,
    rendered_sha256: options.rendered as string | undefined,
    budget: options.budget as number | undefined,
  }),
  present: presentStep,
  toJson: underItsKey,
  remark: (handoff, view) => [...describeApproval(handoff, view), howToTake(handoff, view)].join('\n'),
});

/** What an approval is bound to, and where to see it. */
export function describeApproval({ id, delivery }: Handoff, view: View): string[] {
  const { content_sha256, rendered_sha256, budget } = delivery.approval ?? {};
  return [
    view.style('gray', `content ${content_sha256}`),
    view.style('gray', `text    ${rendered_sha256} (${budget} tokens at the most)`),
    `See exactly what a receiver gets: baton render ${shortId(id)}`,
  ];
}

function fieldsOf({ options }: Given): Partial<ContentInput> {
  return dropUndefined({
    title: options.title,
    summary: options.summary,
    kind: options.kind,
    task_id: options.task,
    target_agent: options.for,
    scope: options.scope,
    parent_id: options.parent,
    supersedes_id: options.supersede,
  });
}

/** Adds the values of the options to the lists of the text. */
function listsOf({ options }: Given, base: ContentInput): Partial<ContentInput> {
  const joined = (name: string, items: readonly unknown[] = []) => {
    const added = (options[name] as unknown[] | undefined) ?? [];
    return added.length === 0 ? undefined : [...items, ...added];
  };
  return dropUndefined({
    decisions: joined('decision', base.decisions),
    files: joined('file', base.files),
    risks: joined('risk', base.risks),
    next_steps: joined('next', base.next_steps),
    open_questions: joined('question', base.open_questions),
    tried: joined('tried', base.tried),
  });
}

function parseTried(text: string): { what: string; outcome: string } {
  const [what, outcome] = splitPair(text, '--tried "what=outcome"');
  return { what, outcome };
}

function parseReword(text: string): { id: string; text: string } {
  const [id, words] = splitPair(text, '--reword "d1=new words"');
  return { id, text: words };
}

function splitPair(text: string, form: string): [string, string] {
  const place = text.indexOf('=');
  if (place > 0 && place < text.length - 1) return [text.slice(0, place).trim(), text.slice(place + 1).trim()];
  throw new HandoffError('invalid_input', `"${text}" does not have two parts.`, {
    alternatives: [`Write it as ${form}.`],
  });
}

function nothingGiven(): HandoffError {
  return new HandoffError('invalid_input', 'There is nothing to hand over yet.', {
    alternatives: [
      'Write it: baton create --summary "…" --next "…"',
      'Or give the content as a file: baton create content.json',
      'Or import a conversation: baton import --last',
    ],
  });
}

/** Where the words of what was removed or reworded still are, on one line; none where they are nowhere. */
export function wordsRemain(places: readonly string[]): string[] {
  return places.length === 0 ? [] : [`What it said before is still in: ${places.join(', ')}`];
}

/** The writer of a secret is informed that it was found and not kept. */
function secretsMaskedIn({ content }: Handoff, view: View): string[] {
  // What was masked in the conversation's own sentences was reported when it was read.
  const { words: _, ...own } = content;
  const kinds = JSON.stringify(own).match(/(?<=\[masked:)[a-z-]+(?=\])/g) ?? [];
  if (kinds.length === 0) return [];
  return [view.style('yellow', `Secrets masked: ${[...new Set(kinds)].join(', ')}. They are not in the store.`)];
}

export const agentWrites = defineCommand({
  name: 'agent-writes',
  arguments: [{ flags: '[session]', description: 'the host’s session id, or its first characters (the newest)' }],
  summary: 'Let the agent of an ended session write its handoff now, beyond the daily limits',
  examples: [
    { line: 'baton agent-writes', what: 'the session that ended last in this folder' },
    { line: 'baton agent-writes 4f1c2d3e', what: 'one that was too long to be asked automatically' },
  ],
  operation: 'session.write',
  toInput: (given) => ({ session: given.arguments[0] }),
  present: (handoff, view) => [presentStep(handoff, view), describeItems(handoff.content)].join('\n'),
  remark: (handoff, view) => nextForNew(handoff, view),
  toJson: underItsKey,
  progress: () => 'asking the agent of the session, which may take three minutes',
});

export const exportCommand = defineCommand({
  name: 'export',
  arguments: [{ flags: '<id>', description: 'the handoff, or the last characters of its id' }],
  summary: 'Write a handoff as a versioned Markdown file or a JSON record',
  options: [
    {
      flags: '--form <form>',
      field: 'as',
      description: 'file, the default: {type}-{version}.md; or record: handoffs/{id}.json',
    },
    { flags: '--to <folder>', field: 'folder', description: 'the folder to write to; default: here' },
    {
      flags: '--file-version <number>',
      field: 'version',
      description: 'of the file, e.g. 002; default: its previous one, else the next',
    },
  ],
  examples: [
    { line: 'baton export 7Q4F --to docs/handoffs', what: 'a file that the next agent can read without Baton' },
    { line: 'baton import docs/handoffs/findings-001.md', what: 'imports it again, without loss' },
  ],
  operation: 'handoff.export',
  toInput: ({ arguments: [id = ''], options }) => ({
    id,
    as: options.form as 'file' | undefined,
    folder: options.to as string | undefined,
    version: options.fileVersion as string | undefined,
  }),
  present: ({ path }, view) => view.style('bold', shownPath(path)),
});
