import { join } from 'node:path';
import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import type { LineageEntry } from '../../packages/batonpass/src/core/lineage.ts';
import { presentContent } from '../../packages/batonpass/src/doors/cli/present/handoff-detail.ts';
import { presentHead, presentUnkeptHead } from '../../packages/batonpass/src/doors/cli/present/handoff-head.ts';
import {
  describeItems,
  endOf,
  handoffTable,
  remarksOnDamaged,
} from '../../packages/batonpass/src/doors/cli/present/handoff-line.ts';
import { presentHistory } from '../../packages/batonpass/src/doors/cli/present/history.ts';
import { presentLineage } from '../../packages/batonpass/src/doors/cli/present/lineage.ts';
import {
  nextForAnswered,
  nextForHolder,
  nextForNew,
} from '../../packages/batonpass/src/doors/cli/present/next-steps.ts';
import {
  presentOutline,
  presentPlan,
  presentPlans,
  presentRecord,
} from '../../packages/batonpass/src/doors/cli/present/plan.ts';
import {
  presentPlanned,
  presentRunList,
  presentRuns,
} from '../../packages/batonpass/src/doors/cli/present/planning.ts';
import { presentRemarks } from '../../packages/batonpass/src/doors/cli/present/remarks.ts';
import { shownPath } from '../../packages/batonpass/src/doors/cli/present/shown-path.ts';
import type { View } from '../../packages/batonpass/src/doors/cli/present/view.ts';
import type { Handoff, HandoffEvent } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';

const now = '2026-11-20T12:00:00.000Z';
const id = '01M80A9TTS9KKM45A01DREVNHB';
const digest = 'a'.repeat(64);

const view = (width: number, more: Partial<View> = {}): View => {
  return { width, now_ms: Date.parse(now), style: (_format, text) => text, options: {}, ...more };
};

/** A view in which each style is a mark around its text. */
const styled = (width: number) => view(width, { style: (format, text) => `<${String(format)}>${text}</>` });

const least = completeContent({ title: 'Login', summary: 'Finish it.' }, { source_agent: 'ada' }).content;

/** A handoff of which only what is presented is given. */
function handoffOf(content: Partial<Content> = {}, delivery: object = {}): Handoff {
  const handoff = {
    id,
    schema: 1,
    created_at: '2026-11-20T11:59:00.000Z',
    project: 'p',
    content_sha256: digest,
    content: { ...least, ...content },
    delivery: {
      state: 'open',
      version: 1,
      content_revision: 1,
      available_at: now,
      attempts: 0,
      max_attempts: 5,
      fence: 0,
      consumed: 0,
      ...delivery,
    },
  };
  return handoff as Handoff;
}

const saved = { host: 'claude-code', trigger: 'SessionEnd' };

verifies(['CLI.show'], 'the head of a handoff has one line for each fact, and none for what is absent', () => {
  expect(presentHead(handoffOf(), styled(80))).toBe(
    `<bold>Login</>  <green>open</>\n<gray>${id} · context · from ada · 1 min ago</>`,
  );
  const origin = {
    ...saved,
    by: 'person' as const,
    branch: 'main',
    commit: '0123456789abcdef',
    extractor: 'claude-code',
    asked: { question_sha256: 'q', input_tokens: 1200, output_tokens: 30, took_ms: 2400 },
  };
  const named = { target_agent: 'codex', task_id: 't', scope: 'src', phase: 'build' };
  const whole = handoffOf(
    { ...named, parent_id: 'P1', supersedes_id: 'S1', origin },
    {
      state: 'acknowledged',
      expires_at: '2026-11-21T12:00:00.000Z',
      lease: { holder: 'codex', expires_at: '2026-11-21T11:59:59.000Z' },
      approval: { by: 'sam', at: now, content_sha256: 'b' },
      acknowledged_by: 'codex',
      acknowledged_at: now,
      attempts: 1,
      failure: { by: 'codex', at: '2026-11-20T11:00:00.000Z', reason: 'no database' },
      offered: { session: 's1', host: 'codex', at: now },
      injected: { session: 's1', host: 'codex', at: now },
      waiting_on: {
        question: 'Which one?',
        asked_by: 'codex',
        asked_at: '2026-11-20T11:58:00.000Z',
        answer: 'The first',
        answered_by: 'sam',
        answered_at: '2026-11-20T11:59:30.000Z',
      },
    },
  );
  expect(presentHead(whole, view(120)).split('\n')).toEqual([
    'Login  acknowledged',
    `${id} · context · from ada · for codex · task t · scope src · phase build · main`,
    'commit 0123456789ab · 1 min ago',
    'Saved by claude-code at its SessionEnd; no person has reviewed it',
    'Written by a person',
    'Written by the agent of the session (claude-code, 1200 tokens read, 30 written, 2 s); each item was checked by its',
    '  quote',
    'Follows P1',
    'Replaces S1',
    'Offered until 2026-11-21 12:00:00Z',
    'Held by codex until 11:59:59Z',
    'Put into session s1 of codex; its transcript does not show it yet',
    `Shown by the transcript of session s1 of codex at ${now}`,
    'Approved by sam',
    `Acknowledged by codex at ${now}`,
    'Attempt 1 of 5',
    'Last failure, codex 1 h ago: no database',
    'Asked by codex 2 min ago: Which one?',
    'Answered by sam 30 s ago: The first',
  ]);
  const [titled] = presentHead(handoffOf({ title: 'x'.repeat(60) }), view(80)).split('\n');
  expect(titled).toBe(`${'x'.repeat(57)}…  open`);
  expect(presentUnkeptHead(least, 'codex', styled(80))).toBe(
    '<bold>Login</>  <yellow>not kept</>\n<gray>context · from codex</>',
  );
});

verifies(['CLI.show'], 'a handoff that a host saved is marked until a person has approved this content', () => {
  const table = (handoff: Handoff) => handoffTable([handoff], view(100), { showState: false });
  const approval = (content_sha256: string) => ({ approval: { by: 'sam', at: now, content_sha256 } });
  const isMarked = (handoff: Handoff) => [
    table(handoff).includes('ada, unreviewed'),
    presentHead(handoff, view(100)).includes('no person has reviewed it'),
  ];
  expect(isMarked(handoffOf({ origin: saved }))).toEqual([true, true]);
  expect(isMarked(handoffOf({ origin: saved }, approval('b')))).toEqual([true, true]);
  expect(isMarked(handoffOf({ origin: saved }, approval(digest)))).toEqual([false, false]);
  expect(isMarked(handoffOf({ origin: { host: 'codex' } }))).toEqual([false, false]);
});

verifies(['CLI.show'], 'a content has a section for each list that it has, and the whole of a small payload', () => {
  const { content } = completeContent(
    {
      title: 'T',
      summary: 'S',
      decisions: ['a', { content: 'b', source: 'user-edited' }],
      files: ['src/a.ts', { path: 'src/b.ts', context: 'why' }],
      risks: [{ description: 'r', severity: 'high' }],
      tried: [{ what: 'w', outcome: 'o' }],
      next_steps: ['n'],
      open_questions: ['q'],
      results: [{ description: 'd', status: 'completed' }],
      references: [{ type: 'doc', identifier: 'RFC' }],
    },
    { source_agent: 'ada' },
  );
  expect(presentContent(content, view(80)).split('\n\n')).toEqual([
    'S',
    'Decisions\n  d1  a (pinned)\n  d2  b (edited)',
    'Next steps\n  n1  n',
    'Files\n  f1  src/a.ts (medium)\n  f2  src/b.ts (medium) — why',
    'Risks\n  r1  [high] r',
    'Tried\n  t1  w → o',
    'Open questions\n  q1  q',
    'Results: completed\n  completed d',
    'References\n  doc RFC',
  ]);
  const results = content.results.map((each) => ({ ...each, description: 'some words of the one that works' }));
  const narrow = { ...least, next_steps: ['some more and longer words than these'], results };
  expect(presentContent(narrow, view(40)).split('\n').slice(2)).toEqual([
    'Next steps',
    '  n1  some more and longer words than',
    '      these',
    '',
    'Results: completed',
    '  completed some words of the one that',
    '      works',
  ]);
  const stopped = { ...least, where_it_stands: [{ id: 's1', kind: 'asked' as const, content: 'Run the tests.' }] };
  expect([least, stopped, content].map(describeItems)).toEqual([
    '          nothing found',
    '          1 fact of where it stands',
    '          2 decisions, 2 files, 1 risk, 1 dead end, 1 next step, 1 open question',
  ]);
  const endOfPayload = (length: number) => {
    const payload = Array.from({ length }, (_, index) => index);
    return presentContent({ ...least, payload }, view(80))
      .split('\n')
      .at(-1);
  };
  expect([28, 29, 30].map(endOfPayload)).toEqual(['  ]', '  … 1 more line: --json', '  … 2 more lines: --json']);
  const payload_ref = { bytes: 5, sha256: digest, media_type: 'application/json' as const };
  expect(presentContent({ ...least, payload_ref }, view(80))).toBe(
    `Finish it.\n\nPayload\n  5 bytes of JSON, kept apart; see them: baton show ID --payload\n  SHA-256 ${digest}`,
  );
});

verifies(['CLI.show'], 'the sentences of a conversation are counted, and shown to a reviewer', () => {
  const words = [
    { id: 'w1', message: 3, by: 'person' as const, rank: 1, content: 'Hello' },
    { id: 'w2', message: 3, by: 'person' as const, rank: 1, content: 'there' },
  ];
  const [, counted] = presentContent({ ...least, words }, view(80)).split('\n\n');
  expect(counted).toBe('Earlier words\n  2 sentences of 1 message; what a receiver gets: baton render ID');
  const [, shown] = presentContent({ ...least, words }, view(80), { words: true }).split('\n\n');
  expect(shown).toBe('Earlier words\n  w1  3 person: Hello\n  w2  3 person: there');
});

verifies(['CLI.narrow'], 'a table shows as many columns as the width has, and at least 20 of the title', () => {
  const later = '2026-11-20T12:00:00.001Z';
  const named = { title: 'A longer title', target_agent: 'codex', task_id: 'login', origin: saved };
  const handoffs = [handoffOf(), handoffOf(named, { available_at: later })];
  const below = ({ content }: { content: { target_agent?: string } }) =>
    content.target_agent === undefined ? undefined : 'below it';
  expect(handoffTable(handoffs, view(100), { showState: true, below })).toBe(
    [
      '  1DREVNHB  open                 Login           ada                       1 min',
      '  1DREVNHB  open from 12:00:00Z  A longer title  ada, unreviewed → codex…  1 min',
      '      below it',
    ].join('\n'),
  );
  const one = handoffOf({ title: 'A title of more than twenty columns' });
  const at = (width: number) => handoffTable([one], view(width), { showState: true });
  expect([49, 50].map(at)).toEqual([
    '  1DREVNHB  open  A title of more than tw…  1 min',
    '  1DREVNHB  open  A title of more tha…  ada  1 min',
  ]);
  expect(handoffTable([handoffOf(named, { available_at: later })], view(40), { showState: true })).toBe(
    '  1DREVNHB  open from 12:00:00Z\n      A longer title',
  );
  const ends = ['2026-11-21T11:59:59.999Z', '2026-11-21T12:00:00.000Z'];
  expect(ends.map((end) => endOf(end, view(80)))).toEqual(['11:59:59Z', '2026-11-21 12:00:00Z']);
});

verifies(['CLI.show'], 'a list names the holder first, where somebody holds the handoff', () => {
  const lease = { token: 't', holder: 'codex', fence: 1, expires_at: '2026-11-20T12:15:00.000Z' };
  const claimed = handoffOf({}, { state: 'claimed', lease });
  const row = (showState: boolean) => handoffTable([claimed], view(80), { showState });
  expect(row(true)).toBe('  1DREVNHB  claimed  Login  held by codex · ada  1 min');
  expect(row(false)).toBe('  1DREVNHB  Login  ada  1 min');
});

verifies(['CLI.next-steps'], 'a damaged handoff that still waits is to be set aside', () => {
  const damaged = (['open', 'draft', 'claimed'] as const).map((state) => {
    return { ...handoffOf({ kind: 'damaged' }, { state }), id: state };
  });
  const remark = (name: string) =>
    `Handoff ${name} is damaged. Set it aside: baton withdraw ${name} · see why: baton store check`;
  expect(remarksOnDamaged([...damaged, handoffOf()])).toEqual([remark('open'), remark('draft')]);
});

verifies(['CLI.next-steps'], 'a holder gets its commands, with its token unless the terminal keeps it', () => {
  const lease = { holder: 'codex', holder_type: 'agent', token: 'T', expires_at: '2026-11-20T12:15:00.000Z' };
  const handoff = (more: object = {}) => handoffOf({}, { lease: { ...lease, ...more } });
  expect(nextForHolder(handoff(), view(80)).split('\n')).toEqual([
    'Yours until 12:15:00Z. Then:',
    '  baton ack 1DREVNHB --as codex --token T',
    '  baton fail 1DREVNHB --as codex --token T --reason "…"',
    '  baton release 1DREVNHB --as codex --token T',
  ]);
  const person = nextForHolder(handoff({ holder_type: 'person' }), view(80, { isTokenKept: true }));
  expect(person.split('\n')[1]).toBe('  baton ack 1DREVNHB');
  expect(nextForAnswered(handoff(), view(80))).toBe(
    'The holder codex goes on, with the lease running until 12:15:00Z.',
  );
  expect(nextForAnswered(handoff({ expires_at: undefined }), view(80))).toBe('The holder codex goes on.');
  const steps = 'Any receiver takes it with: baton claim · withdraw it: baton withdraw 1DREVNHB';
  expect(nextForNew(handoffOf(), view(steps.length))).toBe(steps);
  expect(nextForNew(handoffOf(), view(steps.length - 1))).toBe(steps.replace(' · ', '\n'));
});

verifies(['CLI.next-steps'], 'a remark is wrapped, and a command to copy is not', () => {
  const words = 'one two three four five six';
  expect(presentRemarks([`→ ${words}`, words], view(22))).toBe(`→ ${words}\none two three four\n  five six`);
});

verifies(['CLI.next-steps'], 'a path is relative to the present folder where it is inside it', () => {
  const here = process.cwd();
  expect([join(here, 'a/b'), here, join(here, '..')].map(shownPath)).toEqual(['a/b', here, join(here, '..')]);
});

verifies(['LIFE.events', 'CLI.narrow'], 'a history names each step, its actor and its facts', () => {
  const event = (seq: number, more: Partial<HandoffEvent> = {}): HandoffEvent => {
    const actor = { name: 'codex', type: 'agent' as const };
    return { seq, handoff_id: id, name: 'handoff-claimed', at: now, actor, from: 'open', to: 'claimed', ...more };
  };
  const details = { superseded_by: '01M80A9TTS9KKM45A0MA3NAPQ7', session: '00000000-0000-4000-8000-000000000001' };
  const asked = { written_by: 'claude-code', input_tokens: 12, output_tokens: 3, took_ms: 1_500, budget: 900 };
  const events = [
    event(1, { name: 'handoff-created', from: undefined, to: 'open', details: { content_revision: 1 } }),
    event(2, { details: { attempts: 1, marks: ['m'], words: [1] } }),
    event(3, { name: 'handoff-reported', from: 'claimed', reason: 'Half done', details: { data: {}, by: 'helper' } }),
    event(4, { details: asked }),
    event(5, { details: { ...details, seen: true } }),
  ];
  expect(presentHistory(events, view(120)).split('\n')).toEqual([
    '  2026-11-20 12:00:00Z  created   codex  · → open        revision 1',
    '  2026-11-20 12:00:00Z  claimed   codex  open → claimed  attempt 1',
    '  2026-11-20 12:00:00Z  reported  codex  claimed         Half done (by helper) (data: --json)',
    '  2026-11-20 12:00:00Z  claimed   codex  open → claimed',
    '      written by claude-code, 12 tokens read, 3 written, 2 s, 900 tokens at the most',
    '  2026-11-20 12:00:00Z  claimed   codex  open → claimed  replaced by MA3NAPQ7, session 00000000, seen true',
  ]);
  const narrow = (width: number) => presentHistory([event(1, { reason: 'x'.repeat(16) })], view(width)).split('\n');
  expect(narrow(59)).toEqual(['  12:00:00Z  claimed  codex  open → claimed', `      ${'x'.repeat(16)}`]);
  expect(narrow(60)).toEqual(['  2026-11-20 12:00:00Z  claimed  codex  open → claimed', `      ${'x'.repeat(16)}`]);
  expect(narrow(71)).toHaveLength(2);
  expect(narrow(72)).toHaveLength(1);
});

type Run = Parameters<typeof presentRuns>[0]['runs'][number];
type ListedRun = Parameters<typeof presentRunList>[0]['runs'][number];

const run: Run = {
  number: 2,
  fence: 1,
  planner: 'claude',
  by: 'claude',
  started_at: now,
  outcome: 'completed',
  tokens: { input: 1_200, output: 34 },
  steps: [],
  decisions: [],
};

verifies(['PLANCMD.runs'], 'an attempt at planning is shown with its steps, cost and end', () => {
  const step = (number: number, more: Partial<Run['steps'][number]> = {}): Run['steps'][number] => {
    return { number, tools: [], text: 'Thought', tokens: { input: 1_000, output: 5 }, ...more } as Run['steps'][number];
  };
  const tools = [{ name: 'read' }, { name: 'write' }] as Run['steps'][number]['tools'];
  const steps = [
    step(1),
    step(2, { tools, duration_ms: 1_250 }),
    step(3, { tools: tools.slice(1), tools_left_out: 2 }),
  ];
  const cost = { amount: 0.5, currency: 'EUR' };
  const failed = { ...run, number: 3, by: 'sam', outcome: 'error' as const, reason: 'No key.', cost, steps };
  expect(presentRuns({ id, runs: [] }, view(100))).toBe('Nobody has started to plan it.');
  const runs = [run, { ...failed, decisions: ['Use Redis'] }, { ...run, steps: [step(1)] }];
  expect(presentRuns({ id, runs }, view(100)).split('\n')).toEqual([
    'Attempt 2  completed',
    `  claude · ${now}`,
    '',
    'Attempt 3  error',
    `  claude · as sam · ${now} · 3 steps · 1,234 tokens · 0.5000 EUR`,
    '   1    0.0 s    1,005 tokens  Thought',
    '   2    1.3 s    1,005 tokens  read, write',
    '   3    0.0 s    1,005 tokens  write, and 2 more',
    '  decided  Use Redis',
    '  No key.',
    '',
    'Attempt 2  completed',
    `  claude · ${now} · 1 step · 1,234 tokens`,
    '   1    0.0 s    1,005 tokens  Thought',
  ]);
  const facts = presentRuns({ id, runs: [{ ...run, by: 'z'.repeat(13), steps: [step(1)] }] }, view(60)).split('\n');
  expect(facts.slice(1, 3)).toEqual([`  claude · as ${'z'.repeat(13)} · ${now}`, '  1 step · 1,234 tokens']);
  const long = presentRuns({ id, runs: [{ ...run, steps: [step(1, { text: 'x'.repeat(200) })] }] }, view(100));
  expect(long).toMatch(/x…$/);
  for (const line of long.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

verifies(['PLANCMD.runs'], 'planning runs are listed with their cost, and plans with what continues them', () => {
  const listed = (more: object = {}) => {
    return {
      ...run,
      handoff_id: id,
      title: 'Rate limits',
      state: 'open',
      duration_ms: 2_500,
      steps: 1,
      ...more,
    } as ListedRun;
  };
  expect(presentRunList({ runs: [] }, view(100))).toBe('Nobody has started to plan anything.');
  const long = 'A title of 25 characters.';
  const runs = [listed(), listed({ number: 3, steps: 2, cost: { amount: 1, currency: 'EUR' }, title: long })];
  expect(presentRunList({ runs }, view(100)).split('\n')).toEqual([
    '1DREVNHB 2  completed  claude  1 step   1,234 tokens              2.5 s  Rate limits',
    '1DREVNHB 3  completed  claude  2 steps  1,234 tokens  1.0000 EUR  2.5 s  A title of 25 chara…',
  ]);
  expect(presentRunList({ runs: [listed({ title: long })] }, view(120))).toMatch(/ {2}A title of 25 character…$/);
  expect(presentPlanned({ plan_directory: 'plans/x' }, styled(80))).toBe('plan <bold>plans/x</>');
  const next = handoffOf({ title: 'x'.repeat(60) });
  expect(presentPlanned({ plan_directory: 'plans/x', next }, view(80))).toBe(
    `plan plans/x\n1DREVNHB  open  ${'x'.repeat(49)}…`,
  );
});

verifies(
  ['PLAN.show', 'PLAN.list'],
  'a plan is shown with its phases and tasks, and counted where some are left out',
  () => {
    const plan_status = {
      overall_status: 'in_progress' as const,
      current_phase: 'Build',
      current_task: 'task-2',
    };
    const phases = [
      { name: 'Init', status: 'completed' as const, completed: '0/0', tasks: 0 },
      { name: 'Build', status: 'in_progress' as const, completed: '1/2', tasks: 2 },
      { name: 'Ship', status: 'pending' as const, completed: '0/3', tasks: 3 },
    ];
    const tasks = [
      { id: 'task-1', name: 'One', status: 'completed' as const },
      { id: 'task-2', name: 'Two', status: 'blocked' as const },
    ];
    const shown = (count: number, width: number) =>
      presentPlan({ plan_status, phases, tasks_current_phase: tasks.slice(0, count) }, view(width)).split('\n');
    const bars = (width: number, half: number) => [
      'in progress · Build · task-2',
      '',
      `✓ Init   ${'█'.repeat(width)}  0/0  100%`,
      `● Build  ${'█'.repeat(half)}${'░'.repeat(width - half)}  1/2  50%`,
      `○ Ship   ${'░'.repeat(width)}  0/3  0%`,
    ];
    expect(shown(0, 40)).toEqual(bars(20, 10));
    expect(shown(1, 60)).toEqual([...bars(30, 15), '', 'Tasks of Build', '✓ task-1  One', '  … and 1 more: --json']);
    expect(shown(2, 60).slice(5)).toEqual(['', 'Tasks of Build', '✓ task-1  One', '■ task-2  Two']);
    const checklist = [
      { text: 'done', is_done: true },
      { text: 'open', is_done: false },
    ];
    const phase = { name: 'Init', status: 'completed' as const, tasks_completed: 1, tasks_total: 1 };
    const outline = { title: 'Plan', phases: [{ ...phase, tasks: [{ ...tasks[0], checklist }] }] };
    expect(presentOutline(outline as Parameters<typeof presentOutline>[0], view(60))).toBe(
      'Plan\n\n✓ Init  1/1\n  ✓ task-1: One\n      [x] done\n      [ ] open',
    );
    const plans = [
      { name: 'jwt', title: 'JWT', plan_status, tasks_total: 4, tasks_completed: 2 },
      { name: 'bad', fault: 'It has no phases.' },
    ];
    const list = (given: object) => presentPlans(given as Parameters<typeof presentPlans>[0], view(80)).split('\n');
    expect(list({ plans, left_out: 1 })).toEqual([
      '● jwt  JWT  2/4  Build · task-2',
      '! bad            It has no phases.',
      '… and 1 plan more: --limit',
    ]);
    expect(list({ plans: [{ name: 'jwt', plan_status }], left_out: 0 })).toEqual(['● jwt    0/0  Build · task-2']);
    expect(list({ plans: [], left_out: 2 })).toEqual(['… and 2 plans more: --limit']);
    const record = { a: 1, long: [], list: ['x', { b: 1, c: 'd' }], none: null, missing: undefined };
    expect(presentRecord(record, view(80))).toBe('a     1\nlong  –\nlist  x, 1 · d');
  },
);

verifies(['LINEAGE.order'], 'the tree of a lineage shows each handoff, its review and its work', () => {
  const entry = (letter: string, more: Partial<LineageEntry> = {}): LineageEntry => {
    const facts = { title: letter, kind: 'context', state: 'open' as const, created_at: now, source_agent: 'ada' };
    return { id: letter.repeat(8), ...facts, revisions: 1, claims: 0, ...more };
  };
  const [parent_id, conversation] = ['AAAAAAAA', { host: 'codex', session: 's1' }];
  const handoffs = [
    entry('A', { conversation, claims: 1, acknowledged_by: 'sam' }),
    entry('B', { parent_id, begun_as_draft: true, revisions: 2, claims: 2, held_by: 'codex' }),
    entry('C', { parent_id, begun_as_draft: true, approved_by: 'ada' }),
    entry('D', { supersedes_id: 'CCCCCCCC' }),
    entry('E', { parent_id: 'BBBBBBBB' }),
  ];
  const shown = (style: View) => presentLineage({ id: 'BBBBBBBB', handoffs, absent: [], is_partial: false }, style);
  expect(shown(view(80)).split('\n')).toEqual([
    '└ conversation codex s1',
    '  └ AAAAAAAA  open  A',
    '    └ claimed once, acknowledged by sam',
    '      ├ BBBBBBBB  open (draft of 2 revisions)  B',
    '      │ └ claimed 2 times, held by codex',
    '      │   └ EEEEEEEE  open  E',
    '      └ CCCCCCCC  open (draft, approved by ada)  C',
    '        └ DDDDDDDD  open (replaces it)  D',
  ]);
  expect(shown(styled(80))).toContain('<bold>BBBBBBBB  open (draft of 2 revisions)</>  <bold>B</>');
  expect(shown(styled(80))).toContain('<bold>AAAAAAAA  open</>  A\n');
  const named = [entry('A', { conversation: { session: 'y'.repeat(80) } })];
  const [talk] = presentLineage({ id: '', handoffs: named, absent: [], is_partial: false }, view(80)).split('\n');
  expect(talk).toBe(`└ conversation ${'y'.repeat(65)}…`);
  const chain = [...'ABCDEFGHJKMNP'].map((letter, index, all) =>
    entry(letter, { title: 'x'.repeat(80), supersedes_id: all[index - 1]?.repeat(8) }),
  );
  const deep = presentLineage({ id: '', handoffs: chain, absent: [], is_partial: false }, view(80)).split('\n');
  expect(deep.slice(-2)).toEqual([
    `${' '.repeat(22)}└ NNNNNNNN  open (replaces it)  ${'x'.repeat(25)}…`,
    `… ${' '.repeat(22)}└ PPPPPPPP  open (replaces it)  ${'x'.repeat(23)}…`,
  ]);
});
