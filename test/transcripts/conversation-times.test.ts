import { expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, userRow } from './rows.ts';

const time = (minute: number) => `2026-09-14T08:0${minute}:00.000Z`;

async function timesOf(...rows: string[]) {
  const text = rows.map((each) => `${each}\n`).join('');
  const { started_at, ended_at } = await readTranscript({ text, name: 'session.jsonl' });
  return { started_at, ended_at };
}

verifies(
  ['READ.order'],
  'a session of Claude Code lasts from its earliest to its latest time, in any order',
  async () => {
    const first = userRow('Go on.', { uuid: 'a', timestamp: time(2) });
    const second = assistantRow('Done.', { uuid: 'b', parent: 'a', timestamp: time(5) });
    const third = userRow('Thanks.', { uuid: 'c', parent: 'b', timestamp: time(3) });
    const fourth = assistantRow('Bye.', { uuid: 'd', parent: 'c', timestamp: time(1) });
    expect(await timesOf(first, second, third, fourth)).toEqual({ started_at: time(1), ended_at: time(5) });
  },
);

verifies(['READ.codex'], 'a rollout of Codex lasts from its first message to its last one', async () => {
  const message = (role: string, type: string, minute: number) =>
    JSON.stringify({
      timestamp: time(minute),
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type, text: `Said in minute ${minute}.` }] },
    });
  const meta = JSON.stringify({ timestamp: time(0), type: 'session_meta', payload: { id: 's', cwd: '/code' } });
  expect(
    await timesOf(
      meta,
      message('user', 'input_text', 2),
      message('assistant', 'output_text', 4),
      message('user', 'input_text', 6),
    ),
  ).toEqual({ started_at: time(2), ended_at: time(6) });
});
