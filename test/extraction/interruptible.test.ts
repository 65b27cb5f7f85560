import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

const source = pathToFileURL(`${import.meta.dirname}/../../packages/batonpass/src/extraction/`);

/** A program in which a module's work never ends; it is stopped as soon as the work has begun. */
async function stopped(program: string): Promise<{ code: unknown; printed: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.once('data', () => child.kill('SIGINT'));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { printed: await text(child.stdout), code: await ended };
}

const endless = `
  import { writeSync } from 'node:fs';
  const { interruptible } = await import('${source}interruptible.ts');
  const work = () => { writeSync(1, 'busy '); for (;;); };
`;

verifies(['CLI.interrupt'], 'Ctrl-C ends work that lets no event in, and is heard by the process', async () => {
  const heard = `${endless} process.once('SIGINT', () => { process.exitCode = 130; });
    try { interruptible(work); } catch (error) { writeSync(1, error.name); }`;
  expect(await stopped(heard)).toEqual({ code: 130, printed: 'busy AbortError' });
  expect(await stopped(`${endless} interruptible(work);`)).toMatchObject({ code: 'SIGINT' });
});

verifies(['CLI.interrupt'], 'the reading of a long conversation ends at its next part', async () => {
  const row = JSON.stringify({ type: 'user', message: { role: 'user', content: 'x'.repeat(1_000) } });
  const conversation = { text: `${row}\n`.repeat(2_000), name: 'session.jsonl' };
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  await expect(readTranscript(conversation, {}, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect((await readTranscript(conversation)).messages).toHaveLength(2_000);
});
