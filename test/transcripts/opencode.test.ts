import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { continueTranscript } from '../../packages/batonpass/src/transcripts/continue-transcript.ts';
import { findOpenCodeSessions } from '../../packages/batonpass/src/transcripts/find-opencode-sessions.ts';
import { findInjectionProof } from '../../packages/batonpass/src/transcripts/injection-proof.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { sampleContent } from '../formats/sample-content.ts';
import { type StoredRow, storeRows } from '../hosts/opencode-database.ts';
import { verifies } from '../verifies.ts';

let folder = '';
let database = '';
const session = 'ses_0a1b';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-opencode-'));
  database = join(folder, 'opencode/opencode.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const message = (role: string, parts: readonly object[], more: object = {}): StoredRow => {
  count += 1;
  const number = String(count).padStart(4, '0');
  return {
    info: { id: `msg_${number}`, role, sessionID: session, time: { created: 1_795_575_030_000 + count }, ...more },
    parts: parts.map((part, index) => ({ ...part, id: `prt_${number}${index}` })),
  };
};
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const tool = (name: string, input: object, state: object = {}) => ({
  type: 'tool',
  tool: name,
  callID: `call_${name}`,
  state: { status: 'completed', input, output: '', metadata: {}, ...state },
});
const facts: StoredRow = { info: { id: session, directory: '/code/tide' } };
const path = () => join(database, session);
const readStored = async (rows: readonly StoredRow[], more: { revert?: string } = {}) => {
  storeRows(database, session, [facts, ...rows], more);
  return readTranscript({ path: path() });
};

describe('sessions of OpenCode', () => {
  verifies(['READ.opencode'], 'are read out of its database: words, files, commands and tasks', async () => {
    const worked = await readStored([
      message('user', [text('Go.'), text('Added.', { synthetic: true })]),
      message('assistant', [
        { type: 'step-start' },
        tool('write', { filePath: '/code/tide/a.ts', content: '' }),
        tool('bash', { command: 'npm test' }, { output: '1 failed', metadata: { exit: 1 } }),
        tool('todowrite', { todos: [{ content: 'Cache them', status: 'in_progress', priority: 'high' }] }),
        tool('task', { prompt: 'Look at the tables.', command: 'Go.' }),
        text('Done.'),
      ]),
      message('assistant', [text('A summary.')], { summary: true }),
    ]);
    expect(worked).toMatchObject({ host: 'opencode', session, cwd: '/code/tide', unread: { lines: 0 } });
    expect(worked.messages.map(({ role, text: said }) => [role, said])).toEqual([
      ['user', 'Go.'],
      ['assistant', ''],
      ['assistant', 'Done.'],
    ]);
    expect(worked.messages.flatMap(({ tool_calls }) => tool_calls)).toMatchObject([
      { effect: 'write', path: 'a.ts' },
      { command: 'npm test', outcome: { is_error: true, exit_code: 1, text: '1 failed' } },
      { todos: { items: [{ text: 'Cache them', state: 'doing' }] } },
      { name: 'task', effect: 'none' },
    ]);
    expect(worked.messages.flatMap(({ tool_calls }) => tool_calls).at(-1)).not.toHaveProperty('command');
  });

  verifies(['READ.opencode'], 'are read without what the person has undone', async () => {
    const [first, undone] = [message('user', [text('Go.')]), message('user', [text('No.')])];
    const revert = JSON.stringify({ messageID: undone.info.id });
    expect((await readStored([first, undone], { revert })).messages.map(({ text: said }) => said)).toEqual(['Go.']);
  });

  verifies(['READ.opencode'], 'are read from what `opencode export` writes', async () => {
    const rows = [message('user', [text('Go.')]), message('assistant', [text('Done.')])];
    const document = JSON.stringify({ info: facts.info, messages: rows }, null, 2);
    const exported = await readTranscript({ text: document, name: 'export.json' });
    expect(exported).toMatchObject({ host: 'opencode', session, messages: [{ text: 'Go.' }, { text: 'Done.' }] });
  });

  verifies(
    ['READ.opencode'],
    'are found where their folder is the project’s, and those of helpers are not',
    async () => {
      storeRows(database, session, [facts, message('user', [text('Added.', { synthetic: true }), text('Go.')])]);
      storeRows(database, 'ses_other', [{ info: { directory: '/code/other' } }]);
      storeRows(database, 'ses_helper', [{ info: { directory: '/code/tide', parentID: session } }]);
      const found = await findOpenCodeSessions(folder, ['/code/tide']);
      expect(found).toMatchObject([{ path: path(), host: 'opencode', session, title: 'Go.', cwd: '/code/tide' }]);
    },
  );

  verifies(
    ['READ.opencode', 'GROW.errors'],
    'that do not exist are reported, and nothing is created for them',
    async () => {
      await expect(readTranscript({ path: path() })).rejects.toMatchObject({ code: 'file_not_found' });
      expect(existsSync(database)).toBe(false);
      storeRows(database, 'ses_other', [{ info: { directory: '/code/other' } }]);
      await expect(continueTranscript(path(), undefined)).rejects.toMatchObject({ code: 'file_not_found' });
      writeFileSync(join(folder, 'opencode.db'), 'no database');
      await expect(readTranscript({ path: join(folder, 'opencode.db', session) })).rejects.toMatchObject({
        code: 'file_not_found',
      });
    },
  );
});

describe('a handoff in a prompt of OpenCode', () => {
  const handoff_id = '01J8Z3K4M5N6P7Q8R9S0T1V2W3';
  const rendered = renderContent(sampleContent(), 2_000);
  const given = `${rendered.text}<handoff-situation>\nHandoff ${handoff_id}, rendered ${rendered.sha256}.\n</handoff-situation>\n`;
  const prove = () =>
    findInjectionProof({ path: path(), from_byte: 0 }, { handoff_id, rendered_sha256: rendered.sha256 });

  verifies(['PROOF.opencode'], 'is proved by the part that was added to it, and by no words of anybody', async () => {
    storeRows(database, session, [facts, message('user', [text(given)]), message('assistant', [text(given)])]);
    expect(await prove()).toBeNull();
    storeRows(database, session, [message('user', [text('Go on.'), text(given, { synthetic: true })])]);
    expect(await prove()).toMatchObject({ row_kind: 'synthetic', rendered_sha256: rendered.sha256 });
  });
});
