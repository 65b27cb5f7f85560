import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Baton, OperationInput, OperationName } from '../../packages/batonpass/src/index.ts';
import { conversationCases, transcript } from './conversation-cases.ts';
import { fileCases } from './file-cases.ts';
import { planCases } from './plan-cases.ts';
import { recordCases } from './record-cases.ts';
import { runCases } from './run-cases.ts';

/** What a case found or made before the operation under test. */
export interface Prepared {
  id: string;
  token: string;
  folder: string;
}

/** One operation through two doors: what the library is given, and what the command line is given for the same. */
export interface Case<Name extends OperationName = OperationName> {
  prepare?: (baton: Baton) => Promise<Partial<Prepared>>;
  input: (prepared: Prepared) => OperationInput<Name>;
  words: (prepared: Prepared) => string[];
  /** The same wrong request through both doors, and the code that both must answer with. */
  wrong: { input: OperationInput<Name>; words: string[]; code: string };
}

async function open(baton: Baton): Promise<Partial<Prepared>> {
  const { id } = await baton.run('handoff.create', { content: { summary: 'Finish the login form', task_id: 'auth' } });
  return { id };
}

async function addressed(baton: Baton): Promise<Partial<Prepared>> {
  const content = { summary: 'Finish the login form', target_agent: 'tester' };
  const { id } = await baton.run('handoff.create', { content });
  return { id };
}

async function draft(baton: Baton): Promise<Partial<Prepared>> {
  const content = { summary: 'Finish the login form', decisions: ['Use sessions', 'Keep cookies'] };
  const { id } = await baton.run('handoff.create', { content, draft: true });
  return { id };
}

async function claimed(baton: Baton): Promise<Partial<Prepared>> {
  await open(baton);
  const { handoff } = await baton.run('handoff.claim', {});
  return { id: handoff?.id, token: handoff?.delivery.lease?.token };
}

async function waiting(baton: Baton): Promise<Partial<Prepared>> {
  const { id = '', token = '' } = await claimed(baton);
  await baton.run('handoff.ask', { id, token, question: 'Which one?' });
  return { id, token };
}
async function withdrawn(baton: Baton): Promise<Partial<Prepared>> {
  const { id = '' } = await open(baton);
  await baton.run('handoff.withdraw', { id });
  return { id };
}

/** A backup of a store with one handoff, which then went on. */
async function backedUp(baton: Baton): Promise<Partial<Prepared>> {
  const { id = '' } = await open(baton);
  await baton.run('store.backup', { file: backupIn(baton.context.workspace.root) });
  await baton.run('handoff.withdraw', { id });
  return { id };
}
const backupIn = (folder: string) => join(folder, 'copy.db');
async function withToken(baton: Baton): Promise<Partial<Prepared>> {
  const { id } = await baton.run('token.create', { name: 'codex' });
  return { id };
}
const nowhere = 'ZZZZZZZZ';
/** A frozen snapshot of a brainstorm, which is also an example. */
const frozenSnapshot = join(import.meta.dirname, '../../examples/planning/snapshot.json');
const snapshot = JSON.parse(readFileSync(frozenSnapshot, 'utf8')) as OperationInput<'planning.hand-on'>['snapshot'];
const snapshotIn = (folder: string) => join(folder, 'snapshot.json');
/** What hosts ask for by `baton hook` alone, with words of their own. */
type HookOperation = Extract<OperationName, `session.${string}`>;

/** Answers with what it measures on the machine, and with "no" where nothing is registered: its own tests compare the doors. */
type MeasuringOperation = 'project.diagnose';

/** Takes a message from standard input, and answers with one: its own tests compare the doors. */
type MessageOperation = 'plan.answer' | 'plan.consult';

/** Asks a model: its own tests open a server for it. */
type ModelOperation = 'planning.run' | 'planning.start';

/** Every other operation of the catalogue; one without a case does not compile. */
export const cases: {
  [Name in Exclude<OperationName, HookOperation | MeasuringOperation | MessageOperation | ModelOperation>]: Case<Name>;
} = {
  ...planCases,
  ...conversationCases,
  ...runCases,
  'plan.list': {
    prepare: async (baton) => {
      await baton.run('plan.create-directory', { task_name: 'jwt-auth' });
      return {};
    },
    input: () => ({ limit: 5 }),
    words: () => ['plan', 'list', '--limit', '5'],
    wrong: { input: { limit: 0 }, words: ['plan', 'list', '--limit', '0'], code: 'invalid_input' },
  },
  'handoff.status': {
    prepare: open,
    input: () => ({}),
    words: () => ['status'],
    wrong: { input: { nothing: 1 } as never, words: ['status', '--nothing'], code: 'invalid_input' },
  },
  'handoff.create': {
    input: () => ({ content: { summary: 'Finish it', decisions: ['Use sessions'], files: ['src/login.ts'] } }),
    words: () => ['create', '--summary', 'Finish it', '--decision', 'Use sessions', '--file', 'src/login.ts'],
    wrong: {
      input: { content: { title: 'x'.repeat(201), summary: 'x' } },
      words: ['create', '--summary', 'x', '--title', 'x'.repeat(201)],
      code: 'invalid_input',
    },
  },
  'handoff.edit': {
    prepare: draft,
    input: ({ id }) => ({ id, changes: { remove: ['d2'], reword: [{ id: 'd1', text: 'Use tokens' }] } }),
    words: ({ id }) => ['edit', id, '--remove', 'd2', '--reword', 'd1=Use tokens'],
    wrong: {
      input: { id: nowhere, changes: { title: 'x' } },
      words: ['edit', nowhere, '--title', 'x'],
      code: 'not_found',
    },
  },
  'handoff.approve': {
    prepare: draft,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['approve', id],
    wrong: { input: { id: nowhere }, words: ['approve', nowhere], code: 'not_found' },
  },
  'planning.hand-on': {
    prepare: async ({ context }) => {
      writeFileSync(snapshotIn(context.workspace.root), JSON.stringify(snapshot));
      return {};
    },
    input: () => ({ snapshot, title: 'Sessions', task_id: 'auth' }),
    words: ({ folder }) => ['plan', 'hand-on', snapshotIn(folder), '--title', 'Sessions', '--task', 'auth'],
    wrong: {
      input: { snapshot, supersedes_id: nowhere },
      words: ['plan', 'hand-on', frozenSnapshot, '--supersede', nowhere],
      code: 'not_found',
    },
  },
  'planning.draft': {
    prepare: open,
    input: ({ id }) => ({ id, plan_name: 'login-form' }),
    words: ({ id }) => ['plan', 'draft', id, '--name', 'login-form'],
    wrong: { input: { id: nowhere }, words: ['plan', 'draft', nowhere], code: 'not_found' },
  },
  'planning.runs': {
    prepare: claimed,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['plan', 'runs', id],
    wrong: { input: { id: nowhere }, words: ['plan', 'runs', nowhere], code: 'not_found' },
  },
  'planning.context': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token }),
    words: ({ id, token }) => ['plan', 'context', id, '--token', token],
    wrong: {
      input: { id: nowhere, token: 'x' },
      words: ['plan', 'context', nowhere, '--token', 'x'],
      code: 'not_found',
    },
  },
  'planning.add-decision': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, content: 'Keep the old form' }),
    words: ({ id, token }) => ['plan', 'add-decision', id, 'Keep the old form', '--token', token],
    wrong: {
      input: { id: nowhere, token: 'x', content: 'y' },
      words: ['plan', 'add-decision', nowhere, 'y', '--token', 'x'],
      code: 'not_found',
    },
  },
  'planning.complete': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, summary: 'Sessions first', plan_name: 'login-form' }),
    words: ({ id, token }) => ['plan', 'complete', id, 'Sessions first', '--token', token, '--name', 'login-form'],
    wrong: {
      input: { id: nowhere, token: 'x', summary: 'y' },
      words: ['plan', 'complete', nowhere, 'y', '--token', 'x'],
      code: 'not_found',
    },
  },
  'handoff.list': {
    prepare: open,
    input: () => ({ state: ['open'], task_id: 'auth' }),
    words: () => ['list', '--state', 'open', '--task', 'auth'],
    wrong: { input: { cursor: 'not a cursor' }, words: ['list', '--cursor', 'not a cursor'], code: 'invalid_input' },
  },
  'handoff.count': {
    prepare: open,
    input: () => ({ task_id: 'auth', text: 'LOGIN' }),
    words: () => ['count', '--task', 'auth', '--text', 'LOGIN'],
    wrong: { input: { text: '' }, words: ['count', '--text', ''], code: 'invalid_input' },
  },
  'handoff.get': {
    prepare: open,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['show', id.slice(-8)],
    wrong: { input: { id: nowhere }, words: ['show', nowhere], code: 'not_found' },
  },
  'handoff.claim': {
    prepare: open,
    input: () => ({ task_id: 'auth', lease_ms: 60_000 }),
    words: () => ['claim', '--task', 'auth', '--lease', '1m'],
    wrong: { input: { lease_ms: 1 }, words: ['claim', '--lease', '1ms'], code: 'invalid_input' },
  },
  'handoff.resume': {
    prepare: async (baton) => {
      const { id } = await baton.run('handoff.create', { content: { summary: 'Finish the login form' } });
      return { id };
    },
    input: () => ({ lease_ms: 60_000 }),
    words: () => ['resume', '--lease', '1m'],
    wrong: { input: { lease_ms: 1 }, words: ['resume', '--lease', '1ms'], code: 'invalid_input' },
  },
  'handoff.renew': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, lease_ms: 60_000 }),
    words: ({ id, token }) => ['renew', id, '--token', token, '--lease', '1m'],
    wrong: { input: { id: nowhere, token: 'x' }, words: ['renew', nowhere, '--token', 'x'], code: 'not_found' },
  },
  'handoff.report': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, text: 'Half of it is done', data: { files: 4 } }),
    words: ({ id, token }) => ['report', id, 'Half of it is done', '--token', token, '--data', '{"files":4}'],
    wrong: {
      input: { id: nowhere, token: 'x', text: 'y' },
      words: ['report', nowhere, 'y', '--token', 'x'],
      code: 'not_found',
    },
  },
  'handoff.acknowledge': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token }),
    words: ({ id, token }) => ['ack', id, '--token', token],
    wrong: { input: { id: nowhere }, words: ['ack', nowhere], code: 'not_found' },
  },
  'handoff.release': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, reason: 'wrong branch' }),
    words: ({ id, token }) => ['release', id, '--token', token, '--reason', 'wrong branch'],
    wrong: { input: { id: nowhere }, words: ['release', nowhere], code: 'not_found' },
  },
  'handoff.fail': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, reason: 'no database' }),
    words: ({ id, token }) => ['fail', id, '--token', token, '--reason', 'no database'],
    wrong: {
      input: { id: nowhere, token: 'x', reason: '' },
      words: ['fail', nowhere, '--token', 'x'],
      code: 'invalid_input',
    },
  },
  'handoff.ask': {
    prepare: claimed,
    input: ({ id, token }) => ({ id, token, question: 'Which one?' }),
    words: ({ id, token }) => ['ask', id, 'Which one?', '--token', token],
    wrong: {
      input: { id: nowhere, token: 'x', question: 'y' },
      words: ['ask', nowhere, 'y', '--token', 'x'],
      code: 'not_found',
    },
  },
  'handoff.answer': {
    prepare: waiting,
    input: ({ id }) => ({ id, answer: 'The first' }),
    words: ({ id }) => ['answer', id, 'The first'],
    wrong: { input: { id: nowhere, answer: 'y' }, words: ['answer', nowhere, 'y'], code: 'not_found' },
  },
  'handoff.withdraw': {
    // Agents withdraw what is theirs or addressed to them; "tester" is the one that asks over MCP.
    prepare: addressed,
    input: ({ id }) => ({ id, reason: 'done already' }),
    words: ({ id }) => ['withdraw', id, '--reason', 'done already'],
    wrong: { input: { id: nowhere }, words: ['withdraw', nowhere], code: 'not_found' },
  },
  'handoff.break': {
    prepare: claimed,
    input: ({ id }) => ({ id, dry_run: true }),
    words: ({ id }) => ['release', id, '--force', '--dry-run'],
    wrong: { input: { id: nowhere }, words: ['withdraw', nowhere, '--force'], code: 'not_found' },
  },
  'handoff.reopen': {
    prepare: withdrawn,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['reopen', id],
    wrong: { input: { id: nowhere }, words: ['reopen', nowhere], code: 'not_found' },
  },
  'handoff.events': {
    prepare: claimed,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['log', id],
    wrong: { input: { id: nowhere }, words: ['log', nowhere], code: 'not_found' },
  },
  'handoff.lineage': {
    prepare: async (baton) => {
      const { id } = await draft(baton);
      const next = await baton.run('handoff.create', { content: { summary: 'The next', parent_id: id } });
      return { id: next.id };
    },
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['lineage', id],
    wrong: { input: { id: nowhere }, words: ['lineage', nowhere], code: 'not_found' },
  },
  'handoff.check': {
    prepare: async (baton) => {
      const { id } = await baton.run('handoff.create', { content: { summary: 'x', files: ['src/login.ts'] } });
      return { id };
    },
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['check', id],
    wrong: { input: { id: nowhere }, words: ['check', nowhere], code: 'not_found' },
  },
  'handoff.render': {
    prepare: open,
    input: ({ id }) => ({ id, budget: 500 }),
    words: ({ id }) => ['render', id, '--budget', '500'],
    wrong: { input: { id: nowhere }, words: ['render', nowhere], code: 'not_found' },
  },
  'handoff.export': {
    prepare: open,
    input: ({ id, folder }) => ({ id, folder: join(folder, 'out') }),
    words: ({ id, folder }) => ['export', id, '--to', join(folder, 'out')],
    wrong: { input: { id: nowhere }, words: ['export', nowhere], code: 'not_found' },
  },
  'handoff.import': {
    input: () => ({ path: transcript, task_id: 'auth' }),
    words: () => ['import', transcript, '--task', 'auth'],
    wrong: { input: {}, words: ['import'], code: 'invalid_input' },
  },
  'project.init': {
    input: () => ({ dry_run: true, only: ['mcp', 'docs'] }),
    words: () => ['init', '--dry-run', '--only', 'mcp,docs'],
    wrong: { input: { only: ['server'] } as never, words: ['init', '--only', 'server'], code: 'invalid_input' },
  },
  'project.trust': {
    input: () => ({}),
    words: () => ['trust'],
    wrong: { input: { nothing: 1 } as never, words: ['trust', '--nothing'], code: 'invalid_input' },
  },
  'store.check': {
    prepare: open,
    input: () => ({}),
    words: () => ['store', 'check'],
    wrong: { input: {}, words: ['store', 'check'], code: 'file_not_found' },
  },
  'store.backup': {
    prepare: open,
    input: ({ folder }) => ({ file: backupIn(folder) }),
    words: ({ folder }) => ['store', 'backup', backupIn(folder)],
    wrong: { input: {}, words: ['store', 'backup'], code: 'file_not_found' },
  },
  'store.restore': {
    prepare: backedUp,
    input: ({ folder }) => ({ file: backupIn(folder) }),
    words: ({ folder }) => ['store', 'restore', backupIn(folder)],
    wrong: {
      input: { file: '/nowhere/at/all.db' },
      words: ['store', 'restore', '/nowhere/at/all.db'],
      code: 'file_not_found',
    },
  },
  'store.prune': {
    prepare: withdrawn,
    input: () => ({ older_than_ms: 0, state: ['withdrawn'] }),
    words: () => ['store', 'prune', '--older-than', '0s', '--state', 'withdrawn'],
    wrong: { input: { state: ['open'] } as never, words: ['store', 'prune', '--state', 'open'], code: 'invalid_input' },
  },
  'store.migrate': {
    prepare: open,
    input: () => ({}),
    words: () => ['store', 'migrate'],
    wrong: { input: {}, words: ['store', 'migrate'], code: 'file_not_found' },
  },
  'store.copy': {
    prepare: open,
    input: ({ folder }) => ({ to: `sqlite:${join(folder, 'other.db')}` }),
    words: ({ folder }) => ['store', 'copy', '--to', `sqlite:${join(folder, 'other.db')}`],
    wrong: { input: { to: 'memory:' }, words: ['store', 'copy', '--to', 'memory:'], code: 'invalid_input' },
  },
  'store.roles': {
    input: () => ({ schema: 'team' }),
    words: () => ['store', 'roles', '--schema', 'team'],
    wrong: { input: { schema: 'Team' }, words: ['store', 'roles', '--schema', 'Team'], code: 'invalid_input' },
  },
  'token.create': {
    input: () => ({ name: 'codex', role: 'reviewer', expires_in_ms: 60_000 }),
    words: () => ['token', 'create', 'codex', '--role', 'reviewer', '--expires', '1m'],
    wrong: {
      input: { name: 'codex', role: 'king' } as never,
      words: ['token', 'create', 'codex', '--role', 'king'],
      code: 'invalid_input',
    },
  },
  'token.list': {
    prepare: withToken,
    input: () => ({}),
    words: () => ['token', 'list'],
    wrong: { input: { nothing: 1 } as never, words: ['token', 'list', '--nothing'], code: 'invalid_input' },
  },
  'token.revoke': {
    prepare: withToken,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['token', 'revoke', id],
    wrong: { input: { id: 'none' }, words: ['token', 'revoke', 'none'], code: 'not_found' },
  },
  ...fileCases,
  ...recordCases,
};
