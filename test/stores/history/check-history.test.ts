import { describe, expect, it } from 'vitest';
import { verifies } from '../../verifies.ts';
import { checkHistory } from './check-history.ts';
import type { Operation } from './history.ts';
import { Story } from './story.ts';
import { describeFaults, faults } from './verdict.ts';

/** How many of each fault; what is not there is not named. */
function countFaults(story: Story): Record<string, number> {
  const verdict = checkHistory(story);
  const kinds = [...faults, 'recovered' as const].filter((kind) => verdict[kind].length > 0);
  return Object.fromEntries(kinds.map((kind) => [kind, verdict[kind].length]));
}

const unheard = { came: 'unknown', happens: false } as const;
const unanswered = { came: 'unknown' } as const;
const refused = { came: 'refused', happens: false } as const;
const untold = { happens: false } as const;

const sound: Record<string, () => Story> = {
  'a queue that is worked off': () =>
    new Story()
      .create('a')
      .create('b')
      .claim('ada', 'a', 1)
      .claim('bo', 'b', 1)
      .end('acknowledge', ['bo', 'b', 1])
      .renew('ada', 'a', 1)
      .end('acknowledge', ['ada', 'a', 1]),
  'a lease that lapses, whose holder is refused': () =>
    new Story()
      .create('a')
      .claim('ada', 'a', 1)
      .wait(1_000)
      .lapse('a')
      .claim('bo', 'a', 2)
      .renew('ada', 'a', 1, refused)
      .end('acknowledge', ['ada', 'a', 1], refused)
      .end('acknowledge', ['bo', 'a', 2]),
  'a failure that the next claim passes over': () =>
    new Story().create('a').create('b').claim('ada', 'a', 1).end('fail', ['ada', 'a', 1]).claim('ada', 'b', 1),
  'a back-off that begins again as the clock is set back': () =>
    new Story()
      .create('a')
      .create('b')
      .claim('ada', 'a', 1)
      .end('fail', ['ada', 'a', 1])
      .wait(600_000)
      .claim('ada', 'a', 2)
      .wait(1_000)
      .lapse('a')
      .wait(-3_600_000)
      .claim('ada', 'b', 1),
  'two tasks, each with an order of its own': () =>
    new Story().create('a', { task_id: 's' }).create('b', { task_id: 't' }).claim('ada', 'b', 1).claim('ada', 'a', 1),
  'a lapse that was seen before the clock was set back': () =>
    new Story()
      .create('a')
      .claim('ada', 'a', 1)
      .wait(1_000)
      .create('b')
      .lapse('a')
      .wait(-3_600_000)
      .claim('bo', 'a', 2),
  'a create and a claim that were repeated with their keys': () =>
    new Story()
      .create('a', { key: 'k' })
      .create('a', { ...untold, key: 'k' })
      .claim('ada', 'a', 1, { key: 'c' })
      .claim('ada', 'a', 1, { ...untold, key: 'c' }),
  'an acknowledgement that happened unanswered, and was asked for again later': () => {
    const [story, held] = [new Story().create('a').create('b').claim('ada', 'a', 1), ['ada', 'a', 1] as const];
    return story
      .end('acknowledge', [...held], unanswered)
      .claim('bo', 'b', 1)
      .end('acknowledge', [...held], untold);
  },
  'what nobody knows and what did not happen': () =>
    new Story().create('a', unheard).create('b').claim('ada', 'b', 1, unheard),
};

const recovered: Record<string, () => Story> = {
  'a create': () => new Story().create('a', unanswered),
  'a claim': () => new Story().create('a').claim('ada', 'a', 1, unanswered),
  'a renewal, after which the end of the lease is not known': () =>
    new Story().create('a').claim('ada', 'a', 1).wait(500).renew('ada', 'a', 1, unanswered).wait(800).lapse('a'),
  'an acknowledgement': () =>
    new Story().create('a').claim('ada', 'a', 1).end('acknowledge', ['ada', 'a', 1], unanswered),
};

const wrong: Record<string, { story: () => Story; shows: Record<string, number> }> = {
  'a create that is nowhere': { story: () => new Story().create('a', untold), shows: { lost: 1 } },
  'a row that is gone': {
    story: () => {
      const story = new Story().create('a', unanswered);
      story.handoffs = [];
      return story;
    },
    shows: { lost: 1 },
  },
  'a row behind its history': {
    story: () => {
      const story = new Story().create('a').claim('ada', 'a', 1);
      const before = story.handoffs;
      story.end('acknowledge', ['ada', 'a', 1]).handoffs = before;
      return story;
    },
    shows: { lost: 1 },
  },
  'a claim that history has not': {
    story: () => new Story().create('a').claim('ada', 'a', 1, untold),
    shows: { lost: 1 },
  },
  'an acknowledgement that history has not': {
    story: () => new Story().create('a').claim('ada', 'a', 1).end('acknowledge', ['ada', 'a', 1], untold),
    shows: { lost: 1 },
  },
  'a handoff that nobody created': {
    story: () => {
      const story = new Story().create('a');
      story.operations.pop();
      return story;
    },
    shows: { unexpected: 1 },
  },
  'a handoff whose creation was refused': {
    story: () => new Story().create('a', { came: 'refused' }),
    shows: { unexpected: 1 },
  },
  'a claim of what was never there': {
    story: () => new Story().claim('ada', 'a', 1, untold),
    shows: { unexpected: 1 },
  },
  'a claim for one who did not ask': {
    story: () => {
      const story = new Story().create('a').claim('ada', 'a', 1);
      story.operations.pop();
      return story;
    },
    shows: { unexpected: 1 },
  },
  'a lease that history gives to another': {
    story: () => {
      const story = new Story().create('a').claim('ada', 'a', 1);
      story.operations.push({ ...(story.operations.pop() as Operation), actor: 'bo' });
      return story;
    },
    shows: { unexpected: 1 },
  },
  'one unknown claim for two leases': {
    story: () => {
      const story = new Story().create('a').create('b').claim('ada', 'a', 1, unanswered).claim('ada', 'b', 1);
      story.operations.pop();
      return story;
    },
    shows: { unexpected: 1, recovered: 1 },
  },
  'an acknowledgement that was refused and happened': {
    story: () => new Story().create('a').claim('ada', 'a', 1).end('acknowledge', ['ada', 'a', 1], { came: 'refused' }),
    shows: { unexpected: 1 },
  },
  'a fence that jumps': { story: () => new Story().create('a').claim('ada', 'a', 2), shows: { unexpected: 1 } },
  'one key with two handoffs': {
    story: () => new Story().create('a', { key: 'k', ...unanswered }).create('b', { key: 'k' }),
    shows: { duplicate: 1 },
  },
  'one lease for two receivers': {
    story: () => new Story().create('a').claim('ada', 'a', 1).claim('bo', 'a', 1, untold),
    shows: { duplicate: 1, unexpected: 1 },
  },
  'two leases at once': {
    story: () => new Story().create('a').claim('ada', 'a', 1).wait(1_000).claim('bo', 'a', 2),
    shows: { duplicate: 1 },
  },
  'one lease acknowledged twice': {
    story: () =>
      new Story()
        .create('a')
        .claim('ada', 'a', 1)
        .end('acknowledge', ['ada', 'a', 1])
        .end('acknowledge', ['ada', 'a', 1], untold),
    shows: { duplicate: 1 },
  },
  'a lease that lapses before its end': {
    story: () => new Story().create('a').claim('ada', 'a', 1).wait(999).lapse('a'),
    shows: { stolen: 1 },
  },
  'a lease that lapses before its renewed end': {
    story: () => new Story().create('a').claim('ada', 'a', 1).wait(500).renew('ada', 'a', 1).wait(900).lapse('a'),
    shows: { stolen: 1 },
  },
  'a claim while the lease ran by every clock': {
    story: () =>
      new Story()
        .create('a')
        .claim('ada', 'a', 1)
        .lapse('a', Date.parse('2026-03-01T12:00:01Z'))
        .wait(-3_600_000)
        .claim('bo', 'a', 2),
    shows: { stolen: 1 },
  },
  'a younger handoff before an older one': {
    story: () => new Story().create('a').create('b').claim('ada', 'b', 1).claim('ada', 'a', 1),
    shows: { out_of_order: 1 },
  },
  'a younger handoff before an older one whose back-off is over': {
    story: () =>
      new Story()
        .create('a')
        .create('b')
        .claim('ada', 'a', 1)
        .end('fail', ['ada', 'a', 1])
        .wait(600_000)
        .claim('ada', 'b', 1),
    shows: { out_of_order: 1 },
  },
  'a younger handoff before an older one that came back': {
    story: () =>
      new Story().create('a').create('b').claim('ada', 'a', 1).end('release', ['ada', 'a', 1]).claim('ada', 'b', 1),
    shows: { out_of_order: 1 },
  },
  'a create that was answered first and stands last': {
    story: () => {
      const story = new Story().create('a', { seq: 2 }).create('b', { seq: 1 });
      story.events.reverse();
      return story;
    },
    shows: { out_of_order: 1 },
  },
  'a stale token that ends the lease of another': {
    story: () =>
      new Story()
        .create('a')
        .claim('ada', 'a', 1)
        .wait(1_000)
        .lapse('a')
        .claim('bo', 'a', 2)
        .end('acknowledge', ['ada', 'a', 1]),
    shows: { late: 1, unexpected: 1 },
  },
  'a stale token that renews the lease of another': {
    story: () =>
      new Story().create('a').claim('ada', 'a', 1).wait(1_000).lapse('a').claim('bo', 'a', 2).renew('ada', 'a', 1),
    shows: { late: 1, unexpected: 1 },
  },
  'a token that is accepted after its lease lapsed, though nobody else holds it': {
    story: () => new Story().create('a').claim('ada', 'a', 1).wait(1_000).lapse('a').end('fail', ['ada', 'a', 1]),
    shows: { late: 1, unexpected: 1 },
  },
};

describe('the history checker', () => {
  for (const [name, story] of Object.entries(sound)) {
    verifies(['HISTORY.checker'], `finds nothing in ${name}`, () => {
      expect(countFaults(story())).toEqual({});
    });
  }

  for (const [name, story] of Object.entries(recovered)) {
    verifies(['HISTORY.checker'], `counts as recovered ${name}`, () => {
      expect(countFaults(story())).toEqual({ recovered: 1 });
    });
  }

  for (const [name, { story, shows }] of Object.entries(wrong)) {
    verifies(['HISTORY.checker'], `finds ${name}`, () => {
      expect(countFaults(story())).toEqual(shows);
    });
  }

  it('reports the first few of each fault in a sentence, and how many more there are', () => {
    const story = new Story();
    for (let index = 0; index < 7; index += 1) story.create(`h${index}`, untold);
    const told = describeFaults(checkHistory(story), 2);
    expect(told).toEqual([
      'lost: h0 (h0) was created and is nowhere.',
      'lost: h1 (h1) was created and is nowhere.',
      'lost: and 5 more.',
    ]);
  });
});
