import { appendFile, mkdtemp, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Conversation } from '../../packages/batonpass/src/core/conversation.ts';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import {
  continueTranscript,
  type TranscriptProgress,
} from '../../packages/batonpass/src/transcripts/continue-transcript.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, toolResult, toolUse, userRow } from './rows.ts';

const example = new URL('../../examples/sessions/claude-code-rate-limit.jsonl', import.meta.url);
let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-continue-'));
  path = join(folder, 'session.jsonl');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Built at run time, so that no scanner finds a secret in this file. */
const token = `gh${'p_'}${'a1B2c3D4e5'.repeat(4)}`;
const keyBody = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
const keyHead = `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${keyBody}`;
const keyTail = `${keyBody.split('').reverse().join('')}\n-----END RSA PRIVATE ${'KEY'}-----`;
/** What must not be kept; the end of a key without its beginning is no known secret, and has its own test. */
const parts = [token.slice(0, 24), token.slice(-16), keyHead.slice(0, 30)];

/** The conversation, or that there is none: what both readings must agree on. */
const outcome = (reading: Promise<Conversation>) =>
  reading.then(
    (conversation) => ({ conversation }),
    (error: unknown) => {
      if (!isHandoffError(error)) throw error;
      return 'no conversation';
    },
  );

/** One step: what a process would load, read and store. */
async function step(stored: string | undefined): Promise<{ outcome: unknown; stored: string | undefined }> {
  const earlier = stored === undefined ? undefined : (JSON.parse(stored) as TranscriptProgress);
  let next: string | undefined;
  const reading = continueTranscript(path, earlier).then(({ conversation, progress }) => {
    next = progress === undefined ? undefined : JSON.stringify(progress);
    return conversation;
  });
  return { outcome: await outcome(reading), stored: next };
}

/** Grows the file at these places and compares at each of them. */
async function growAndCompare(bytes: Buffer, cuts: readonly number[]): Promise<string | undefined> {
  await writeFile(path, '');
  let stored: string | undefined;
  let from = 0;
  for (const cut of [...new Set([...cuts, bytes.byteLength])].sort((a, b) => a - b)) {
    await appendFile(path, bytes.subarray(from, cut));
    from = cut;
    const continued = await step(stored);
    expect(continued.outcome, `at byte ${cut}`).toStrictEqual(await outcome(readTranscript({ path })));
    for (const part of parts) expect(continued.stored ?? '').not.toContain(part);
    stored = continued.stored ?? stored;
  }
  return stored;
}

const texts = fc.constantFrom(
  'Use SQLite.',
  'Zürich 🌊 東京',
  `The token is ${token}`,
  `Here: ${keyHead}`,
  `${keyTail}\nThat was the key.`,
  keyBody,
  `DB_PASSWORD=${token.slice(5, 25)}`,
  '',
);
const ids = fc.constantFrom('a1', 'a2', 'a3');
const place = fc.record({
  uuid: fc.constantFrom('u1', 'u2', 'u3', 'u4', undefined),
  parent: fc.constantFrom('u1', 'u2', 'u3', null),
});

const titleRow = JSON.stringify({ type: 'summary', summary: 'Tides', leafUuid: 'x' });

const lines = fc.oneof(
  fc.tuple(texts, place).map(([text, fields]) => userRow(text, fields)),
  fc.tuple(texts, ids, place).map(([text, id, fields]) => assistantRow([textBlock(text)], { ...fields, id })),
  fc
    .tuple(texts, ids, place)
    .map(([text, id, fields]) =>
      assistantRow([toolUse(`t${id}`, 'Bash', { command: `run ${text}` })], { ...fields, id }),
    ),
  fc
    .tuple(texts, ids, place, fc.constantFrom(0, 470, 490))
    .map(([text, id, fields, filler]) => userRow(toolResult(`t${id}`, `${'x '.repeat(filler / 2)}${text}`), fields)),
  fc.tuple(texts, ids).map(([text, id]) => assistantRow([textBlock(text)], { id, isSidechain: true })),
  texts.map((text) => userRow(text, { cwd: '/elsewhere', gitBranch: 'other', sessionId: 's2' })),
  fc.constantFrom(
    '',
    '{"type":"user", broken',
    '[1]',
    JSON.stringify({ type: 'hologram', sessionId: 's' }),
    titleRow,
    JSON.stringify({ type: 'attachment', uuid: 'u3', parentUuid: 'u1', attachment: { type: 'hook_success' } }),
  ),
);
const transcripts = fc
  .array(fc.tuple(lines, fc.constantFrom('\n', '\n', '\r\n')), { minLength: 1, maxLength: 25 })
  // A first row that is one, since the first line decides the format.
  .map((rows) => Buffer.from(`${titleRow}\n${rows.map(([row, end]) => row + end).join('')}`));
const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

describe('a transcript that grows', () => {
  verifies(['GROW.equal'], 'cut at every place, the example gives the same read on as read whole', async () => {
    const bytes = await readFile(example);
    const stored = await growAndCompare(
      bytes,
      Array.from({ length: 120 }, (_, index) => Math.floor(((index + 1) * bytes.byteLength) / 121)),
    );
    expect(JSON.parse(stored ?? '').offset).toBe(bytes.byteLength);
  });

  verifies(['GROW.equal', 'GROW.masked'], 'any transcript, grown in any steps, gives the same', async () => {
    await fc.assert(
      fc.asyncProperty(transcripts, fractions, async (bytes, cuts) => {
        await growAndCompare(
          bytes,
          cuts.map((cut) => Math.floor(cut * bytes.byteLength)),
        );
        const whole = await readTranscript({ path }).catch(() => undefined);
        if (whole === undefined) return;
        // Masking the merged messages finds nothing that masking row by row had missed.
        for (const { text } of whole.messages) expect(maskSecrets(text).text).toBe(text);
        for (const part of parts) expect(JSON.stringify(whole)).not.toContain(part);
      }),
      { numRuns: 300 },
    );
  });

  verifies(['GROW.masked'], 'a private key over the rows of one answer is masked and counted once', async () => {
    const rows = [
      userRow('Show it.'),
      assistantRow([textBlock(`It is ${keyHead}`)], { id: 'm1' }),
      assistantRow([toolUse('t1', 'Bash', { command: 'ls' })], { id: 'm1' }),
      assistantRow([textBlock(keyBody)], { id: 'm1' }),
      assistantRow([textBlock(`${keyTail}\nDone.`)], { id: 'm1' }),
      assistantRow([textBlock(keyBody)], { id: 'm2' }),
    ].map((row) => `${row}\n`);
    let stored: string | undefined;
    let last: { conversation?: Conversation } = {};
    for (const row of rows) {
      await appendFile(path, row);
      const result = await step(stored);
      stored = result.stored;
      last = result.outcome as typeof last;
      if (row !== rows.at(-1)) expect(stored).not.toContain(keyBody.slice(0, 16));
    }
    expect(last.conversation?.masked).toEqual({ 'private-key': 1 });
    expect(last.conversation?.messages[1]?.text).toBe('It is [masked:private-key]\n\nDone.');
    // Outside a key, a line of base64 is no secret.
    expect(last.conversation?.messages[2]?.text).toBe(keyBody);
  });

  verifies(['GROW.masked'], 'a secret where an outcome is cut is masked before', async () => {
    const text = `${'x '.repeat(245)}${token}`;
    await writeFile(
      path,
      [
        userRow('Go.'),
        assistantRow([toolUse('t1', 'Bash', { command: 'a' })]),
        userRow(toolResult('t1', text)),
        '',
      ].join('\n'),
    );
    const { stored, outcome: read } = await step(undefined);
    expect(stored).not.toContain(token.slice(0, 8));
    expect((read as { conversation: Conversation }).conversation.masked).toEqual({ 'github-token': 1 });
  });

  verifies(['GROW.masked'], 'where a branch or an unknown type is a secret, nothing is kept', async () => {
    await writeFile(path, `${userRow('Go.', { gitBranch: token })}\n`);
    expect((await continueTranscript(path, undefined)).progress).toBeUndefined();
    await writeFile(path, `${userRow('Go.')}\n${JSON.stringify({ type: token.slice(0, 40), sessionId: 's' })}\n`);
    expect((await continueTranscript(path, undefined)).progress).toBeUndefined();
  });

  verifies(['GROW.new-bytes'], 'what was read before is not read again', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => `${userRow(`Step ${index}.`)}\n`).join('');
    await writeFile(path, filler);
    const { progress } = await continueTranscript(path, undefined);
    // Between the samples the file now holds what no reader could read.
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(filler.length - 8_192, 0x7b), 0, filler.length - 8_192, 4_096);
    await file.close();
    await appendFile(path, `${userRow('The last one.')}\n`);
    const { conversation } = await continueTranscript(path, progress);
    expect(conversation.messages).toHaveLength(61);
    expect(conversation.messages.at(-1)?.text).toBe('The last one.');
    expect(conversation.unread.lines).toBe(0);
  });

  verifies(['GROW.replaced'], 'a file replaced, shortened or rewritten is read from its start', async () => {
    const rows = (said: string) => Array.from({ length: 40 }, (_, index) => `${userRow(`${said} ${index}.`)}\n`);
    const changes: Record<string, () => Promise<void>> = {
      shortened: () => truncate(path, rows('One').slice(0, 10).join('').length),
      'shortened and grown': async () => {
        await truncate(path, rows('One').slice(0, 30).join('').length);
        await appendFile(path, rows('Six').join(''));
      },
      'written anew in place': () => writeFile(path, rows('Two').join('') + rows('Two').join('')),
      'a row taken out': async () => {
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.split('\n').toSpliced(20, 1).join('\n') + rows('New').join(''));
      },
      replaced: async () => {
        await writeFile(`${path}.new`, (await readFile(path, 'utf8')).replace('One 20.', 'Two 20.'));
        await rename(`${path}.new`, path);
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      await writeFile(path, rows('One').join(''));
      const { progress } = await continueTranscript(path, undefined);
      await change();
      const { conversation } = await continueTranscript(path, progress);
      expect(conversation, name).toStrictEqual(await readTranscript({ path }));
    }
  });

  verifies(['GROW.replaced'], 'a last row without its line feed, removed again, leaves nothing behind', async () => {
    const rows = `${userRow('Go.')}\n${assistantRow([toolUse('t1', 'Bash', { command: 'ls' })])}\n`;
    await writeFile(path, rows + userRow(toolResult('t1', 'Exit code 2', true)));
    const { conversation, progress } = await continueTranscript(path, undefined);
    expect(conversation.messages[1]?.tool_calls[0]?.outcome?.exit_code).toBe(2);
    await truncate(path, Buffer.byteLength(rows));
    expect((await continueTranscript(path, progress)).conversation).toStrictEqual(await readTranscript({ path }));
  });

  verifies(['GROW.replaced'], 'progress of another version of Baton is set aside', async () => {
    await writeFile(path, `${userRow('Go.')}\n`);
    const other = { version: 1_000, offset: 3 } as unknown as TranscriptProgress;
    const { conversation } = await continueTranscript(path, other);
    expect(conversation).toStrictEqual(await readTranscript({ path }));
  });

  verifies(['GROW.bounded'], 'beyond the bound nothing is kept and each reading is whole', async () => {
    const large = 'word '.repeat(limits.transcript_progress_characters_max / 10);
    await writeFile(path, `${userRow(large)}\n`);
    const { progress } = await continueTranscript(path, undefined);
    expect(progress?.row_characters).toBeGreaterThan(limits.transcript_progress_characters_max / 2);
    await appendFile(path, `${userRow(large)}\n`);
    const second = await continueTranscript(path, progress);
    expect(second.progress).toBeUndefined();
    expect(second.conversation).toStrictEqual(await readTranscript({ path }));
  });

  verifies(
    ['GROW.errors'],
    'another format is read whole; a folder, a binary and an absent file are refused by their kind',
    async () => {
      const code = (file: string) => continueTranscript(file, undefined).catch(({ code }) => code);
      const messages = new URL('../../examples/sessions/brainstorm.json', import.meta.url).pathname;
      await writeFile(path, Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 10]));
      const whole = await continueTranscript(messages, undefined);
      expect(whole).toStrictEqual({ conversation: await readTranscript({ path: messages }), progress: undefined });
      expect(await code(folder)).toBe('invalid_input');
      expect(await code(path)).toBe('invalid_input');
      expect(await code(join(folder, 'absent.jsonl'))).toBe('file_not_found');
      await writeFile(path, 'Dear diary,\n');
      expect(await code(path)).toBe('parse_error');
    },
  );
});
