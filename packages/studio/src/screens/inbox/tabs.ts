import type { State } from '../../../../batonpass/src/core/state.ts';
import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';

/** One tab of the inbox: a name, and the states that are in it. */
export interface Tab {
  name: string;
  title: string;
  states: readonly State[];
  /** What is said where nothing is in it, and what comes there. */
  empty: string;
  hint: string;
}

const open: Tab = {
  name: 'open',
  title: 'Open',
  states: ['open'],
  empty: 'Nothing is open.',
  hint: 'What an agent hands over shows here at once.',
};

/** The tabs, in the order of a handoff's life. */
export const tabs: readonly Tab[] = [
  {
    name: 'drafts',
    title: 'Needs review',
    states: ['draft'],
    empty: 'No draft waits for a review.',
    hint: 'Imported conversations become drafts.',
  },
  open,
  {
    name: 'claimed',
    title: 'Claimed',
    states: ['claimed'],
    empty: 'No agent holds a handoff now.',
    hint: 'Who claims one shows here, with what is left of its lease.',
  },
  {
    name: 'waiting',
    title: 'Waiting',
    states: ['waiting'],
    empty: 'No agent waits for an answer.',
    hint: 'What agents ask shows here, and is answered here.',
  },
  {
    name: 'failed',
    title: 'Failed',
    states: ['dead', 'expired'],
    empty: 'Nothing failed.',
    hint: 'Handoffs that ran out of attempts or of time stand here.',
  },
  {
    name: 'done',
    title: 'Done',
    states: ['acknowledged', 'withdrawn'],
    empty: 'Nothing is done yet.',
    hint: 'What was received or taken back stands here.',
  },
];

/** The tab of an address. Default: what is open. */
export function findTab(name: string | null): Tab {
  return tabs.find((tab) => tab.name === name) ?? open;
}

/** The fields that the inbox filters by, as the address and the operation name them. */
export const filterFields = [
  { name: 'task_id', title: 'Task' },
  { name: 'kind', title: 'Kind' },
  { name: 'source_agent', title: 'From' },
  { name: 'target_agent', title: 'To' },
  { name: 'scope', title: 'Scope' },
] as const;

/** What a list is narrowed by. */
export type InboxFilter = Partial<Record<(typeof filterFields)[number]['name'], string>>;

/** The filter of an address. */
export function readFilter(query: URLSearchParams): InboxFilter {
  return Object.fromEntries(
    filterFields.map(({ name }) => [name, query.get(name)?.trim() ?? '']).filter(([, value]) => value !== ''),
  );
}

/** The question to the server. */
export function toInput(tab: Tab, filter: InboxFilter): OperationInput<'handoff.list'> {
  return { ...filter, state: [...tab.states] };
}
