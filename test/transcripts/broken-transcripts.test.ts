import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { HandoffError, ParseError } from '../../packages/batonpass/src/core/errors.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { readLines, type TranscriptLine } from '../../packages/batonpass/src/transcripts/transcript-lines.ts';
import type { TranscriptSource } from '../../packages/batonpass/src/transcripts/transcript-source.ts';
import { openChunks } from '../../packages/batonpass/src/transcripts/transcript-source.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, userRow } from './rows.ts';

const example = new URL('../../examples/sessions/claude-code-rate-limit.jsonl', import.meta.url);
const brainstorm = new URL('../../examples/sessions/brainstorm.json', import.meta.url);
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-transcripts-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function failure(source: TranscriptSource): Promise<HandoffError> {
  const error = await readTranscript(source).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error instanceof HandoffError) return error;
  throw new Error(`Expected a typed error, not ${String(error)}.`);
}

/** `count` positions, spread over the length. */
const positions = (length: number, count: number) =>
  Array.from({ length: count }, (_, index) => Math.floor((index * length) / count));

describe('broken transcripts', () => {
  verifies(
    ['TRANSCRIPT.lenient'],
    'cut anywhere, a transcript gives what comes before the cut and counts the torn line',
    async () => {
      const bytes = await readFile(example);
      const whole = await readTranscript({ path: example.pathname });
      expect(whole.unread).toEqual({ lines: 0, reasons: {} });
      let most = 0;
      for (const position of positions(bytes.byteLength, 500)) {
        const path = join(folder, 'cut.jsonl');
        await writeFile(path, bytes.subarray(0, position));
        const cut = await readTranscript({ path }).catch((error: unknown) => error);
        if (cut instanceof Error) {
          expect(cut).toBeInstanceOf(ParseError);
          expect(most, `nothing at ${position}, though less held messages`).toBe(0);
          continue;
        }
        const { messages, unread } = cut as typeof whole;
        most = Math.max(most, messages.length);
        expect(unread.lines).toBeLessThanOrEqual(1);
        expect(unread.lines).toBe(Object.values(unread.reasons).reduce((sum, count) => sum + count, 0));
        for (const message of messages.slice(0, -1)) expect(message.text).toBe(whole.messages[message.index]?.text);
      }
      expect(most).toBeGreaterThanOrEqual(whole.messages.length - 1);
    },
  );

  verifies(['TRANSCRIPT.lenient'], 'with bytes overwritten, it never throws anything but a typed error', async () => {
    const bytes = await readFile(example);
    for (const position of positions(bytes.byteLength, 100)) {
      const path = join(folder, 'damaged.jsonl');
      const damaged = Buffer.from(bytes);
      damaged.fill(position % 2 === 0 ? 0xff : 0x7b, position, position + 40);
      await writeFile(path, damaged);
      const { unread } = await readTranscript({ path });
      expect(unread.lines).toBeLessThanOrEqual(2);
    }
  });

  verifies(
    ['TRANSCRIPT.lenient'],
    'unknown rows, broken lines and a torn last line are counted by reason',
    async () => {
      const rows = [
        userRow('Hello.'),
        '{"type":"user", broken',
        JSON.stringify({ type: 'hologram', sessionId: 's' }),
        '',
        '[1]',
        assistantRow([textBlock('Hello to you.')]),
        '{"type":"assi',
      ];
      const { messages, unread } = await readTranscript({ text: rows.join('\n'), name: 'x' });
      expect(messages).toHaveLength(2);
      expect(unread).toEqual({
        lines: 4,
        reasons: {
          'line is not JSON': 1,
          'unknown row type "hologram"': 1,
          'not a row of a transcript': 1,
          'last line is torn': 1,
        },
      });
    },
  );

  verifies(['TRANSCRIPT.lenient'], 'a line above the limit is named, but never held', async () => {
    const chunks = ['short\r\n', 'x'.repeat(50), 'x'.repeat(50), '\nlast'].map((text) =>
      new TextEncoder().encode(text),
    );
    const lines: TranscriptLine[] = [];
    for await (const line of readLines(chunks, 64)) lines.push(line);
    expect(lines).toEqual([
      { number: 1, text: 'short', ended: true, end: 7 },
      { number: 2, ended: true, end: 108 },
      { number: 3, text: 'last', ended: false, end: 112 },
    ]);
  });

  verifies(['TRANSCRIPT.errors'], 'what is absent, a folder, binary or empty is refused by its kind', async () => {
    const binary = join(folder, 'binary.jsonl');
    await writeFile(binary, Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 10]));
    expect((await failure({ path: join(folder, 'absent.jsonl') })).code).toBe('file_not_found');
    // One that goes away while it is read.
    await expect(openChunks({ path: join(folder, 'absent.jsonl') }).next()).rejects.toMatchObject({
      code: 'file_not_found',
    });
    expect((await failure({ path: folder })).code).toBe('invalid_input');
    expect(await failure({ path: binary })).toMatchObject({ code: 'invalid_input', details: { name: binary } });
    const diary = join(folder, 'diary.txt');
    await writeFile(diary, 'Dear diary,\n');
    expect(await failure({ path: diary })).toMatchObject({ code: 'parse_error', details: { source: diary } });
    for (const text of ['', '\n\n', 'Dear diary,\n', '{"a":1}\n', '[]', '{"messages":[]}', '3']) {
      const error = await failure({ text, name: 'notes.txt' });
      expect(error, text).toBeInstanceOf(ParseError);
      expect(error.details.line).toBeGreaterThanOrEqual(1);
      expect(error.message).toMatch(text === '' ? /notes\.txt is empty\./ : /notes\.txt holds no message/);
      expect(error.alternatives.join(' ')).toMatch(/Claude Code.*"messages"/);
      expect(Math.max(...error.alternatives.map(({ length }) => length))).toBeLessThan(200);
      // A person is shown no line: none is at fault.
      if (!['', '[]', '{"messages":[]}'].includes(text)) continue;
      expect(error).toMatchObject({ line: undefined });
    }
  });

  verifies(['TRANSCRIPT.errors'], 'messages JSON that breaks off is refused with the line', async () => {
    const text = await readFile(brainstorm, 'utf8');
    const error = await failure({ text: text.slice(0, text.length / 2), name: 'brainstorm.json' });
    expect(error).toBeInstanceOf(ParseError);
    expect(error.message).toContain('brainstorm.json');
    expect(error.details.line).toBeGreaterThan(3);
    for (const position of positions(text.length, 200)) await failure({ text: text.slice(0, position), name: 'cut' });
  });
});
