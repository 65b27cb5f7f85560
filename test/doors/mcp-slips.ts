/** A call as a model writes it, and what must come of it. */
export interface Slip {
  name: string;
  tool: string;
  /** `ID`, `TOKEN`: of a handoff that the caller holds. */
  given: Record<string, unknown>;
  /** Fields of the stored content that must be so; or of the answer. */
  content?: Record<string, unknown>;
  answer?: Record<string, unknown>;
}

const create = (name: string, given: Record<string, unknown>, content: Record<string, unknown>): Slip => ({
  name,
  tool: 'handoff_create',
  given,
  content,
});

/** The slips that the reader was made for. */
export const typicalSlips: readonly Slip[] = [
  { name: 'null for an absent number', tool: 'handoff_read', given: { action: 'list', limit: null } },
  { name: 'an empty text for an absent cursor', tool: 'handoff_read', given: { action: 'list', cursor: '' } },
  { name: 'a number as a text', tool: 'handoff_read', given: { action: 'list', limit: '5' } },
  {
    name: 'one state where a list is meant',
    tool: 'handoff_read',
    given: { action: 'list', state: 'claimed' },
    answer: { handoffs: [{ state: 'claimed' }] },
  },
  { name: 'states with commas', tool: 'handoff_read', given: { action: 'list', state: 'open, claimed' } },
  { name: 'a list as JSON text', tool: 'handoff_read', given: { action: 'list', state: '["claimed"]' } },
  { name: 'null for an absent id', tool: 'handoff_read', given: { action: 'check', id: null } },
  { name: 'a boolean as a text', tool: 'handoff_read', given: { action: 'get', id: 'ID', payload: 'true' } },
  { name: 'an action in capitals', tool: 'handoff_read', given: { action: 'Status' } },
  { name: 'another name for the id', tool: 'handoff_read', given: { action: 'get', handoff_id: 'ID' } },
  create('content as JSON text', { content: '{"summary":"Login","next_steps":["Test"]}' }, { next_steps: ['Test'] }),
  create(
    'content as plain text',
    { content: 'The login form is half done' },
    { summary: 'The login form is half done' },
  ),
  create('no content around the fields', { summary: 'Login', decisions: ['Use sessions'] }, { summary: 'Login' }),
  create(
    'a text where a list is meant',
    { content: { summary: 'x', next_steps: 'Test it' } },
    { next_steps: ['Test it'] },
  ),
  create(
    'bullets where a list is meant',
    { content: { summary: 'x', open_questions: '- Which one?\n- When?' } },
    { open_questions: ['Which one?', 'When?'] },
  ),
  create(
    'a reason in a decision',
    { content: { summary: 'x', decisions: [{ content: 'Use sessions', reason: 'Simple' }] } },
    { decisions: [{ content: 'Use sessions. Reason: Simple' }] },
  ),
  create(
    'a decision by another name',
    { content: { summary: 'x', decisions: [{ decision: 'Use sessions' }] } },
    { decisions: [{ content: 'Use sessions' }] },
  ),
  create(
    'files with a reason',
    { content: { summary: 'x', files: [{ file: 'src/a.ts', reason: 'The form', relevance: 'High' }] } },
    { files: [{ path: 'src/a.ts', context: 'The form', relevance: 'high' }] },
  ),
  create(
    'steps as objects',
    { content: { summary: 'x', next_steps: [{ step: 'Test it' }] } },
    { next_steps: ['Test it'] },
  ),
  create(
    'a critical risk with a mitigation',
    { content: { summary: 'x', risks: [{ risk: 'Lost', severity: 'critical', mitigation: 'Copy' }] } },
    { risks: [{ description: 'Lost. Mitigation: Copy', severity: 'high' }] },
  ),
  create('camel case', { content: { summary: 'x', nextSteps: ['Test'] } }, { next_steps: ['Test'] }),
  create(
    'a result that is done',
    { content: { summary: 'x', results: [{ description: 'y', status: 'done' }] } },
    {
      results: [{ description: 'y', status: 'completed' }],
    },
  ),
  {
    name: 'a lease as a text',
    tool: 'handoff_update',
    given: { action: 'renew', id: 'ID', token: 'TOKEN', lease_ms: '900000' },
  },
  {
    name: 'a message for the text of a report',
    tool: 'handoff_update',
    given: { action: 'report', id: 'ID', token: 'TOKEN', message: 'Half done', data: null },
  },
];

/** Others, written after the reader was done and before it was run on them. */
export const furtherSlips: readonly Slip[] = [
  {
    name: 'a wait as a text',
    tool: 'handoff_claim',
    given: { task_id: 'nothing', wait_ms: '0' },
    answer: { handoff: null },
  },
  { name: 'the tool’s own name as action', tool: 'handoff_claim', given: { action: 'claim', task_id: 'nothing' } },
  {
    name: 'a duration for a lease',
    tool: 'handoff_update',
    given: { action: 'renew', id: 'ID', token: 'TOKEN', lease_ms: '15m' },
  },
  { name: 'a short word for the action', tool: 'handoff_update', given: { action: 'ACK', id: 'ID', token: 'TOKEN' } },
  {
    name: 'a message for the question',
    tool: 'handoff_update',
    given: { action: 'ask', id: 'ID', token: 'TOKEN', message: 'Which one?' },
  },
  {
    name: 'numbers of a history as texts',
    tool: 'handoff_read',
    given: { action: 'log', limit: '10', after_seq: '0' },
  },
  { name: 'a budget as a text', tool: 'handoff_read', given: { action: 'render', id: 'ID', budget: '500' } },
  {
    name: 'a status for the state',
    tool: 'handoff_read',
    given: { action: 'list', status: 'claimed' },
    answer: { handoffs: [{ state: 'claimed' }] },
  },
  {
    name: 'states for the state',
    tool: 'handoff_read',
    given: { action: 'list', states: ['claimed'] },
    answer: { handoffs: [{ state: 'claimed' }] },
  },
  { name: 'an empty field that there is not', tool: 'handoff_read', given: { action: 'status', filter: null } },
  create('one file as a text', { content: { summary: 'x', files: 'src/a.ts' } }, { files: [{ path: 'src/a.ts' }] }),
  create(
    'files with commas',
    { content: { summary: 'x', files: 'src/a.ts, src/b.ts' } },
    { files: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }] },
  ),
  create('a summary of lines', { content: { summary: ['One.', 'Two.'] } }, { summary: 'One.\nTwo.' }),
  create('a dead end as a text', { content: { summary: 'x', tried: ['Polling'] } }, { tried: [{ what: 'Polling' }] }),
  create(
    'work done as a text',
    { content: { summary: 'x', results: 'Built it' } },
    {
      results: [{ description: 'Built it', status: 'completed' }],
    },
  ),
  create(
    'a link as a text',
    { content: { summary: 'x', references: ['https://example.org/1'] } },
    {
      references: [{ identifier: 'https://example.org/1' }],
    },
  ),
  create(
    'decisions as JSON text',
    { content: { summary: 'x', decisions: '["Sessions","Cookies"]' } },
    { decisions: [{ content: 'Sessions' }, { content: 'Cookies' }] },
  ),
  create(
    'a confidence in percent',
    { content: { summary: 'x', decisions: [{ content: 'Sessions', confidence: '90%' }] } },
    { decisions: [{ content: 'Sessions', confidence: 0.9 }] },
  ),
  create(
    'a rationale and alternatives',
    { content: { summary: 'x', decisions: [{ content: 'Sessions', rationale: 'Simple', alternatives: ['Tokens'] }] } },
    { decisions: [{ content: 'Sessions. Reason: Simple. Alternatives: Tokens' }] },
  ),
  create(
    'a description for the summary',
    { content: { title: 'T', description: 'All of it' } },
    { summary: 'All of it' },
  ),
  create('a kind in capitals', { content: { summary: 'x', kind: 'Problem' } }, { kind: 'problem' }),
  create('a truth as a text', { content: { summary: 'x' }, draft: 'false', expires_in_ms: '1h' }, { summary: 'x' }),
  create(
    'a number as key',
    { content: { summary: 'x', open_questions: [null, 'Which?'] }, idempotency_key: 42 },
    {
      open_questions: ['Which?'],
    },
  ),
  create(
    'steps by number',
    { content: { summary: 'x', next_steps: { 1: 'Do a', 2: 'Do b' } } },
    {
      next_steps: ['Do a', 'Do b'],
    },
  ),
];
