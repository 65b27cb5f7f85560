import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { growLineage, type LineageEntry, type LineageNode, rootOf } from '../../packages/batonpass/src/core/lineage.ts';
import { presentLineage } from '../../packages/batonpass/src/doors/cli/present/lineage.ts';
import type { Baton, ContentInput } from '../../packages/batonpass/src/index.ts';
import { planByAgent, writeForPlanner } from '../studio/planned-run.ts';
import { verifies } from '../verifies.ts';
import { newFolder, openIn } from './planning-stage.ts';

async function write(baton: Baton, content: ContentInput, draft = false): Promise<string> {
  return (await baton.run('handoff.create', { content: { summary: 'x', ...content }, draft })).id;
}

/** The tree as its titles, each indented below its parent. */
function drawn(nodes: readonly LineageNode[], indent = ''): string[] {
  return nodes.flatMap((node) => {
    const name =
      node.type === 'conversation' ? `[${node.session}]` : node.type === 'work' ? '(work)' : node.entry.title;
    return [`${indent}${name}`, ...drawn(node.children, `${indent} `)];
  });
}

const family = async (baton: Baton, id: string) => baton.run('handoff.lineage', { id });

const entry = (id: string, more: Partial<LineageEntry> = {}): LineageEntry => ({
  id,
  title: id,
  kind: 'context',
  state: 'open',
  created_at: '2026-11-22T10:00:00.000Z',
  source_agent: 'ada',
  revisions: 1,
  claims: 0,
  ...more,
});

verifies(
  ['LINEAGE.family', 'LINEAGE.order'],
  'from any member the whole family is answered, from its conversation to the last handoff',
  async () => {
    let now_ms = Date.parse('2026-11-22T10:00:00Z');
    const baton = await openIn(newFolder(), { agent: 'ada', surroundings: { now: () => (now_ms += 1_000) } });
    const origin = { host: 'claude-code', session: 's-1' };
    const first = await write(baton, { title: 'First', origin }, true);
    const second = await writeForPlanner(baton, { title: 'Second', origin, supersedes_id: first });
    await planByAgent(baton, second);
    const [plan] = (await baton.run('handoff.list', { kind: 'plan' })).handoffs;
    const last = await write(baton, { title: 'Last', parent_id: plan?.id });
    await write(baton, { title: 'Of the same conversation', origin });
    await write(baton, { title: 'Of another one', origin: { host: 'codex', session: 's-1' } });
    const tree = [
      '[s-1]',
      ' First',
      '  Second',
      '   (work)',
      '    Plan: Offline notes',
      '     Last',
      ' Of the same conversation',
    ];
    for (const id of [first, second, last]) {
      const answer = await family(baton, id);
      expect(drawn(growLineage(answer.handoffs))).toEqual(tree);
      expect([answer.id, answer.absent, answer.is_partial]).toEqual([id, [], false]);
    }
    const { handoffs } = await family(baton, last);
    expect(rootOf(last, handoffs)).toBe(first);
    expect(handoffs.find(({ id }) => id === second)).toMatchObject({ claims: 1, acknowledged_by: 'plan-agent' });
  },
);

verifies(
  ['LINEAGE.family'],
  'a member has its links, approval, claims and holder, and nothing that it lacks',
  async () => {
    const now = () => Date.parse('2026-11-22T10:00:00Z');
    const folder = newFolder();
    const baton = await openIn(folder, { agent: 'ada', surroundings: { now } });
    const parent = await write(baton, { title: 'Parent' });
    const links = { target_agent: 'eve', parent_id: parent, origin: { session: 's-1' } };
    const child = await write(baton, { title: 'Child', ...links }, true);
    await baton.run('handoff.approve', { id: child });
    const receiver = await openIn(folder, { agent: 'eve', surroundings: { now } });
    await receiver.run('handoff.claim', { id: child });
    const { handoffs } = await family(baton, child);
    const created = { created_at: '2026-11-22T10:00:00.000Z', kind: 'context', source_agent: 'ada', revisions: 1 };
    const more = { begun_as_draft: true, approved_by: 'ada', held_by: 'eve', conversation: { session: 's-1' } };
    expect(handoffs.find(({ id }) => id === child)).toEqual({
      ...{ id: child, title: 'Child', state: 'claimed', claims: 1, ...created },
      ...{ target_agent: 'eve', parent_id: parent, ...more },
    });
    const plain = { id: parent, title: 'Parent', state: 'open', claims: 0, ...created };
    expect(handoffs.find(({ id }) => id === parent)).toEqual(plain);
  },
);

verifies(['LINEAGE.tenants'], 'another project has no part in a family', async () => {
  const folder = newFolder();
  const [alpha, beta] = [await openIn(folder, { project: 'alpha' }), await openIn(folder, { project: 'beta' })];
  const origin = { host: 'claude-code', session: 's-1' };
  const mine = await write(alpha, { title: 'Mine', origin });
  const theirs = await write(beta, { title: 'Theirs', origin });
  const { handoffs } = await family(alpha, mine);
  expect(handoffs.map(({ title }) => title)).toEqual(['Mine']);
  await expect(family(alpha, theirs)).rejects.toMatchObject({ code: 'not_found' });
  // A link into another project leads nowhere: it is named and not read.
  const store = await alpha.context.openStore();
  const content = completeContent({ summary: 'Linked', parent_id: theirs }, { source_agent: 'eve' });
  await store.create([{ ...content, project: 'alpha', state: 'open' }], {
    actor: { name: 'eve', type: 'agent' },
    project: 'alpha',
    operation: 'handoff.create',
  });
  const [linked] = (await alpha.run('handoff.list', { limit: 1 })).handoffs;
  const answer = await family(alpha, linked?.id ?? '');
  expect(answer.absent).toEqual([theirs]);
  expect(JSON.stringify(answer.handoffs)).not.toContain('Theirs');
});

verifies(['LINEAGE.circle'], 'links in a circle and links into nothing hide no handoff', () => {
  const entries = [
    entry('a', { parent_id: 'c' }),
    entry('b', { parent_id: 'a' }),
    entry('c', { parent_id: 'b' }),
    entry('self', { parent_id: 'self' }),
    entry('orphan', { parent_id: 'gone', supersedes_id: 'gone-too' }),
    entry('child', { parent_id: 'orphan' }),
  ];
  const shown = drawn(growLineage(entries));
  expect(shown.map((line) => line.trim()).sort()).toEqual(entries.map(({ id }) => id).sort());
  expect(shown).toContain(' child');
  expect(rootOf('a', entries)).toBe('b');
});

verifies(['LINEAGE.bounded'], 'more than the bound is reported as a part, and the one asked for is in it', async () => {
  const baton = await openIn(newFolder());
  const parent = await write(baton, { title: 'Parent' });
  const store = await baton.context.openStore();
  const { actor, project } = baton.context;
  const content = completeContent({ summary: 'One of many', parent_id: parent }, { source_agent: 'writer' });
  const children = Array.from({ length: limits.lineage_handoffs_max }, () => ({
    ...content,
    project,
    state: 'open' as const,
  }));
  await store.create(children, { actor, project, operation: 'handoff.create' });
  const { handoffs, is_partial } = await family(baton, parent);
  expect([handoffs.length, is_partial]).toEqual([limits.lineage_handoffs_max, true]);
  expect(handoffs.some(({ id }) => id === parent)).toBe(true);
});

verifies(['LINEAGE.order'], 'on a command line the tree fits the width, and hostile titles are text', () => {
  const handoffs = [
    entry('AAAAAAAAAAAAAAAA', { conversation: { session: 's\u202E1' }, begun_as_draft: true, approved_by: 'ada' }),
    entry('BBBBBBBBBBBBBBBB', {
      supersedes_id: 'AAAAAAAAAAAAAAAA',
      title: 'escape \u001B[31m red '.repeat(9),
      claims: 2,
    }),
    entry('CCCCCCCCCCCCCCCC', { parent_id: 'BBBBBBBBBBBBBBBB', title: 'Last' }),
  ];
  const style = (_: unknown, text: string) => text;
  const view = { width: 80, now_ms: 0, style, options: {} };
  const text = presentLineage({ id: 'CCCCCCCCCCCCCCCC', handoffs, absent: [], is_partial: false }, view);
  expect(text.split('\n')).toEqual([
    expect.stringContaining('conversation s'),
    expect.stringContaining('AAAAAAAA'),
    expect.stringContaining('BBBBBBBB'),
    expect.stringContaining('claimed 2 times'),
    expect.stringContaining('CCCCCCCC'),
  ]);
  expect(text).toContain('open (draft, approved by ada)');
  for (const hidden of ['\u001B', '\u202E']) expect(text).not.toContain(hidden);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});
