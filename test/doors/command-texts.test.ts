import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Command, Given } from '../../packages/batonpass/src/doors/cli/command.ts';
import { loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import { formatBytes } from '../../packages/batonpass/src/doors/cli/present/bytes.ts';
import { nextForNew, nextForOffered } from '../../packages/batonpass/src/doors/cli/present/next-steps.ts';
import { afterPlanning } from '../../packages/batonpass/src/doors/cli/present/planning.ts';
import type { View } from '../../packages/batonpass/src/doors/cli/present/view.ts';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import type { OperationName, OperationOutput } from '../../packages/batonpass/src/operations/catalogue.ts';
import { verifies } from '../verifies.ts';

const now = '2026-11-20T12:00:00.000Z';
const id = '01KJNRZ8SE4PCS1RYBN0RW5VSR';

function viewOf(options: View['options'] = {}, width = 200): View {
  return { width, now_ms: Date.parse(now), style: (_format, text) => text, options };
}

const commands = new Map((await loadCommands()).map((command) => [command.name, command]));

function commandOf(name: string): Command {
  const command = commands.get(name);
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  return command;
}

/** What a command prints for an answer: its two texts, and its exit code 0 or 1. */
function told(named: string | Command, answer: object, options?: View['options']) {
  const command = typeof named === 'string' ? commandOf(named) : named;
  const output = answer as OperationOutput<OperationName>;
  const view = viewOf(options);
  const texts = [command.present(output, view), command.remark?.(output, view)];
  // Nothing is counted that is not there.
  expect(texts.join('\n')).not.toMatch(/[+-]0\b|\b0 (?:more|problem|warning|without|open for|held by)/);
  return [...texts, command.isNo?.(output) === true ? 1 : 0];
}

/** The words of a command line as its command gets them. */
function given(words: Partial<Given>): Given {
  return { arguments: [], options: {}, readStandardInput: async () => '', ...words };
}

verifies(['CLI.next-steps', 'CLI.exit-codes'], 'a copied store is reported with what is left to do', () => {
  const sides = { from: { handoffs: 1, sha256: 'a' }, to: { handoffs: 1, sha256: 'a' } };
  const counts = { added: 1, updated: 0, unchanged: 0, ahead: 0 };
  const whole = { from: 'sqlite:a', to: 'sqlite:b', ...counts, verified: sides, differing: [], differences: 0 };
  expect(told('store copy', { ...whole, complete: true })).toEqual([
    'sqlite:a → sqlite:b\n1 added, 0 updated, 0 unchanged\n✓ Both hold the same 1 handoff: sha256 a',
    '',
    0,
  ]);
  const again = '→ Run the same command again: it continues where this one ended.';
  expect(told('store copy', { ...whole, complete: false }).slice(1)).toEqual([again, 1]);
  const part = {
    ...whole,
    complete: true,
    ahead: 2,
    verified: { ...sides, to: { handoffs: 3, sha256: 'b' } },
    differing: [{ id, how: 'conflict' }],
    differences: 2,
  };
  const [answer, remark, code] = told('store copy', part);
  expect(answer).toContain(', 2 newer there\n1 there, 3 of them here; not all identical\n');
  expect(answer).toMatch(/diverged: changed in both stores.*\n {2}… and 1 more$/);
  expect(remark).toBe(`→ Compare: baton log ${id} --store sqlite:a, and --store sqlite:b`);
  expect(code).toBe(1);
  for (const how of ['changing', 'missing']) {
    expect(told('store copy', { ...part, differing: [{ id, how }] })[1]).toBe(again);
  }
  const unfit = { ...part, differing: [{ id, how: 'unfit' }] };
  expect(told('store copy', unfit)[1]).toBe('→ See what is damaged: baton store check --store sqlite:a');
  expect(told('store copy', { ...unfit, from: 'handoffs:my records' })[1]).toBe(
    "→ See what is damaged: baton file store check 'my records'",
  );
  expect(told('store copy', { ...unfit, to: 'handoffs:r' })[1]).toBe('');
});

verifies(['CLI.next-steps', 'CLI.exit-codes'], 'a pruning reports what it did, what stays, and how to continue', () => {
  const none = { dry_run: false, due: {}, archived: 0, archive: '/a.db', until: now, kept: 0, kept_handoffs: [] };
  const done = { ...none, complete: true };
  expect(told('store prune', done)).toEqual([`Nothing is old enough: none entered its state before ${now}.`, '', 0]);
  const due = { acknowledged: 2, expired: 1 };
  expect(told('store prune', { ...done, due, dry_run: true })).toEqual([
    '3 handoffs would be archived: 2 acknowledged, 1 expired',
    '',
    0,
  ]);
  const size = { bytes: 4096, free_bytes: 2048 };
  const kept = { kept: 2, kept_handoffs: [{ id, reason: 'somebody holds it' }] };
  expect(told('store prune', { ...none, due, archived: 1, size, ...kept, complete: false })).toEqual([
    `1 handoff archived: /a.db\n! ${id} stays: somebody holds it\n  … and 1 more`,
    [
      '! Stopped before the end; run it again to continue.',
      '→ See them: baton list --store sqlite:/a.db',
      '2.0 KiB of 4.0 KiB are free for new handoffs; to return them to the disk: baton store prune --vacuum',
    ].join('\n'),
    1,
  ]);
  expect(told('store prune', { ...done, due, archived: 1, ...kept, kept: 1 })[0]).toMatch(/somebody holds it$/);
  expect(told('store prune', { ...done, due, archived: 3 })[1]).toBe(
    '→ See them: baton list, with that URL in --store',
  );
  expect(() => commandOf('store prune').toInput(given({ options: { state: ['open,dead'] } }))).toThrow('not "open"');
  expect(commandOf('store prune').toInput(given({ options: { state: ['dead, expired'] } }))).toMatchObject({
    state: ['dead', 'expired'],
  });
});

verifies(['CLI.next-steps', 'CLI.exit-codes'], 'a checked store is reported as whole, damaged or older', () => {
  const sound = { store: 'sqlite:/s.db', handoffs: 1, states: { open: 1 }, findings: [], problems: 0, complete: true };
  const report = { ...sound, dropped: { lines: 0, handoffs: 0 } };
  expect(told('store check', report)).toEqual(['sqlite:/s.db\n1 handoff: 1 open\n✓ Nothing is wrong.', '', 0]);
  const size = { bytes: 2048, log_bytes: 0, free_bytes: 1024 };
  const oldest_open = { id, created_at: '2026-11-20T10:00:00.000Z' };
  const detailed = told('store check', { ...report, schema: { version: 3, known: 3 }, size, oldest_open })[0];
  expect(detailed).toContain('schema 3 · 2.0 KiB · log 0 B · 1.0 KiB free inside');
  expect(detailed).toMatch(/Oldest open: \w+, 2 h$/m);
  expect(told('store check', { ...report, complete: false }).slice(1)).toEqual(['! Stopped before the end.', 1]);
  const older = told('store check', { ...report, complete: false, schema: { version: 2, known: 3 } });
  expect(older[1]).toMatch(/^! Its schema version 2 is older than this Baton’s 3: only the file was checked/);
  expect(older[2]).toBe(0);
  expect(told('store check', { ...report, complete: false, schema: { version: 3, known: 3 } })[1]).not.toContain(
    'older',
  );
  const dropped = told('store check', { ...report, dropped: { lines: 1, handoffs: 2 } })[1];
  expect(dropped).toMatch(/^1 line of history is of 2 handoffs that are gone/);
  const damaged = { ...report, findings: [{ id, rule: 'content', what: 'its hash differs' }], problems: 2 };
  expect(told('store check', damaged)).toEqual([
    `sqlite:/s.db\n1 handoff: 1 open\n✗ ${id}: its hash differs\n  … and 1 more`,
    `2 problems. Make a copy first: baton store backup\n→ See what happened: baton log ${id}\n→ Restore a backup, which keeps a copy of what is there: baton store restore FILE`,
    1,
  ]);
  const broken = told('store check', { ...damaged, findings: [{ rule: 'file', what: 'not a database' }], problems: 1 });
  expect(broken[0]).toContain('✗ The file: not a database');
  expect(broken[1]).toContain('1 problem. Make a copy first: copy /s.db, and /s.db-wal if it exists');
});

verifies(['CLI.next-steps'], 'a restored, copied or migrated store says how to go back', () => {
  const backup = { handoffs: 2, states: { open: 2 } };
  const plan = { store: 'sqlite:/s.db', file: '/b.db', backup, faults: 0, restored: false, schema: 4, told_again: 0 };
  expect(told('store restore', plan).slice(0, 2)).toEqual([
    'sqlite:/s.db holds nothing that this Baton can read\n/b.db holds 2 handoffs: 2 open',
    'The backup is intact; its schema version is 4.',
  ]);
  expect(told('store restore', { ...plan, present: { handoffs: 0, states: {} } })[0]).toContain('holds 0 handoffs\n');
  const done = { ...plan, restored: true, undo: '/u.db', faults: 1, told_again: 1 };
  const leases = 'Leases are those of the backup: a handoff whose lease expired meanwhile is open again.';
  const [answer, remark = ''] = told('store restore', done);
  expect(answer).toBe('sqlite:/s.db holds 2 handoffs: 2 open\nThe previous contents: /u.db');
  expect(String(remark).split('\n')).toEqual([
    '! 1 fault in the backup: see them afterwards with baton store check',
    '1 line of history are sent again to all subscribers.',
    leases,
    '→ Undo it: baton store restore /u.db',
  ]);
  const [kept, after] = told('store restore', { ...done, undo_is_damaged: true });
  expect(kept).toContain('The damaged previous contents: /u.db');
  expect(after).not.toContain('Undo it');
  for (const word of ['yes', 'dryRun']) {
    expect(commandOf('store restore').confirm?.isWanted(given({ options: { [word]: true } }))).toBe(false);
  }
  expect(commandOf('store restore').confirm?.isWanted(given({}))).toBe(true);
  const rehearsed = commandOf('store restore').confirm?.rehearse({ file: 'f' });
  expect(rehearsed).toEqual({ file: 'f', dry_run: true });
  expect(told('store migrate', { store: 's', from: 3, to: 4, migrated: true, backup: '/b' })[0]).toBe(
    's went from schema version 3 to 4.\nAs it was before: /b',
  );
  expect(told('store migrate', { store: 's', to: 4, migrated: false })[0]).toBe('s is up to date: schema version 4.');
  expect(told('store backup', { file: '/b.db', bytes: 1, handoffs: 1, lines: 2, sha256: 'a' })[0]).toContain(
    '1 handoff, 2 lines of history, 1 B',
  );
});

verifies(['CLI.next-steps'], 'sizes are printed in a human unit', () => {
  const sizes = [1023, 1024, 10_188, 10_190, 1_023_487, 1_023_488, 1_572_864, 2 ** 50];
  expect(sizes.map(formatBytes)).toEqual([
    '1023 B',
    '1.0 KiB',
    '9.9 KiB',
    '10 KiB',
    '999 KiB',
    '1.0 MiB',
    '1.5 MiB',
    '1024 TiB',
  ]);
});

verifies(['CLI.next-steps', 'CLI.exit-codes'], 'compared files are counted, and what could not be compared too', () => {
  const file = (verdict: string) => ({ path: `src/${verdict}.ts`, verdict });
  const answer = (files: object[], is_partial = false) => {
    const drifted = files.some((each) => 'verdict' in each && each.verdict === 'missing') ? 1 : 0;
    return { handoffs: [{ id, title: 'Login', files }], drifted, is_partial };
  };
  expect(told('check', { handoffs: [], drifted: 0, is_partial: false })).toEqual([
    '',
    'Nothing is open here. Check one that is not open: baton check ID',
    0,
  ]);
  expect(told('check', answer([]))).toEqual(['', 'No files are named.', 0]);
  expect(told('check', answer([file('unchanged')])).slice(1)).toEqual(['0 of 1 file changed.', 0]);
  const [shown, remark, code] = told('check', answer([file('unchanged'), file('missing'), file('no-git')], true));
  expect(String(shown).indexOf('missing.ts')).toBeLessThan(String(shown).indexOf('unchanged.ts'));
  expect([remark, code]).toEqual([
    '1 of 3 files changed.\n1 file could not be compared.\nWhat changed may differ from what the handoff says about it.\nMore handoffs are open: baton list --state open',
    1,
  ]);
});

verifies(
  ['CLI.next-steps', 'CLI.exit-codes'],
  'checked files and records are reported with the position of each finding',
  () => {
    const good = { documents: 2, handoff_files: 1, findings: [], repairs: [] };
    expect(told('file check', good)).toEqual(['✓ Nothing is wrong: 1 handoff file in 2 documents.', '', 0]);
    const findings = [{ path: '/x/a.md', line: 3, column: 5, what: 'no end' }];
    expect(told('file check', { ...good, findings })).toEqual([
      expect.stringMatching(/a\.md:3:5: no end$/),
      '1 finding in 2 documents.',
      1,
    ]);
    expect(told('file check', { ...good, findings: [{ path: '/x/a.md', what: 'gone' }] })[0]).toMatch(/a\.md: gone$/);
    const records = { folder: 'my records', repaired: false, records: 1, acknowledged: 0, findings: [] };
    expect(told('file store check', records)).toEqual(['✓ Nothing is wrong: 1 record, 0 acknowledged.', '', 0]);
    expect(told('file store check', { ...records, repaired: true })[0]).toContain('The index is rebuilt');
    const bad = { ...records, findings: [{ path: 'index.jsonl', line: 2, what: 'no JSON' }] };
    expect(told('file store check', bad)).toEqual([
      'index.jsonl:2: no JSON',
      "→ 1 finding. To rebuild the index: baton file store check 'my records' --repair",
      1,
    ]);
    expect(told('file store check', { ...bad, repaired: true })[1]).toContain(
      '1 finding left that rebuilding the index does not fix',
    );
    const empty = { folder: 'records', handoffs: [], warnings: [] };
    expect(told('file store list', empty)).toEqual(['', 'There is no such handoff in records.', 1]);
    expect(told('file store list', { ...empty, warnings: ['line 2 is no JSON'] })[1]).toBe(
      '! line 2 is no JSON\nThere is no such handoff in records.\n→ Check the whole folder: baton file store check records',
    );
    const listed = { type: 'plan', version: '001', problem: 'no version' };
    expect(told('file list', { folder: '/f', files: [] })).toEqual(['', 'There is no handoff file in /f.', 1]);
    const [rows, remark, code] = told('file list', { folder: '/f', files: [listed] });
    expect(rows).toMatch(/^plan 001.*! no version$/);
    expect([remark, code]).toEqual(['→ See why 1 file cannot be read: baton file check /f', 0]);
    expect(told('file read', { frontmatter: { a: 'b', n: 1 }, body: 'text', repairs: ['a tab'] }).slice(0, 2)).toEqual([
      'a: b\nn: 1\n\ntext',
      '! Repaired: a tab',
    ]);
    expect(told('file read', { body: 'text' })[0]).toBe('text');
  },
);

verifies(['CLI.next-steps'], 'what was read of a conversation, and what a model left out, is counted', () => {
  const reading = { messages: 1, unread_lines: 0, unread_reasons: {}, masked: {} };
  expect(told('read', { messages: [], reading })[1]).toBe('Read 1 message.');
  const all = { ...reading, conversations: 3, unread_lines: 2, unread_reasons: { broken: 2 }, masked: { token: 1 } };
  expect(told('read', { messages: [], reading: all })[1]).toBe(
    'Read 1 message.\nThis is 1 of 3 conversations in the file, see --conversation.\nNot read: 2 lines (2 broken).\nSecrets masked: 1 × token.',
  );
  const said = { role: 'assistant', text: '', tools: [{ name: 'bash', command: 'ls' }, { name: 'think' }] };
  expect(told('read', { messages: [said], reading })[0]).toBe('assistant\nbash ls\nthink');
  const model = { model: 'm', requests: 1, input_tokens: 1200, output_tokens: 3 };
  const dropped = { invented_quotes: 0, refused_paths: 0, unproven_reversals: 0 };
  const { content } = completeContent({ title: 'T', summary: 'S' }, { source_agent: 'ana' });
  const remark = (extraction: object) => String(told('extract', { content, reading, extraction })[1]);
  expect(remark({ extractor: 'rules' })).not.toMatch(/Asked|Extracted/);
  const plain = remark({ extractor: 'model', model: { ...model, dropped } });
  expect(plain).toContain('Extracted by m: 1 request, 1,200 tokens in, 3 out.');
  expect(plain).not.toContain('Left out');
  const left = { invented_quotes: 1, refused_paths: 2, unproven_reversals: 1 };
  const cost = { amount: 0.5, currency: 'EUR' };
  const full = remark({
    extractor: 'rules',
    note: 'No answer.',
    model: { ...model, cost, dropped: left, unread_tokens: 9 },
  });
  expect(full).toContain('Asked m: 1 request, 1,200 tokens in, 3 out, 0.5000 EUR.');
  expect(full).toContain(
    'Left out of its answer: 1 item with an invented quote, 2 paths out of the project, 1 reversal without proof.',
  );
  expect(full).toMatch(/No answer\.[\s\S]*some 9 tokens fewer/);
});

verifies(
  ['CLI.next-steps', 'CLI.exit-codes'],
  'settings are trusted by a person who saw them, and by no other caller',
  () => {
    const none = { file: null, values: [], values_sha256: null, trusted: false, kept_in: '/t' };
    expect(told('trust', none)).toEqual(['This repository has no settings.', '', 0]);
    const brought = { ...none, file: 'baton.config.json', values: [{ name: 'a', value: 1 }], values_sha256: 'v' };
    const [answer, remark, code] = told('trust', brought);
    expect(answer).toBe('baton.config.json is not trusted: it can only restrict.\n  a  1');
    expect(remark).toContain('! Nothing is trusted: a person decides');
    expect(code).toBe(1);
    const [state, after, end] = told('trust', { ...brought, trusted: true }, { confirmed: true });
    expect([state, end]).toEqual(['baton.config.json is trusted: its values take effect.', 0]);
    expect(after).toBe('→ This holds until a value changes. To revoke it, remove /t');
    const agree = (plan: object) => commandOf('trust').confirm?.agree({}, plan as OperationOutput<'project.trust'>);
    expect([agree(none), agree({ ...brought, trusted: true }), agree(brought)]).toEqual([
      null,
      null,
      { values_sha256: 'v' },
    ]);
  },
);

verifies(['CLI.next-steps'], 'the words of a writing command are added to its text', async () => {
  const readStandardInput = async () => JSON.stringify({ summary: 'S', decisions: ['a'] });
  const input = await commandOf('create').toInput(
    given({ arguments: ['-'], options: { decision: ['b'], next: ['c'] }, readStandardInput }),
  );
  expect(input).toMatchObject({ content: { summary: 'S', decisions: ['a', 'b'], next_steps: ['c'] } });
  await expect(async () => commandOf('create').toInput(given({}))).rejects.toThrow();
  expect(await commandOf('edit').toInput(given({ arguments: ['7QX4'], options: { risk: ['r'] } }))).toEqual({
    id: '7QX4',
    changes: { add: { risks: ['r'] } },
  });
});

verifies(['CLI.next-steps', 'CLI.exit-codes'], 'empty lists, faultless plans and steps say what to do next', () => {
  const page = { handoffs: [], unscoped_left_out: 0 };
  expect(told('list', page)[1]).toBe('No handoff matches. See all: baton list --all-projects');
  expect(told('list', page, { allProjects: true })[1]).toContain('baton create --summary');
  expect(told('list', { ...page, unscoped_left_out: 2 })[1]).toContain('2 without a scope left out');
  const since = commandOf('list').options?.find(({ flags }) => flags.startsWith('--since'))?.parse;
  expect(since?.('2026-11-20')).toBe('2026-11-20T00:00:00.000Z');
  expect(Math.abs(Date.parse(String(since?.('2h'))) - (Date.now() - 7_200_000))).toBeLessThan(60_000);
  expect(() => since?.('2026-99-99')).toThrow('"2026-99-99" is not a date.');
  expect(told('token list', { tokens: [] })).toEqual(['', 'There is no token. Create one: baton token create NAME', 1]);
  const token = { id: 'T1', name: 'codex', role: 'agent', project: 'p', expires_at: now, is_expired: false };
  const expired = { ...token, is_expired: true, last_used_at: now };
  const [valid_line, expired_line] = String(told('token list', { tokens: [token, expired] })[0]).split('\n');
  expect(valid_line).toMatch(/^T1 .*until 2026-11-20 12:00 +never used$/);
  expect(expired_line).toMatch(/ expired +used 2026-11-20 12:00$/);
  expect(told('count', { counts: { open: 2 }, partial: ['dead'] })[0]).toMatch(
    /^0 +draft\n2 +open\n[\s\S]*at least 0 +dead/,
  );
  expect(told(commandOf('plan runs').instead?.(given({})) as Command, { runs: [], cursor: 'c' })).toEqual([
    'Nobody has started to plan anything.',
    'There are more: baton plan runs --cursor c',
    0,
  ]);
  const outline = { name: 'login', title: 'Login', phases: [] };
  expect(told('plan outline', outline)).toEqual(['Login', '', 0]);
  expect(told('plan outline', { ...outline, cursor: 'c' })[1]).toBe('More tasks: baton plan outline login --cursor c');
  const valid = { outcome: 'valid', validation_errors: [], validation_warnings: [] };
  expect(told('plan validate-config', valid)[0]).toBe('✓ valid');
  const errors = { ...valid, outcome: 'invalid', validation_errors: [{ code: 'missing', message: 'No phase.' }] };
  expect(told('plan validate-config', errors)[0]).toBe('✗ missing  No phase.');
  const progress = {
    plan_status: { current_phase: 'Phase 2', current_task: 'task-3' },
    phase_status: { phase: 'Phase 1', tasks_completed: 2, tasks_total: 4, completion_percentage: 50 },
  };
  const counted = 'Phase 1: 2 of 4 tasks (50%)';
  expect(told('plan done', progress)[0]).toBe(`${counted}\nNext: Phase 2 · task-3`);
  const next = { next_action: 'Go on', next_focus: 'Tests' };
  expect(told('plan done', { ...progress, ...next })[0]).toBe(`${counted}\nGo on. Tests\nNext: Phase 2 · task-3`);
});

verifies(['CLI.next-steps'], 'a handoff that was planned or released is continued by the right command', () => {
  const handoff = (state: string, more: object = {}): Handoff => {
    const delivery = { state, attempts: 3, available_at: '2026-11-20T11:00:00.000Z', ...more };
    return { id, content: {}, delivery } as unknown as Handoff;
  };
  const open = 'Any receiver takes it with: baton claim';
  expect(afterPlanning({ next: handoff('open'), former_directory: 'old' }, viewOf())).toEqual([
    'The previous plan is in old',
    open,
  ]);
  expect(afterPlanning({ next: handoff('draft') }, viewOf())).toEqual([
    expect.stringMatching(/^Review it: baton review \w+$/),
  ]);
  expect(afterPlanning({}, viewOf())).toEqual([]);
  expect(nextForOffered(handoff('open'), viewOf())).toBe(open);
  const later = handoff('open', { available_at: '2026-11-20T13:00:00.000Z' });
  expect(nextForOffered(later, viewOf())).toMatch(/^From .* on: Any receiver/);
  expect(nextForOffered(handoff('dead'), viewOf())).toMatch(/^Given up at attempt 3\. Why: baton log .*baton reopen/);
  expect(nextForNew(handoff('open'), viewOf())).toMatch(/ · withdraw it: baton withdraw \w+$/);
  expect(nextForNew(handoff('draft'), viewOf({}, 40)).split('\n')).toHaveLength(3);
});

verifies(['CLI.status'], 'a status counts what it does not show, and proposes one step for each kind', () => {
  const counts = { open: 0, held_by_you: 0, waiting: 0, drafts: 0, dead: 0 };
  const empty = { open: [], held_by_you: [], waiting: [], drafts: [], dead: [], counts, is_partial: false };
  const place = { root: '/code/tide', project: '1f0a2b3c4d5e', actor: { type: 'person', name: 'ana' } };
  const nothing = { ...empty, ...place, open_for_others: 0, held_by_others: 0 };
  expect(told('status', nothing)[0]).toMatch(/Nothing is open here\. Next\n.*baton sessions/);
  const elsewhere = { ...nothing, open_for_others: 2, held_by_others: 1, is_partial: true };
  expect(told('status', elsewhere)[0]).toContain('at least 2 open for others · at least 1 held by others');
  const waiting = {
    id,
    created_at: now,
    content: { title: 'T', summary: 'S' },
    delivery: { state: 'waiting', attempts: 1, waiting_on: { asked_by: 'codex', question: 'Which one?' } },
  };
  const asked = { ...nothing, waiting: [waiting], counts: { ...counts, waiting: 3 } };
  const shown = String(told('status', asked)[0]);
  expect(shown).toContain('codex asks: Which one?');
  expect(shown).toContain('  … and 2 more: baton list --state waiting');
  expect(shown).toMatch(/baton answer \w+ "…"/);
  const all = String(told('status', { ...elsewhere, waiting: [waiting], counts: { ...counts, waiting: 1 } })[0]);
  expect(all).not.toMatch(/more|Nothing is open/);
  for (const others of [{ open_for_others: 1 }, { held_by_others: 1 }])
    expect(told('status', { ...nothing, ...others })[0]).toMatch(/\b1 (?:open for|held by) others/);
  const own = String(told('status', { ...asked, actor: { type: 'agent', name: 'codex' } })[0]);
  expect(own).toContain('look whether your question was answered');
  expect(own).not.toContain('baton answer');
});

verifies(
  ['CLI.next-steps', 'CLI.exit-codes'],
  'a diagnosis is summed up by what is wrong, and fails for a problem alone',
  () => {
    const diagnosis = { findings: [], problems: 0, warnings: 0 };
    const tally = (problems: number, warnings: number) => {
      const [answer, remark, code] = told('doctor', { ...diagnosis, problems, warnings });
      return [[answer, remark].filter((text) => text !== '' && text !== undefined).join(''), code];
    };
    expect(tally(0, 0)).toEqual(['0 checks: all is well.', 0]);
    expect(tally(0, 2)).toEqual(['0 checks: 2 warnings.', 0]);
    expect(tally(1, 0)).toEqual(['0 checks: 1 problem.', 1]);
    expect(tally(1, 1)).toEqual(['0 checks: 1 problem and 1 warning.', 1]);
    const none = { handoff: null, context: null, unscoped_left_out: 0 };
    expect(told('claim', none)[1]).toBe('Nothing is open for you here. Wait for one: baton claim --wait');
    expect(told('claim', { ...none, unscoped_left_out: 2 })[1]).toContain(' 2 without a scope left out;');
  },
);
