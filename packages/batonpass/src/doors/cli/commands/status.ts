import { basename } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { showProject } from '../../../core/project-name.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import type { HandoffInShort } from '../../../operations/handoff-in-short.ts';
import { defineCommand } from '../command.ts';
import { numberWithin } from '../duration.ts';
import { asAgent } from '../present/command-words.ts';
import { handoffTable, remarksOnDamaged, shortId } from '../present/handoff-line.ts';
import { oneLine, table, type View, widthOf, wrapped } from '../present/view.ts';

type Status = OperationOutput<'handoff.status'>;

export const status = defineCommand({
  name: 'status',
  summary: 'What is open for you here, and what to do next (the default)',
  options: [
    {
      flags: '--limit <number>',
      description: `how many of each kind are shown (${limits.status_lines_default}); all are counted`,
      parse: numberWithin({ option: '--limit', min: 1, max: limits.status_look_max }),
    },
  ],
  examples: [
    { line: 'baton', what: 'the same' },
    { line: 'baton status --json | jq .counts', what: 'for scripts' },
  ],
  operation: 'handoff.status',
  toInput: ({ options }) => ({ limit: options.limit as number | undefined }),
  present: (output, view) => {
    const { project, root, branch, actor } = output;
    const head = [showProject(project, basename(root)), branch, `${actor.name} (${actor.type})`]
      .filter((part) => part !== undefined)
      .join(' · ');
    const blocks = [
      view.style('bold', oneLine(head, view.width)),
      ...groups.map((each) => group(each, output, view)),
      elsewhere(output),
      nextSteps(output, view),
    ];
    return blocks.filter((block) => block !== '').join('\n\n');
  },
  remark: (output) => remarksOnDamaged(groups.flatMap(({ kind }) => output[kind])).join('\n'),
});

const groups = [
  { title: 'Open for you, oldest first', kind: 'open', state: 'open' },
  { title: 'Held by you', kind: 'held_by_you', state: 'claimed' },
  { title: 'Waiting for an answer', kind: 'waiting', state: 'waiting' },
  { title: 'Drafts to review', kind: 'drafts', state: 'draft' },
  { title: 'Given up after too many attempts', kind: 'dead', state: 'dead' },
] as const;

function group({ title, kind, state }: (typeof groups)[number], output: Status, view: View): string {
  const handoffs = output[kind];
  if (handoffs.length === 0) return '';
  const more = output.counts[kind] - handoffs.length;
  const rest = `  … and ${output.is_partial ? 'at least ' : ''}${more} more: baton list --state ${state}`;
  return [
    title,
    handoffTable(handoffs, view, { showState: false, below: questionOf }),
    ...(more > 0 ? [view.style('gray', rest)] : []),
  ].join('\n');
}

/** Why a handoff waits. */
function questionOf({ delivery }: HandoffInShort): string | undefined {
  const { state, waiting_on } = delivery;
  return state === 'waiting' && waiting_on !== undefined
    ? `${waiting_on.asked_by} asks: ${waiting_on.question}`
    : undefined;
}

function elsewhere({ open_for_others, held_by_others, is_partial }: Status): string {
  const about = is_partial ? 'at least ' : '';
  const parts = [
    open_for_others > 0 ? `${about}${open_for_others} open for others` : '',
    held_by_others > 0 ? `${about}${held_by_others} held by others` : '',
  ].filter((part) => part !== '');
  return parts.join(' · ');
}

function nextSteps(output: Status, view: View): string {
  const { open, drafts, held_by_you, dead, actor } = output;
  // An agent's question is for a person: it does not answer itself.
  const isOwn = ({ delivery }: HandoffInShort) =>
    actor.type === 'agent' && delivery.waiting_on?.asked_by === actor.name;
  const asked = output.waiting.filter(isOwn);
  const waiting = output.waiting.filter((handoff) => !isOwn(handoff));
  const as = asAgent(actor.type === 'agent' ? actor.name : undefined);
  const first = (handoffs: readonly HandoffInShort[]) =>
    handoffs[0] === undefined ? undefined : shortId(handoffs[0].id);
  const steps: [string | undefined, string, string][] = [
    [first(waiting), `baton answer ${first(waiting)} "…"`, 'answer, so that its holder continues'],
    [first(asked), `baton show ${first(asked)}`, 'look whether your question was answered'],
    [first(held_by_you), `baton ack ${first(held_by_you)}${as} --token TOKEN`, 'confirm what you took over'],
    [first(drafts), `baton show ${first(drafts)}`, 'read a draft with its evidence'],
    [first(drafts), `baton approve ${first(drafts)}`, 'open it for receivers'],
    [first(open), `baton claim${as}`, 'take the oldest'],
    [first(dead), `baton log ${first(dead)}`, 'see why it was given up'],
    [first(dead), `baton reopen ${first(dead)}`, 'offer it again'],
  ];
  const wanted = steps.filter(([about]) => about !== undefined).map(([, line, what]) => [line, what] as const);
  const fallback = [
    ['baton sessions', 'find transcripts of agents that worked here'],
    ['baton import --last', 'create a handoff from the newest'],
    ['baton create --summary "…"', 'write one yourself'],
  ] as const;
  const lines = wanted.length > 0 ? wanted : fallback;
  const title = wanted.length > 0 ? 'Next' : 'Nothing is open here. Next';
  return [title, stepsTable(lines, view)].join('\n');
}

/** What to type, and its purpose: on a narrow terminal one below the other, so that a command stays on one line. */
function stepsTable(steps: readonly (readonly [string, string])[], view: View): string {
  const rows = steps.map(([line, what]) => [`  ${view.style('cyan', line)}`, view.style('gray', what)] as const);
  const wide = table(rows);
  if (wide.split('\n').every((line) => widthOf(line) <= view.width)) return wide;
  const below = (what: string) => view.style('gray', wrapped(what, view.width, '    '));
  return steps.map(([line, what]) => `  ${view.style('cyan', line)}\n    ${below(what)}`).join('\n');
}
