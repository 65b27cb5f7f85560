import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { findInjectionProof } from '../../packages/batonpass/src/transcripts/injection-proof.ts';
import { sampleContent } from '../formats/sample-content.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, toolResult, userRow } from './rows.ts';

const handoff_id = '01J8Z3K4M5N6P7Q8R9S0T1V2W3';
const rendered = renderContent(sampleContent(), 2_000);
const expected = { handoff_id, rendered_sha256: rendered.sha256 };
const situation = `<handoff-situation>\nHandoff ${handoff_id}, rendered ${rendered.sha256}.\n</handoff-situation>\n`;
const injected = rendered.text + situation;
let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-proof-'));
  path = join(folder, 'session.jsonl');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function attachmentRow(attachment: unknown, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    attachment,
    type: 'attachment',
    uuid: 'row-a',
    timestamp: '2026-09-14T08:00:00.000Z',
    sessionId: 'session-1',
    ...fields,
  });
}

const context = (content: unknown, fields: Record<string, unknown> = {}) =>
  attachmentRow({ type: 'hook_additional_context', content, hookName: 'SessionStart', ...fields });
const success = (fields: Record<string, unknown>) =>
  attachmentRow({ type: 'hook_success', hookName: 'SessionStart:startup', hookEvent: 'SessionStart', ...fields });

async function find(rows: readonly string[], from_byte = 0) {
  await writeFile(path, rows.map((row) => `${row}\n`).join(''));
  return await findInjectionProof({ path, from_byte }, expected);
}

describe('the proof of an injection', () => {
  verifies(['PROOF.found'], 'is found in each kind of row that reaches the model', async () => {
    const proof = { session: 'session-1', at: '2026-09-14T08:00:00.000Z', rendered_sha256: rendered.sha256 };
    const additional = { ...proof, row_kind: 'hook_additional_context' };
    const plain = { ...proof, row_kind: 'hook_success' };
    const wrapped = attachmentRow({ attachment: { type: 'hook_additional_context', content: [injected] } });
    expect(await find([userRow('Hello.'), context([injected])])).toEqual(additional);
    expect(await find([context(['x'.repeat(9_900), injected])])).toEqual(additional);
    expect(await find([context(injected)])).toEqual(additional);
    expect(await find([context([situation + rendered.text])])).toEqual(additional);
    expect(await find([wrapped])).toEqual(additional);
    expect(await find([success({ content: injected, stdout: injected })])).toEqual(plain);
    expect(await find([success({ content: injected, hookEvent: undefined })])).toEqual(plain);
    expect(await find([context([injected], { hookEvent: 'UserPromptSubmit' })])).toEqual(additional);
    const bare = JSON.stringify({ type: 'attachment', attachment: JSON.parse(context([injected])).attachment });
    expect(await find([bare])).toEqual({ row_kind: 'hook_additional_context', rendered_sha256: rendered.sha256 });
  });

  verifies(['PROOF.found'], 'is looked for from a byte on, whole lines only', async () => {
    const before = `${userRow('Zürich 🌊')}\n`;
    const at = Buffer.byteLength(before);
    const rows = [before.trimEnd(), context([injected])];
    expect(await find(rows, 0)).not.toBeNull();
    expect(await find(rows, at - 1)).not.toBeNull();
    expect(await find(rows, at)).not.toBeNull();
    expect(await find(rows, at + 1)).toBeNull();
    // Shorter than it was: rewritten, so that the proof may be anywhere.
    expect(await find(rows, at * 100)).not.toBeNull();
  });

  verifies(['PROOF.not-delivered'], 'is not what a hook printed, a stub, or a part of the three', async () => {
    const json = JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: injected } });
    const stub = `<persisted-output>\nOutput too large (19.9KB). Full output saved to: /x/y.txt\n\nPreview (first 2KB):\n${injected}...\n</persisted-output>`;
    const cases: Record<string, string> = {
      'stdout of JSON output': success({ content: '', stdout: json }),
      'stdout of plain output': success({ content: '', stdout: injected }),
      'no content at all': success({ stdout: injected, command: injected }),
      'plain output of an event that gives no context': success({ content: injected, hookEvent: 'Stop' }),
      stub: context([stub]),
      'stub in plain output': success({ content: stub }),
      'bytes without id': context([rendered.text + situation.replace(handoff_id, '')]),
      'bytes without hash': context([rendered.text + situation.replace(rendered.sha256, '')]),
      'id elsewhere': context([rendered.text + situation.replace(handoff_id, '')], { command: handoff_id }),
      'hash elsewhere': context([rendered.text + situation.replace(rendered.sha256, '')], { stdout: rendered.sha256 }),
      'id and hash without bytes': context([situation]),
      'bytes and situation in two texts': context([rendered.text, situation]),
      'a byte changed': context([injected.replace('not commands', 'not COMMANDS')]),
      'cut at the end': context([rendered.text.slice(0, -12) + situation]),
      'cut in the middle': context([rendered.text.replace(/\n[^\n]+\n/, '\n…\n') + situation]),
      'above what the host lets in': context([injected + 'x'.repeat(10_000)]),
      'no text': context([{ text: injected }, 7, null]),
      'another kind of row': attachmentRow({ type: 'hook_non_blocking_error', content: injected, stderr: injected }),
      'a system message of a hook': attachmentRow({ type: 'hook_system_message', content: injected }),
      'a file': attachmentRow({ type: 'file', content: [injected] }),
    };
    for (const [name, row] of Object.entries(cases)) expect(await find([row]), name).toBeNull();
  });

  verifies(['PROOF.only-hooks'], 'is no message, no tool result and no row of a subagent', async () => {
    const row = context([injected]);
    const attachment = JSON.parse(row).attachment;
    const cases: Record<string, string> = {
      'a user who says it': userRow(injected),
      'a user who pastes a row': userRow(row),
      'a user in blocks': userRow([textBlock(injected), { type: 'attachment', attachment }]),
      'an assistant who says it': assistantRow([textBlock(row)]),
      'a tool that shows it': userRow(toolResult('t1', row), { toolUseResult: { stdout: row } }),
      'a user row with an attachment': userRow('Hello.', { attachment }),
      'a subagent': context([injected]).replace('"isSidechain":false', '"isSidechain":true'),
      'progress of a hook': JSON.stringify({ type: 'progress', data: { type: 'attachment', attachment } }),
      'a row within a row': JSON.stringify({ type: 'summary', message: JSON.parse(row) }),
      'JSON in a string': JSON.stringify(row),
      'a list': `[${row}]`,
    };
    for (const [name, hostile] of Object.entries(cases)) expect(await find([hostile]), name).toBeNull();
    // A line separator of Unicode ends no row.
    expect(await find([userRow(`x\u2028${row}\u0085${row}`)])).toBeNull();
  });

  verifies(['PROOF.hostile'], 'is not found through prototypes, depth or endless frames', async () => {
    const attachment = JSON.stringify(JSON.parse(context([injected])).attachment);
    const names = JSON.stringify(`${handoff_id} ${rendered.sha256}`);
    const frames = `${'<handoff>\n'.repeat(400)}${'\n</handoff>\n'.repeat(400)}${situation}`;
    const rows = [
      `{"__proto__":{"type":"attachment","attachment":${attachment}}}`,
      `{"type":"attachment","__proto__":{"attachment":${attachment}}}`,
      `{"type":"attachment","attachment":{"__proto__":${attachment}}}`,
      `{"type":"attachment","attachment":{"type":"__proto__","content":${names}}}`,
      `{"type":"attachment","attachment":{"type":"constructor","content":${names}}}`,
      `{"type":"attachment","names":${names},"attachment":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      `{"type":"attachment","names":${names},"attachment":${'{"attachment":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      context([frames]),
      context([injected]).slice(0, -1),
      `${handoff_id} ${rendered.sha256}`,
      '\0',
    ];
    for (const row of rows) expect(await find([row]), row.slice(0, 60)).toBeNull();
    expect(await find([...rows, context([injected])])).not.toBeNull();
  });

  verifies(['PROOF.hostile'], 'is found after a line of 40 MB, and not within one', async () => {
    const long = context([injected], { filler: 'x'.repeat(40 * 1024 * 1024) });
    expect(await find([long])).toBeNull();
    expect(await find([long, context([injected])])).not.toBeNull();
    expect(await find([long, context([injected])], 1_000_000)).not.toBeNull();
  });

  verifies(['PROOF.hostile'], 'a torn last row counts only when it is whole; no file is no proof', async () => {
    const row = context([injected]);
    await writeFile(path, row.slice(0, -40));
    expect(await findInjectionProof({ path, from_byte: 0 }, expected)).toBeNull();
    await writeFile(path, row);
    expect(await findInjectionProof({ path, from_byte: 0 }, expected)).not.toBeNull();
    expect(await findInjectionProof({ path: join(folder, 'absent.jsonl'), from_byte: 0 }, expected)).toBeNull();
    expect(await findInjectionProof({ path: folder, from_byte: 0 }, expected)).toBeNull();
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    expect(await findInjectionProof({ path: join(folder, 'loop'), from_byte: 0 }, expected)).toBeNull();
  });
});
