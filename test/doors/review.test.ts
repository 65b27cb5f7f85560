import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, expect } from 'vitest';
import { review } from '../../packages/batonpass/src/doors/cli/review/review.ts';
import { openTalk } from '../../packages/batonpass/src/doors/cli/review/talk.ts';
import type { Baton, Handoff, HandoffError } from '../../packages/batonpass/src/index.ts';
import { newFolder, openIn } from '../operations/planning-stage.ts';
import { verifies } from '../verifies.ts';
import { openStage, type Stage } from './stage.ts';

const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

const content = {
  title: 'Offline notes',
  summary: 'Notes are written on the phone first.',
  decisions: [
    { content: 'Photos come later', source: 'ai-extracted' as const, confidence: 0.5 },
    {
      content: 'Write to the phone first',
      source: 'ai-extracted' as const,
      confidence: 1,
      evidence: { message: 2, quote: 'Yes, local first.' },
    },
    'Keep both versions',
  ],
  files: [{ path: 'src/sync.ts', context: 'sends changes' }],
  risks: ['The clock is wrong'],
};

/** A draft in its own project. */
async function makeDraft(given: object = content) {
  const baton = await openIn(newFolder());
  return { baton, draft: await baton.run('handoff.create', { content: given, draft: true }) };
}

/** What somebody else does while the reviewer reads: before the line of that number. */
type Meanwhile = Record<number, () => Promise<unknown>>;

interface Held {
  code?: number;
  handoff: Handoff;
  error?: HandoffError;
  said: string;
  complained: string;
}

/** Holds a review: `typed` as a person at a terminal does, else as a pipe. */
async function hold(
  baton: Baton,
  id: string,
  lines: string[],
  { typed = false, meanwhile = {} as Meanwhile } = {},
): Promise<Held> {
  const streams = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
  const [input, output, errors] = streams;
  const texts = streams.map((stream) => {
    const read = { text: '' };
    if (stream !== input) stream.on('data', (part) => (read.text += part));
    return read;
  });
  if (typed) for (const stream of [input, output]) Object.assign(stream, { isTTY: true, setRawMode: () => {} });
  const talk = openTalk({ input, output: output as never, errors: errors as never }, new AbortController().signal);
  let asked = 0;
  const ask = async (prompt: string) => {
    await meanwhile[asked]?.();
    const line = lines[asked];
    asked += 1;
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
    return talk.ask(prompt);
  };
  const ended = await review(baton, id, { ...talk, ask }).catch((error: HandoffError) => ({ error }));
  talk.close();
  const handoff = await baton.run('handoff.get', { id });
  return { handoff, ...ended, said: texts[1]?.text ?? '', complained: texts[2]?.text ?? '' } as Held;
}

const decisionsOf = ({ content: { decisions } }: Handoff) => decisions.map((decision) => decision.content);

verifies(['REVIEW.shown'], 'a review shows everything that is to be approved, what was only implied last', async () => {
  const { baton, draft } = await makeDraft();
  const { said, code, handoff } = await hold(baton, draft.id, ['?']);
  for (const text of [
    'Notes are written',
    '“Yes, local first.” message 2',
    'src/sync.ts',
    '[medium] The clock is wrong',
  ])
    expect(said).toContain(text);
  expect(said).toMatch(
    /Write to the phone first \[confidence 1\][\s\S]*Photos come later \[confidence 0.5\] \(implied\)/,
  );
  for (const word of ['edit ID TEXT', 'remove ID…', 'redo', 'approve', 'quit']) expect(said).toContain(word);
  expect([code, handoff.delivery.version]).toEqual([0, 1]);
  expect(said).toMatch(/It stays a draft\. Go on: baton review \w{8}\n$/);
});

verifies(
  ['REVIEW.changes', 'REVIEW.piped'],
  'every word changes the draft at once, in full and by its letter',
  async () => {
    const { baton, draft } = await makeDraft();
    const lines = [
      'edit d2 Write to the disk first',
      '  R d1, d3',
      'add Use one table',
      'a   Show it   ',
      '',
      'n Write the migration',
      'file src/view.tsx',
      'k Two tabs',
      'question Which day?',
      't Notes',
      'summary All of it is kept.',
      'e f1 sends and fetches',
      'edit n1 Write it twice',
    ];
    const { handoff, said } = await hold(baton, draft.id, lines);
    expect(decisionsOf(handoff)).toEqual(['Write to the disk first', 'Use one table', 'Show it']);
    expect(handoff.content).toMatchObject({
      title: 'Notes',
      summary: 'All of it is kept.',
      next_steps: ['Write it twice'],
      open_questions: ['Which day?'],
      files: [{ path: 'src/sync.ts', context: 'sends and fetches' }, { path: 'src/view.tsx' }],
      risks: [{}, { description: 'Two tabs' }],
    });
    expect(handoff.content.decisions[0]?.source).toBe('user-edited');
    expect(handoff.delivery).toMatchObject({ state: 'draft', version: 13 });
    expect(said).toContain('It stays a draft with your 12 changes.');
  },
);

verifies(['REVIEW.changes'], 'the summary follows an item in its words, and where they stay is said', async () => {
  const summary = 'We keep both versions. Decided: Keep both versions; Photos come later.';
  const { baton, draft } = await makeDraft({ ...content, summary });
  const { handoff, said } = await hold(baton, draft.id, ['edit d1 Keep one photo', 'remove r1', 'r d2', 'r d3']);
  expect(handoff.content.summary).toBe('We keep both versions. Decided: Keep one photo.');
  expect(said.match(/What it said before is still in: .*/g)).toEqual(['What it said before is still in: summary']);
});

verifies(['REVIEW.changes'], 'words that remain in the conversation are called as `show` calls them', async () => {
  const words = [{ id: 'w1', message: 3, by: 'person' as const, rank: 1, content: 'Photos come later.' }];
  const { baton, draft } = await makeDraft({ ...content, summary: 'Finish the notes.', words });
  const { said } = await hold(baton, draft.id, ['remove d1']);
  expect(said).toContain('What it said before is still in: earlier words w1\n');
});

verifies(['REVIEW.undo'], 'changes are undone one by one to the very bytes, and redone', async () => {
  const { baton, draft } = await makeDraft();
  const back = await hold(baton, draft.id, ['r d1 r1', 'e d2 Other words', 'u', 'undo', 'u']);
  expect(back.said).toContain('There is nothing to undo.');
  expect(back.handoff.content_sha256).toBe(draft.content_sha256);
  expect(back.handoff.delivery.version).toBe(5);
  const again = await hold(baton, draft.id, [
    'r d1',
    'e d2 Other words',
    'u',
    'u',
    'redo',
    'd',
    'd',
    'u',
    'a New',
    'redo',
  ]);
  expect(again.said.match(/There is nothing to redo\./g)).toHaveLength(2);
  expect(decisionsOf(again.handoff)).toEqual(['Write to the phone first', 'Keep both versions', 'New']);
});

verifies(
  ['REVIEW.approve'],
  'an approval binds exactly the text that was shown, and shows it first where it was not',
  async () => {
    const { baton, draft } = await makeDraft();
    const { text, sha256, tokens, budget } = await baton.run('handoff.render', { id: draft.id });
    const shown = await hold(baton, draft.id, ['show', 'approve']);
    expect(shown.said).toContain(`${text}${tokens} tokens of ${budget}; nothing was cut. SHA-256 ${sha256}\n`);
    expect(shown.handoff.delivery.approval).toMatchObject({
      content_sha256: draft.content_sha256,
      rendered_sha256: sha256,
      budget,
    });
    expect([shown.code, shown.handoff.delivery.state]).toEqual([0, 'open']);

    const { baton: other, draft: unseen } = await makeDraft();
    // What was shown before a change is not what is there after it.
    const no = await hold(other, unseen.id, ['s', 'r d1', 'approve', 'n']);
    expect([no.code, no.handoff.delivery.state]).toEqual([1, 'draft']);
    expect((await hold(other, unseen.id, ['y'])).code).toBe(1);
    const yes = await hold(other, unseen.id, ['approve', 'yes']);
    expect([yes.code, yes.handoff.delivery.state]).toEqual([0, 'open']);
    const receiver = await other.run('handoff.claim', { id: unseen.id });
    expect(receiver.context).toMatchObject({ is_as_approved: true });
    expect(yes.said).toContain(receiver.context?.text);
  },
);

verifies(
  ['REVIEW.conflict'],
  "another's change is shown next to one's own; it is overwritten only where the reviewer confirms",
  async () => {
    const { baton, draft } = await makeDraft();
    const { id } = draft;
    const reword = (text: string) => () => baton.run('handoff.edit', { id, changes: { reword: [{ id: 'd3', text }] } });
    const lines = ['e d3 Mine', 'n', 'e d3 Mine', 'y', 'undo', 'a New', 'u'];
    const held = await hold(baton, id, lines, {
      meanwhile: { 0: reword('Theirs'), 2: reword('Again'), 6: reword('Last') },
    });
    expect(held.said).toMatch(/theirs {2}Theirs\n {2}yours {3}Mine/);
    expect(held.said).toMatch(/theirs {2}Again\n {2}yours {3}Mine/);
    expect(held.complained).toContain('Somebody else changed the draft meanwhile. It is now version 2:');
    expect(held.said).toContain('Nothing was undone or redone');
    expect(decisionsOf(held.handoff).slice(2)).toEqual(['Last', 'New']);

    const approved = await hold(baton, id, ['s', 'y'], { meanwhile: { 1: reword('Unseen') } });
    expect([approved.code, approved.handoff.delivery.state]).toEqual([4, 'draft']);
    expect(approved.said).toContain('Not approved: look at the current version.');
    const withdrawn = await hold(baton, id, ['e d3 Mine'], {
      meanwhile: { 0: () => baton.run('handoff.withdraw', { id }) },
    });
    expect(withdrawn.error).toMatchObject({ code: 'conflict' });
    expect((await hold(baton, id, [])).error?.message).toContain('only a draft can be reviewed');
  },
);

verifies(
  ['REVIEW.piped'],
  'a refusal ends piped words and is reported to a person, who continues; what came before it stays',
  async () => {
    const { baton, draft } = await makeDraft();
    const piped = await hold(baton, draft.id, ['r d1', 'remove nothing', 'r d2']);
    expect(piped.error).toMatchObject({ code: 'invalid_input' });
    expect(decisionsOf(piped.handoff)).toHaveLength(2);
    expect((await hold(baton, draft.id, ['dance'])).error?.message).toContain('"dance"');
    expect((await hold(baton, draft.id, ['edit d2'])).error?.alternatives[0]).toContain('edit ID TEXT');
    const typed = await hold(baton, draft.id, ['remove nothing', 'dance', 'e', 'r d2', 'approve', 'n', 'q'], {
      typed: true,
    });
    expect(typed.complained.match(/baton:/g)).toHaveLength(3);
    expect(typed.said).toContain('review> ');
    expect([typed.code, decisionsOf(typed.handoff).length]).toEqual([0, 1]);
  },
);

verifies(['REVIEW.neutral'], 'a text from outside is shown without the characters that steer a terminal', async () => {
  const evil = '\u001b[2JErased\u0007 \u202Eback\rwards';
  const { baton, draft } = await makeDraft({
    summary: `x ${evil}`,
    decisions: [evil],
    risks: [evil],
    files: ['a\u001b]0;b.ts'],
  });
  const meanwhile = {
    1: () => baton.run('handoff.edit', { id: draft.id, changes: { reword: [{ id: 'd1', text: `${evil}!` }] } }),
  };
  const { said, complained } = await hold(baton, draft.id, ['s', `e d1 ${evil}?`, 'n', 'l'], { meanwhile });
  expect(said).toContain('Erased');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(said + complained).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
});

verifies(
  ['REVIEW.leave', 'REVIEW.piped'],
  'the command reads its words from a pipe and ends with their code',
  async () => {
    const stage = openStage({ git: true });
    stages.push(stage);
    expect(await stage.baton(['review'])).toMatchObject({ code: 3, stdout: '' });
    const {
      handoff: { id },
    } = await stage.json(['create', '--summary', 'Finish it', '--decision', 'Use sessions', '--draft']);
    const left = await stage.baton(['review'], { input: 'add Keep cookies\n' });
    expect(left).toMatchObject({ code: 0, stderr: '' });
    expect(left.stdout).toContain('It stays a draft with your change.');
    expect(await stage.baton(['review', id], { input: 'e d9 x\n' })).toMatchObject({ code: 2 });
    const { stdout, code } = await stage.baton(['review', id, '--json'], { input: 'approve\ny\n' });
    expect([code, JSON.parse(stdout).handoff.delivery.state]).toEqual([0, 'open']);
    expect(await stage.baton(['review', id])).toMatchObject({ code: 4 });
  },
);

verifies(['REVIEW.piped'], 'the command ends with its last word, also where its input stays open', async () => {
  const stage = openStage({ git: true });
  stages.push(stage);
  await stage.json(['create', '--summary', 'Finish it', '--decision', 'Use sessions', '--draft']);
  const child = stage.start(['review'], 'pipe');
  child.stdin?.write('approve\ny\n');
  child.stdout?.resume();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect((await stage.json(['list'])).handoffs).toMatchObject([{ delivery: { state: 'open' } }]);
});

verifies(['REVIEW.leave'], 'an interrupt leaves the draft as it is, and reports that', async () => {
  const stage = openStage({ git: true });
  stages.push(stage);
  await stage.json(['create', '--summary', 'Finish it', '--decision', 'Use sessions', '--draft']);
  const child = stage.start(['review'], 'pipe');
  let said = '';
  child.stdout?.on('data', (part) => (said += part));
  child.stdin?.write('add Keep cookies\n');
  while (!said.includes('2 decisions')) await once(child.stdout ?? child, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(said).toContain('It stays a draft with your change.');
  expect((await stage.json(['list'])).handoffs).toMatchObject([{ delivery: { state: 'draft', version: 2 } }]);
});
