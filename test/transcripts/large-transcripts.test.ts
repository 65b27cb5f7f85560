import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { type LargeFormat, writeLargeTranscript } from './large-transcripts.ts';

const worker = join(import.meta.dirname, 'read-worker.ts');
const formats: LargeFormat[] = ['claude-code', 'codex', 'markdown', 'aider', 'messages', 'chatgpt'];

/** The long form is `npm run soak -- transcripts`: 200 MB, the size that the bound is stated for. */
const megabytes = Number(process.env.BATON_TRANSCRIPT_MB ?? 40);

/** 300 MB for 200 MB; what Node itself takes, and what is kept of each megabyte. */
const peakMax = 200 + megabytes / 2;

describe('large transcripts', () => {
  for (const format of formats) {
    verifies(['READ.bounded'], `of ${format} are read within bounded memory`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'baton-large-'));
      try {
        const path = join(folder, 'transcript');
        writeLargeTranscript(path, format, megabytes * 1_000_000);
        const { stdout } = await promisify(execFile)(process.execPath, [worker, path]);
        const { messages, unread, peak_mb } = JSON.parse(stdout) as Record<string, number>;
        expect(unread).toBe(0);
        expect(messages).toBeGreaterThan(format === 'chatgpt' ? 1 : 100);
        expect(peak_mb).toBeLessThan(peakMax);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
