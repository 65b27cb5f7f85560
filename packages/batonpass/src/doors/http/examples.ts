import type { OperationName } from '../../operations/catalogue.ts';

const id = '01M8189N9QJC33BMWRXF5RB5GC';
const plan_directory = '.claude/plans/login-form';
const token = '1cc5b7306fabdc7825f4f3648c2283054b3b18845591295e';

/** For each operation of the API an input that it accepts. */
export const exampleInputs: Readonly<Partial<Record<OperationName, object>>> = {
  'handoff.status': {},
  'handoff.create': {
    content: {
      summary: 'Finish the login form',
      task_id: 'auth',
      decisions: ['Use sessions'],
      files: [{ path: 'src/login.ts', relevance: 'high', context: 'The form' }],
      next_steps: ['Test the form'],
    },
  },
  'handoff.import': { path: 'sessions/login.jsonl', task_id: 'auth' },
  'handoff.edit': { id, changes: { title: 'The login form' } },
  'handoff.approve': { id },
  'handoff.list': { state: ['open'], limit: 20 },
  'handoff.count': { task_id: 'auth' },
  'handoff.get': { id },
  'handoff.claim': { task_id: 'auth' },
  'handoff.renew': { id, token },
  'handoff.report': { id, token, text: 'Half of it is done' },
  'handoff.acknowledge': { id, token },
  'handoff.release': { id, token, reason: 'Another branch' },
  'handoff.fail': { id, token, reason: 'The database does not start' },
  'handoff.ask': { id, token, question: 'Sessions or tokens?' },
  'handoff.answer': { id, answer: 'Sessions' },
  'handoff.withdraw': { id, reason: 'Done already' },
  'handoff.reopen': { id },
  'handoff.break': { id, to: 'open', reason: 'Its holder is gone' },
  'handoff.events': { id },
  'handoff.lineage': { id },
  'handoff.check': { id },
  'handoff.render': { id, budget: 2_000 },
  'handoff.resume': {},
  'planning.run': { id },
  'planning.start': { id },
  'planning.stop': { id },
  'planning.list': { limit: 20 },
  'planning.step': { id, attempt: 1, step: 3 },
  'planning.runs': { id },
  'planning.context': { id, token },
  'planning.add-decision': { id, token, content: 'Keep the old form' },
  'planning.complete': { id, token, summary: 'Sessions first', plan_name: 'login-form' },
  'planning.draft': { id, plan_name: 'login-form' },
  'planning.hand-on': {
    snapshot: {
      decisions: [{ id: 'd1', content: 'Use sessions', source: 'user-pinned' }],
      filesReferenced: [],
      risks: [],
      brainstormSummary: 'Finish the login form',
    },
  },
  'conversation.list': {},
  'conversation.read': { path: 'sessions/login.jsonl' },
  'conversation.extract': { path: 'sessions/login.jsonl' },
  'plan.list': {},
  'plan.outline': { plan_directory },
  'plan.read-plan': { plan_directory },
  'plan.read-config': { plan_directory },
  'plan.get-references': { plan_directory },
  'plan.validate-plan': { plan_directory },
  'plan.validate-config': { plan_directory },
  'plan.validate-references': { plan_directory },
  'plan.create-directory': { task_name: 'login-form' },
  'plan.write-config': { plan_directory, configuration: { plan_type: 'simple', branch: 'feature/login' } },
  'plan.write-plan': {
    plan_directory,
    plan_content: { title: 'Login', tasks: [{ name: 'Build the form', phase: 'execute', goal: 'It is shown' }] },
  },
  'plan.write-references': {
    plan_directory,
    action: 'add',
    reference_type: 'adr',
    reference_data: { identifier: 'ADR-015', title: 'Sessions', path: 'docs/adr-015.md' },
  },
  'plan.answer': { message: '{"operation":"read-plan","plan_directory":".claude/plans/login-form"}', format: 'json' },
  'plan.consult': { message: '{"operation":"read-plan","plan_directory":".claude/plans/login-form"}', format: 'json' },
  'plan.update-progress': { plan_directory, update: { task_id: 'Build the form', status: 'in_progress' } },
};

const lease = { holder: 'codex', holder_type: 'agent', token, fence: 1, expires_at: '2026-11-22T09:24:49.603Z' };

const waiting = { content_revision: 1, available_at: '2026-11-22T09:09:49.512Z', max_attempts: 5 };

const handoff = {
  schema: 1,
  id,
  project: 'github.com/tidepool/api',
  created_at: '2026-11-22T09:09:49.512Z',
  content: {
    kind: 'context',
    title: 'Finish the login form',
    summary: 'Finish the login form',
    task_id: 'auth',
    source_agent: 'maria',
    decisions: [],
    files: [],
    risks: [],
    tried: [],
    next_steps: [],
    open_questions: [],
    results: [],
    references: [],
  },
  content_sha256: '6cab83c5b065ddfafd35982949b6dc4fe5e9ed9207010bd705cf513a160b5386',
  delivery: { ...waiting, state: 'claimed', version: 2, attempts: 1, fence: 1, lease, consumed: 1 },
};

/** For some operations an answer. */
export const exampleOutputs: Readonly<Partial<Record<OperationName, object>>> = {
  'handoff.create': {
    ...handoff,
    delivery: { ...waiting, state: 'open', version: 1, attempts: 0, fence: 0, consumed: 0 },
  },
  'handoff.renew': handoff,
};

/** The body of a refusal. */
export const exampleProblem = {
  type: '/reference#error-not_found',
  title: 'Not found',
  status: 404,
  detail: 'No handoff "ZZZZZZZZ" in github.com/tidepool/api.',
  code: 'not_found',
  details: { reference: 'ZZZZZZZZ' },
  alternatives: ['List them: baton list'],
  instance: 'urn:baton:request:021da4fc-fbd0-44a1-a28c-d579abf80bea',
};
