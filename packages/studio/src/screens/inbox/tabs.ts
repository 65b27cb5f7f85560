import type { State } from '../../../../batonpass/src/core/state.ts';
import { type InboxFilter, parseFilter } from './filter-words.ts';

/** One tab of the inbox: a name and its states. */
export interface Tab {
  name: string;
  title: string;
  states: readonly State[];
  /** The message of an empty tab, and what will be in it. */
  empty: string;
  hint: string;
}

const open: Tab = {
  name: 'open',
  title: 'Ready',
  states: ['open'],
  empty: 'Nothing is open.',
  hint: 'What an agent hands over appears here at once.',
};

const needs: Tab = {
  name: 'needs',
  title: 'Needs you',
  states: ['waiting', 'dead', 'expired', 'draft'],
  empty: 'Nothing needs you.',
  hint: 'Questions, failures and drafts are listed here until somebody settles them.',
};

/** First what the user settles, then the tabs in the order of a handoff's life. */
export const tabs: readonly Tab[] = [
  needs,
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
    hint: 'Claimed handoffs are listed here, with the rest of their lease.',
  },
  {
    name: 'waiting',
    title: 'Waiting',
    states: ['waiting'],
    empty: 'No agent waits for an answer.',
    hint: 'Questions of agents are shown and answered here.',
  },
  {
    name: 'failed',
    title: 'Failed',
    states: ['dead', 'expired'],
    empty: 'Nothing failed.',
    hint: 'Handoffs that ran out of attempts or of time are listed here.',
  },
  {
    name: 'done',
    title: 'Done',
    states: ['acknowledged', 'withdrawn'],
    empty: 'Nothing is done yet.',
    hint: 'Received and withdrawn handoffs are listed here.',
  },
];

/** The view of the inbox, from its address. */
export interface View {
  /** Absent where the filter itself names states. */
  tab?: Tab;
  states: readonly State[];
  filter: InboxFilter;
  /** The filter as it was typed. */
  typed: string;
  unknown: readonly string[];
}

/** The default tab of the inbox: what needs the user, else what is open. */
export function firstTab(needed: string | undefined): Tab {
  return hasSome(needed) ? needs : open;
}

/** Whether a tab's count shows that it has handoffs; in a long list "0+" means that none was found. */
export function hasSome(count: string | undefined): boolean {
  return /^[1-9]/.test(count ?? '');
}

/** The view of an address. Default: what is open. */
export function readView(query: URLSearchParams): View {
  const typed = query.get('q')?.trim() ?? '';
  const { filter, unknown } = parseFilter(typed);
  const { state, ...rest } = filter;
  if (state !== undefined) return { states: state, filter: rest, typed, unknown };
  const tab = tabs.find(({ name }) => name === query.get('tab')) ?? open;
  return { tab, states: tab.states, filter: rest, typed, unknown };
}

/** The address of a tab: its states replace those of the filter. */
export function addressOf(tab: Tab, typed: string): string {
  const kept = typed.replace(/(^|\s)state:\S*/g, '').trim();
  return `/inbox?${new URLSearchParams({ tab: tab.name, ...(kept === '' ? {} : { q: kept }) })}`;
}
