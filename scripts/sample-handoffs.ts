import type { ContentInput } from '../packages/batonpass/src/core/content.ts';

/** What the agents of the sample project have handed over, and how long ago. */
export interface HandedOver {
  content: ContentInput;
  /** Its text an hour earlier, before it was rewritten. */
  former?: ContentInput;
  hours_ago: number;
}

/** Files that the project has; others that are named in it are missing on purpose. */
export const sources: readonly string[] = [
  'src/sessions.ts',
  'src/server.ts',
  'src/keys.ts',
  'src/rate-limit/middleware.ts',
  'src/rate-limit/token-bucket.ts',
  'src/notes/note-store.ts',
  'src/notes/sync.ts',
  'test/sessions.test.ts',
  'db/schema.sql',
];

/** Received and over, each the child of the one before. */
export const done: readonly HandedOver[] = [
  {
    hours_ago: 76,
    content: {
      title: 'One place opens the database',
      summary: 'Four modules opened it by themselves; now one does, and the others are given it.',
      decisions: ['Open the database in src/server.ts only'],
      files: ['src/server.ts'],
      task_id: 'database',
      source_agent: 'claude-code',
    },
  },
  {
    hours_ago: 52,
    content: {
      title: 'Keys are read at the start',
      summary: 'A missing key stops the server at once, not at the first request.',
      decisions: ['Read every key before listening', 'Name the missing key, never its value'],
      files: ['src/keys.ts', 'src/server.ts'],
      task_id: 'keys',
      source_agent: 'codex',
    },
  },
];

/** Ran out of attempts. */
export const failing: HandedOver = {
  hours_ago: 30,
  content: {
    title: 'Send the weekly report by mail',
    summary: 'The report is made; what is left is to send it.',
    decisions: ['Send it on Mondays at six'],
    risks: [{ description: 'The mail server is behind a proxy', severity: 'high' }],
    task_id: 'report',
    source_agent: 'codex',
  },
};

/** What was planned. */
export const planned: HandedOver = {
  hours_ago: 27,
  content: {
    title: 'Notes that work without a network',
    summary: 'People lose text where there is no coverage. Notes are written on the phone first, and sent later.',
    decisions: ['Write every note to the phone first', 'Show a conflict and keep both versions', 'Photos come later'],
    files: [
      { path: 'src/notes/note-store.ts', relevance: 'high', context: 'becomes the only place that writes' },
      { path: 'src/notes/sync.ts', relevance: 'high', context: 'sends changes later' },
    ],
    risks: [{ description: 'Two phones edit the same note', severity: 'high' }],
    target_agent: 'plan-agent',
    task_id: 'notes',
    source_agent: 'claude-code',
    origin: { host: 'claude-code', session: 'offline-notes' },
  },
};

/** Handed over meanwhile: the first is worked on, the second waits for an answer, the others are open. */
export const open: readonly HandedOver[] = [
  {
    hours_ago: 5,
    content: {
      title: 'Sessions survive a restart',
      summary: 'Sessions lie in SQLite; the store is opened once for each process.',
      decisions: ['Keep sessions in SQLite', 'Renew the cookie at each login'],
      files: ['src/sessions.ts', 'test/sessions.test.ts'],
      risks: [{ description: 'Two processes may write at once', severity: 'medium' }],
      next_steps: ['Measure the login under load'],
      task_id: 'sessions',
      source_agent: 'codex',
    },
  },
  {
    hours_ago: 3,
    content: {
      title: 'The upload test fails one time in fifty',
      summary: 'It waits for a file before its folder is there.',
      kind: 'findings',
      decisions: ['Wait for the folder, not for a time'],
      files: ['test/upload.test.ts'],
      task_id: 'upload',
      source_agent: 'gemini-cli',
      target_agent: 'night-shift',
    },
  },
  {
    hours_ago: 2,
    former: {
      title: 'Search finds words with accents',
      summary: 'Words lose their accents in the index and wherever they are shown.',
      decisions: ['Fold accents everywhere', 'Rebuild the index in the background'],
      files: ['src/search/index.ts'],
      risks: [{ description: 'The rebuild takes an hour on the large store', severity: 'high' }],
      task_id: 'search',
      source_agent: 'codex',
    },
    content: {
      title: 'Search finds words with accents',
      summary: 'The index folds them; the words that are shown stay as they were written.',
      decisions: ['Fold accents in the index only', 'Rebuild the index in the background'],
      files: ['src/search/index.ts', 'src/search/fold.ts'],
      risks: [{ description: 'The rebuild takes an hour on the large store', severity: 'medium' }],
      task_id: 'search',
      source_agent: 'codex',
    },
  },
  {
    hours_ago: 1,
    content: {
      title: 'Review: the new error page leaks a path',
      summary: 'It prints the folder of the server.',
      kind: 'findings',
      decisions: ['Show the number of the request alone'],
      files: ['src/server.ts'],
      risks: [{ description: 'The old page is cached for a day', severity: 'low' }],
      task_id: 'errors',
      source_agent: 'gemini-cli',
      target_agent: 'codex',
    },
  },
  {
    hours_ago: 0.7,
    content: {
      title: 'Move the tide tables to a service of their own',
      summary: 'They change once a year and are read a million times a day.',
      decisions: ['Serve the tables as files', 'Keep the former address for a year'],
      files: ['src/server.ts'],
      risks: [{ description: 'Old clients cache the address', severity: 'medium' }],
      target_agent: 'plan-agent',
      task_id: 'tables',
      source_agent: 'claude-code',
    },
  },
  {
    hours_ago: 0.3,
    content: {
      title: 'Which status tells a client to slow down',
      summary: 'The limiter answers 429 with Retry-After.',
      decisions: ['Answer 429', 'Send Retry-After in seconds'],
      files: ['src/rate-limit/middleware.ts'],
      task_id: 'rate-limit',
      source_agent: 'claude-code',
    },
  },
];
