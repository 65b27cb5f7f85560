import { afterEach, beforeEach, expect } from 'vitest';
import type { Baton, Handoff } from '../../packages/batonpass/src/index.ts';
import { answers } from '../extraction/model/model-server.ts';
import { serve } from '../extraction/model/stage.ts';
import { assistantRow, textBlock, userRow } from '../transcripts/rows.ts';
import { verifies } from '../verifies.ts';
import { A, SessionBench } from './session-bench.ts';

let bench: SessionBench;
let baton: Baton;

beforeEach(async () => {
  bench = new SessionBench();
  baton = await bench.open();
});

afterEach(() => bench.close());

const decisionsOf = ({ content }: Handoff) => content.decisions.map((decision) => decision.content);

async function importSession(given: object = {}, by: Baton = baton) {
  return by.run('handoff.import', { path: bench.transcript(A), ...given });
}

/** A session with two decisions, a file and a risk. */
function talk(): void {
  bench.say(A, 'user', 'We will use Postgres for the queue, not Redis.');
  bench.say(A, 'assistant', 'Agreed. I changed `src/queue/store.ts` for it.');
  bench.say(A, 'user', 'Please keep the old table until March.');
  bench.say(A, 'assistant', 'Done. One risk remains: the migration could fail when the table is locked.');
}

verifies(['RULES.import-again'], 'a draft gets the results of its session since, and nothing twice', async () => {
  talk();
  const { handoff, existing } = await importSession();
  expect(existing).toBe(false);
  const before = decisionsOf(handoff);
  expect(before).toHaveLength(2);
  bench.say(A, 'user', 'Also, set the lease to 15 minutes.');
  bench.say(A, 'assistant', 'Done.');
  const again = await importSession();
  expect(again).toMatchObject({ existing: true, handoff: { id: handoff.id, delivery: { state: 'draft' } } });
  expect(decisionsOf(again.handoff)).toEqual([...before, expect.stringMatching(/lease to 15 minutes/)]);
  expect(again.handoff.content.decisions.slice(0, 2).map(({ id }) => id)).toEqual(
    handoff.content.decisions.map(({ id }) => id),
  );
  expect((await baton.run('handoff.list', {})).handoffs).toHaveLength(1);
  expect((await importSession()).handoff.delivery.version).toBe(again.handoff.delivery.version);
});

verifies(
  ['RULES.import-again', 'RULES.merge-people'],
  'what a person did to a draft wins over a second import',
  async () => {
    talk();
    const { handoff } = await importSession();
    const { id, content } = handoff;
    const [postgres, table] = content.decisions;
    await baton.run('handoff.edit', {
      id,
      changes: {
        title: 'The queue moves',
        reword: [
          { id: postgres?.id ?? '', text: 'Postgres 18 holds the queue.' },
          { id: content.risks[0]?.id ?? '', text: 'Nobody knows how long the lock takes.' },
        ],
        remove: [table?.id ?? '', content.files[0]?.id ?? ''],
        add: { decisions: ['Ask Kim before the release.'], next_steps: ['Call Kim.'] },
      },
    });
    bench.say(A, 'user', 'Also, set the lease to 15 minutes in src/lease.ts.');
    bench.say(A, 'assistant', 'Done. I changed `src/lease.ts`.');
    const { handoff: again, existing } = await importSession();
    expect(existing).toBe(true);
    expect(decisionsOf(again)).toEqual([
      'Postgres 18 holds the queue.',
      'Ask Kim before the release.',
      expect.stringMatching(/lease to 15 minutes/),
    ]);
    expect(again.content.title).toBe('The queue moves');
    expect(again.content.risks.map(({ description }) => description)).toEqual([
      'Nobody knows how long the lock takes.',
    ]);
    expect(again.content.next_steps).toContain('Call Kim.');
    expect(again.content.files.map(({ path }) => path)).toEqual(['src/lease.ts']);
    // Again without a message in between: nothing changes, and nothing that was removed comes back.
    const third = await importSession();
    expect(third.handoff.delivery.version).toBe(again.delivery.version);
  },
);

verifies(
  ['RULES.merge-people'],
  'what a person wrote before the session said it occurs once, in the person’s words',
  async () => {
    talk();
    const { handoff } = await importSession();
    await baton.run('handoff.edit', { id: handoff.id, changes: { add: { decisions: ['The lease is 15 minutes.'] } } });
    bench.say(A, 'user', 'Also, set the lease to 15 minutes.');
    bench.say(A, 'assistant', 'Done.');
    const again = await importSession();
    expect(decisionsOf(again.handoff).filter((words) => /15 minutes/.test(words))).toEqual([
      'The lease is 15 minutes.',
    ]);
  },
);

verifies(['RULES.import-again'], 'what was removed and added again stays', async () => {
  talk();
  const { handoff } = await importSession();
  const table = handoff.content.decisions[1];
  const { id } = handoff;
  await baton.run('handoff.edit', { id, changes: { remove: [table?.id ?? ''] } });
  await baton.run('handoff.edit', { id, changes: { add: { decisions: [table?.content ?? ''] } } });
  bench.say(A, 'user', 'Also, set the lease to 15 minutes.');
  bench.say(A, 'assistant', 'Done.');
  const again = await importSession();
  expect(decisionsOf(again.handoff).filter((words) => words === table?.content)).toHaveLength(1);
});

verifies(
  ['RULES.import-again'],
  'an approved one is superseded by a draft that holds what its reviewer said',
  async () => {
    talk();
    const { handoff } = await importSession();
    const { id } = handoff;
    await baton.run('handoff.edit', { id, changes: { add: { decisions: ['Ask Kim before the release.'] } } });
    await baton.run('handoff.approve', { id });
    expect((await importSession()).handoff.id).toBe(id);
    bench.say(A, 'user', 'Also, set the lease to 15 minutes.');
    bench.say(A, 'assistant', 'Done.');
    const { handoff: next, existing } = await importSession();
    expect(existing).toBe(false);
    expect(next.content.supersedes_id).toBe(id);
    expect(decisionsOf(next)[0]).toBe('Ask Kim before the release.');
    expect((await baton.run('handoff.get', { id })).delivery.state).toBe('open');
    await baton.run('handoff.approve', { id: next.id });
    expect((await baton.run('handoff.get', { id })).delivery.state).toBe('withdrawn');
  },
);

verifies(['RULES.import-again'], 'history gives an agent marks of what was removed, not its words', async () => {
  talk();
  const { handoff } = await importSession();
  const table = handoff.content.decisions[1];
  await baton.run('handoff.edit', { id: handoff.id, changes: { remove: [table?.id ?? ''] } });
  const { events } = await baton.run('handoff.events', { id: handoff.id }, { actor: { name: 'codex', type: 'agent' } });
  expect(JSON.stringify(events)).not.toContain(table?.content);
});

verifies(['RULES.save-keeps'], 'a later save of a session keeps what a person put into an earlier one', async () => {
  const reviewed = await bench.open(undefined, { BATON_REVIEW: 'always' });
  bench.work(A);
  await bench.note(reviewed, A);
  const [draft] = (await reviewed.run('handoff.list', { state: ['draft'] })).handoffs;
  const id = draft?.id ?? '';
  await reviewed.run('handoff.edit', {
    id,
    changes: { remove: ['d1'], add: { decisions: ['Ask Kim before the release.'] } },
  });
  bench.say(A, 'user', 'Also, we must keep the old table until March.');
  await bench.note(reviewed, A);
  const drafts = (await reviewed.run('handoff.list', { state: ['draft'] })).handoffs;
  expect(drafts.map((each) => each.id)).toEqual([id]);
  expect(drafts.map(decisionsOf)).toEqual([['Ask Kim before the release.', expect.stringMatching(/until March/)]]);

  await reviewed.run('handoff.approve', { id });
  bench.say(A, 'user', 'And set the lease to 15 minutes.');
  // Whether the review was asked for since or not: the next saves carry it on, one after the other.
  for (const words of ['And name the table jobs_old.', 'And drop the old index.']) {
    bench.say(A, 'user', words);
    await bench.note(baton, A);
    const open = await bench.listOpen(baton);
    expect(open).toHaveLength(1);
    const said = open.flatMap(decisionsOf);
    expect(said.filter((each) => each === 'Ask Kim before the release.')).toHaveLength(1);
    expect(said.join('\n')).not.toMatch(/Postgres/);
  }
});

verifies(['RULES.import-again', 'RULES.merge'], 'a model after the rules adds what only it found', async () => {
  talk();
  const { handoff } = await importSession();
  const quote = 'We will use Postgres for the queue, not Redis.';
  const server = await serve(
    answers({
      decisions: [
        { content: 'Postgres is used for the queue instead of Redis.', confidence: 1, message: 0, quote },
        { content: 'The store stands behind one interface.', confidence: 0.5, message: -1, quote: '' },
      ],
    }),
  );
  const environment = { BATON_MODEL_BASE_URL: server.url, BATON_MODEL: 'qwen3:14b' };
  const again = await importSession({ extractor: 'model' }, await bench.open(undefined, environment));
  expect(again.extraction).toMatchObject({ extractor: 'model' });
  const said = decisionsOf(again.handoff);
  expect(again.handoff.id).toBe(handoff.id);
  expect(said.filter((words) => /Postgres/.test(words))).toHaveLength(1);
  expect(said.join('\n')).toMatch(/old table until March/);
  expect(said.join('\n')).toMatch(/one interface/);
});

verifies(['LIFE.resume'], 'a session from elsewhere gets no branch from the folder where it is imported', async () => {
  const originOf = async (text: string) => (await baton.run('handoff.import', { text })).handoff.content.origin;
  const session = (cwd: string, ...said: string[]) => {
    const facts = { cwd, gitBranch: 'HEAD', sessionId: `of ${cwd}` };
    return said.map((text) => `${userRow(text, facts)}\n${assistantRow([textBlock('Agreed.')], facts)}\n`).join('');
  };
  const first = 'We will use Postgres for the queue.';
  expect((await originOf(session('/elsewhere', first)))?.branch).toBeUndefined();
  const extended = await originOf(session('/elsewhere', first, 'We will use SQLite for the tests.'));
  expect(extended).toMatchObject({ commit: expect.any(String), session: 'of /elsewhere' });
  expect(extended?.branch).toBeUndefined();
  const exported = '_**User**_\n\nWe will use MySQL for the log.\n\n_**Agent**_\n\nAgreed.\n';
  expect((await originOf(exported))?.branch).toBeUndefined();
  expect((await originOf(session(bench.folder, 'We will use Redis for the cache.')))?.branch).toBe('main');
});
