import { basename } from 'node:path';
import type { Handoff } from '../../../core/handoff.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand } from '../command.ts';
import { asAgent } from '../present/command-words.ts';
import { handoffTable, shortId } from '../present/handoff-line.ts';
import { oneLine, table, type View } from '../present/view.ts';

/** More than these are a list, not a status. */
const SHOWN_MAX = 5;

type Status = OperationOutput<'handoff.status'>;

export const status = defineCommand({
  name: 'status',
  summary: 'What is open for you here, and what to do next (the default)',
  examples: [{ line: 'baton', what: 'the same' }],
  operation: 'handoff.status',
  toInput: () => ({}),
  present: (output, view) => {
    const { branch, actor } = output;
    const head = [nameOf(output), branch, `${actor.name} (${actor.type})`]
      .filter((part) => part !== undefined)
      .join(' · ');
    const blocks = [
      view.style('bold', oneLine(head, view.width)),
      group('Open for you, oldest first', output.open, view),
      group('Held by you', output.held_by_you, view),
      group('Waiting for an answer', output.waiting, view),
      group('Drafts to review', output.drafts, view),
      group('Given up after too many attempts', output.dead, view),
      elsewhere(output),
      nextSteps(output, view),
    ];
    return blocks.filter((block) => block !== '').join('\n\n');
  },
});

function group(title: string, handoffs: readonly Handoff[], view: View): string {
  if (handoffs.length === 0) return '';
  const more = handoffs.length - SHOWN_MAX;
  const rest = more > 0 ? [view.style('gray', `  … and ${more} more: baton list`)] : [];
  return [
    title,
    handoffTable(handoffs.slice(0, SHOWN_MAX), view, { showState: false, below: questionOf }),
    ...rest,
  ].join('\n');
}

/** What a waiting handoff waits for. */
function questionOf({ delivery }: Handoff): string | undefined {
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
  const isOwn = ({ delivery }: Handoff) => actor.type === 'agent' && delivery.waiting_on?.asked_by === actor.name;
  const asked = output.waiting.filter(isOwn);
  const waiting = output.waiting.filter((handoff) => !isOwn(handoff));
  const as = asAgent(actor.type === 'agent' ? actor.name : undefined);
  const first = <T extends Handoff>(handoffs: readonly T[]) =>
    handoffs[0] === undefined ? undefined : shortId(handoffs[0].id);
  const steps: [string | undefined, string, string][] = [
    [first(waiting), `baton answer ${first(waiting)} "…"`, 'answer, so that its holder goes on'],
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
    ['baton import --last', 'make a handoff of the newest'],
    ['baton create --summary "…"', 'write one yourself'],
  ] as const;
  const lines = wanted.length > 0 ? wanted : fallback;
  const title = wanted.length > 0 ? 'Next' : 'Nothing is open here. Next';
  return [title, table(lines.map(([line, what]) => [`  ${view.style('cyan', line)}`, view.style('gray', what)]))].join(
    '\n',
  );
}

/** A project that is named by its root commit is known to people by its folder. */
function nameOf({ project, root }: Status): string {
  return /^[0-9a-f]{40,64}$/.test(project) ? `${basename(root)} (${project.slice(0, 8)})` : project;
}
