import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { HostCommandEnd } from '../../packages/batonpass/src/workspace/hosts/host-command.ts';
import { Allowance, type WantedCall } from '../../packages/batonpass/src/written/allowance.ts';
import { readClaudeCodeReply, readCodexReply } from '../../packages/batonpass/src/written/read-reply.ts';
import { verifies } from '../verifies.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-allowance-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const noon = Date.parse('2026-11-24T12:00:00Z');
const allowance = (now_ms = noon) => new Allowance({ XDG_STATE_HOME: folder }, now_ms);
const call = (key: string, input_tokens?: number): WantedCall => ({ host: 'claude-code', key, input_tokens });

verifies(['ASKING.allowance'], 'a session is asked once, also on another day', () => {
  allowance().begin(call('one'));
  expect(allowance().refusal(call('one'))).toEqual({ why: 'The session was asked already.', is_limit: false });
  expect(allowance(noon + 86_400_000).refusal(call('one'))?.why).toBe('The session was asked already.');
  expect(allowance().refusal(call('two'))).toBeUndefined();
});

verifies(['ASKING.allowance'], 'so many calls are made a day, and costs add up', () => {
  for (let count = 0; count < limits.written_calls_a_day; count += 1) {
    expect(allowance().refusal(call(`${count}`))).toBeUndefined();
    allowance().begin(call(`${count}`));
    allowance().succeed({ input_tokens: 100, output_tokens: 5 });
  }
  expect(allowance().refusal(call('more'))).toEqual({ why: '20 sessions were asked today.', is_limit: true });
  expect(allowance().read()).toMatchObject({ calls: 20, input_tokens: 2_000, output_tokens: 100 });
  const tomorrow = allowance(noon + 86_400_000);
  expect(tomorrow.refusal(call('more'))).toBeUndefined();
  expect(tomorrow.read().calls).toBe(0);
});

verifies(['ASKING.allowance'], 'a session of too many tokens is not asked by itself', () => {
  const why = 'The session has some 200001 tokens.';
  expect(allowance().refusal(call('long', limits.written_input_tokens_max + 1))).toEqual({ why, is_limit: true });
  expect(allowance().refusal(call('long', limits.written_input_tokens_max))).toBeUndefined();
});

verifies(['ASKING.rest'], 'one host rests for an hour, the other does not', () => {
  allowance().fail('claude-code', 'usage limit reached', true);
  expect(allowance(noon + limits.written_rest_ms - 1).refusal(call('one'))?.why).toMatch(/left alone until/);
  expect(allowance(noon + limits.written_rest_ms).refusal(call('one'))).toBeUndefined();
  expect(allowance().refusal({ ...call('one'), host: 'codex' })).toBeUndefined();
  allowance().fail('codex', 'a crash', false);
  expect(allowance().refusal({ ...call('one'), host: 'codex' })).toBeUndefined();
  expect(allowance().read().problem).toMatchObject({ host: 'codex', reason: 'a crash' });
});

const end = (stdout: string, more: Partial<HostCommandEnd> = {}): HostCommandEnd => ({
  exit_code: 0,
  stdout,
  stderr: '',
  took_ms: 5,
  timed_out: false,
  ...more,
});

/** What hosts print that gives no answer. */
const failures: Record<string, [ReturnType<typeof readCodexReply>, 'unavailable' | 'failed']> = {
  'Claude Code logged out': [
    readClaudeCodeReply(end('{"is_error":true,"result":"Invalid API key · Please run /login"}', { exit_code: 1 })),
    'unavailable',
  ],
  'Claude Code rate limited': [
    readClaudeCodeReply(end('{"is_error":true,"result":"Claude usage limit reached, resets 5pm"}', { exit_code: 1 })),
    'unavailable',
  ],
  'Claude Code without the session': [
    readClaudeCodeReply(end('', { exit_code: 1, stderr: 'No conversation found with session ID: x' })),
    'failed',
  ],
  'Claude Code that does not start': [
    readClaudeCodeReply(end('', { exit_code: null, start_failure: 'EACCES' })),
    'failed',
  ],
  'Claude Code that prints no object': [readClaudeCodeReply(end('null')), 'failed'],
  'Codex rate limited': [
    readCodexReply(
      end('{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}', {
        exit_code: 1,
      }),
    ),
    'unavailable',
  ],
  'Codex that says nothing': [readCodexReply(end('not JSON\n[1]\nnull\n7\n')), 'failed'],
};

describe.each(Object.entries(failures))('%s', (_name, [reply, kind]) => {
  verifies(['ASKING.reply'], 'is a reason, and no answer', () => {
    expect(reply).toMatchObject({ kind, problem: expect.stringMatching(/\S/) });
    expect(reply).not.toHaveProperty('text');
  });
});

verifies(['ASKING.reply'], 'an answer is read with what it cost', () => {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 400, output_tokens: 9 };
  const printed = { is_error: false, structured_output: { items: [] }, usage, modelUsage: { 'a-model': {} } };
  expect(readClaudeCodeReply(end(JSON.stringify(printed)))).toEqual({
    text: '{"items":[]}',
    model: 'a-model',
    input_tokens: 423,
    output_tokens: 9,
  });
  const events = ['{"type":"thread.started"}', '{"type":"item.completed","item":{"type":"agent_message","text":"{}"}}'];
  expect(readCodexReply(end(events.join('\n')))).toEqual({ text: '{}' });
});
