/** These fields name the receiver of content. An empty value may mean anybody or a mistake, so the operation refuses it. */
export const audienceFields: ReadonlySet<string> = new Set(['target_agent', 'task_id', 'token', 'state']);

/** The names that models give to fields, by the field's list or object; the first one in the schema is used. */
export const fieldAliases: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '': {
    handoff_id: ['id'],
    handoff: ['id'],
    lease_token: ['token'],
    claim_token: ['token'],
    status: ['state'],
    query: ['text'],
    search: ['text'],
    max: ['limit'],
    count: ['limit'],
    message: ['text', 'reason', 'question'],
    comment: ['text', 'reason', 'question'],
    note: ['text', 'reason'],
    progress: ['text'],
    error: ['reason'],
    to: ['target_agent'],
    task: ['task_id'],
    since_date: ['since'],
    handoff_content: ['content'],
    key: ['idempotency_key'],
  },
  content: {
    to: ['target_agent'],
    target: ['target_agent'],
    recipient: ['target_agent'],
    assignee: ['target_agent'],
    task: ['task_id'],
    description: ['summary', 'body'],
    text: ['summary', 'body'],
    message: ['summary', 'body'],
    type: ['kind'],
    next: ['next_steps'],
    todo: ['next_steps'],
    todos: ['next_steps'],
    steps: ['next_steps'],
    questions: ['open_questions'],
    attempts: ['tried'],
    dead_ends: ['tried'],
    tried_approaches: ['tried'],
    links: ['references'],
    notes: ['body'],
  },
  decisions: {
    decision: ['content'],
    text: ['content'],
    description: ['content'],
    title: ['content'],
    summary: ['content'],
    what: ['content'],
  },
  files: {
    file: ['path'],
    filename: ['path'],
    file_path: ['path'],
    name: ['path'],
    reason: ['context'],
    why: ['context'],
    description: ['context'],
    notes: ['context'],
    note: ['context'],
    purpose: ['context'],
    summary: ['context'],
    importance: ['relevance'],
    priority: ['relevance'],
  },
  risks: {
    risk: ['description'],
    content: ['description'],
    text: ['description'],
    title: ['description'],
    what: ['description'],
    level: ['severity'],
    impact: ['severity'],
    priority: ['severity'],
  },
  tried: {
    approach: ['what'],
    attempt: ['what'],
    tried: ['what'],
    description: ['what'],
    content: ['what'],
    action: ['what'],
    result: ['outcome'],
    reason: ['outcome'],
    why: ['outcome'],
    error: ['outcome'],
  },
  results: {
    result: ['description'],
    what: ['description'],
    content: ['description'],
    text: ['description'],
    title: ['description'],
    task: ['description'],
    outcome: ['status'],
    state: ['status'],
    files: ['artifacts'],
    note: ['notes'],
    details: ['notes'],
  },
  references: {
    kind: ['type'],
    id: ['identifier'],
    name: ['identifier'],
    ref: ['identifier'],
    key: ['identifier'],
    link: ['url'],
    href: ['url'],
    uri: ['url'],
  },
};

/** Where a text goes that an item has no field for, and what a text alone means. */
export const foldedFields: Readonly<
  Record<
    string,
    {
      /** The item's main text. */
      into: string;
      /** The names of further texts, each with the word that is put before it. */
      fields?: Readonly<Record<string, string>>;
      /** Fields that are set as well, where only the main text was given. */
      besides?: Readonly<Record<string, string>>;
    }
  >
> = {
  content: { into: 'summary' },
  decisions: {
    into: 'content',
    fields: { reason: 'Reason', rationale: 'Reason', why: 'Reason', because: 'Reason', alternatives: 'Alternatives' },
  },
  risks: { into: 'description', fields: { mitigation: 'Mitigation', reason: 'Reason', likelihood: 'Likelihood' } },
  tried: { into: 'what', besides: { outcome: 'not said' } },
  results: { into: 'description', besides: { status: 'completed' } },
  references: { into: 'identifier', besides: { type: 'link' } },
};

/** Words for a choice, in lower case with underscores. */
export const enumSynonyms: Readonly<Record<string, string>> = {
  critical: 'high',
  major: 'high',
  severe: 'high',
  moderate: 'medium',
  normal: 'medium',
  minor: 'low',
  done: 'completed',
  complete: 'completed',
  success: 'completed',
  successful: 'completed',
  finished: 'completed',
  failure: 'failed',
  error: 'failed',
  in_progress: 'partial',
  incomplete: 'partial',
  partially_completed: 'partial',
};

/** Words for an action, in lower case with hyphens. */
export const actionSynonyms: Readonly<Record<string, string>> = {
  ack: 'acknowledge',
  accept: 'acknowledge',
  show: 'get',
  read: 'get',
  history: 'log',
  events: 'log',
  progress: 'report',
  question: 'ask',
  extend: 'renew',
  heartbeat: 'renew',
  cancel: 'withdraw',
};
