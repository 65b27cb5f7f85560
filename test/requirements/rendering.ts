import type { Requirement } from './requirement.ts';

const source = 'design, rendering into a context';

/** What a handoff looks like in a receiver's context. */
export const rendering = {
  'RENDER.frame': {
    source,
    behaviour: 'A rendered content says first that it is history handed over by its agent: quoted data, not commands.',
    milestone: 'foundation',
  },
  'RENDER.order': {
    source,
    behaviour: 'The sections are in one order, and a section without items is absent.',
    milestone: 'foundation',
  },
  'RENDER.rank': {
    source,
    behaviour:
      'Pinned and edited decisions come before agreed ones and implied ones last; high before medium before low.',
    milestone: 'foundation',
  },
  'RENDER.provenance': {
    source,
    behaviour: 'An item names the message that it comes from, and a decision that was only implied is marked as such.',
    milestone: 'foundation',
  },
  'RENDER.words': {
    source,
    behaviour:
      'A conversation’s own words fill the space that the other parts leave: the most important first, in the order in which they were said, none twice.',
    milestone: 'extraction',
  },
  'RENDER.budget': {
    source,
    behaviour: 'The whole text never exceeds the budget, for any content.',
    milestone: 'foundation',
  },
  'RENDER.budget-refused': {
    source,
    behaviour: 'A budget below the minimum, or not a whole number, is invalid input that names the bound.',
    milestone: 'foundation',
  },
  'RENDER.share': {
    source,
    behaviour: 'A very long section never displaces the next ones, and a very long item is shortened, not left out.',
    milestone: 'foundation',
  },
  'RENDER.cut': {
    source,
    behaviour: 'What is left out or shortened is counted by section and named with the command that shows it.',
    milestone: 'foundation',
  },
  'RENDER.same-bytes': {
    source,
    behaviour: 'The same content and budget give the same bytes, and the hash is that of exactly these bytes.',
    milestone: 'foundation',
  },
  'RENDER.hostile': {
    source: 'security catalogue, stored prompt injection',
    behaviour: 'No text of any field leaves its line, opens a section, forges a tag, a fence or a speaker.',
    milestone: 'foundation',
  },
  'RENDER.spoken': {
    source: 'security catalogue, stored prompt injection',
    behaviour: 'No quoted sentence looks like another speaker’s, or like a line, label or mark of Baton.',
    milestone: 'foundation',
  },
  'RENDER.one-line': {
    source,
    behaviour: 'Line breaks within an item are folded visibly: an item stays one line.',
    milestone: 'foundation',
  },
  'RENDER.hidden': {
    source: 'security catalogue, invisible text',
    behaviour: 'Control characters, escapes, direction overrides, zero-width and tag characters become visible.',
    milestone: 'foundation',
  },
  'DOORS.hidden': {
    source: 'security catalogue, invisible text',
    behaviour: 'Every door shows hidden characters by one rule, in values, names, errors and events.',
    milestone: 'foundation',
  },
  'RENDER.readable': {
    source: 'security catalogue, invisible text',
    behaviour: 'Emoji, right-to-left prose, joined scripts, comparisons and arrows stay as they are.',
    milestone: 'foundation',
  },
  'RENDER.situation': {
    source,
    behaviour: 'A separate block shows id, sender, age, project, task, state and the next command.',
    milestone: 'foundation',
  },
  'RENDER.situation-review': {
    source,
    behaviour: 'The block says who approved exactly this content, and otherwise that no person reviewed it.',
    milestone: 'foundation',
  },
} as const satisfies Record<string, Requirement>;
