import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { runAsHost } from '../../packages/batonpass/src/workspace/hosts/host-command.ts';
import { verifies } from '../verifies.ts';
import { HookStage } from './hook-stage.ts';

/** Hosts whose rows follow their documents: what is written for them, and what their hooks answer. */

let stage: HookStage;

beforeEach(() => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-by-documents-'))));
  for (const folder of ['.cursor', '.vscode']) mkdirSync(join(stage.project, folder));
  stage.commit();
});

afterEach(() => stage.remove());

const read = (path: string) => JSON.parse(readFileSync(join(stage.project, path), 'utf8'));
const init = (input: object = {}) => stage.run((baton) => baton.run('project.init', input));

verifies(['INIT.by-documents'], 'Cursor and VS Code are registered in their own forms, and undone', async () => {
  const former = '{"servers":{"docs":{"type":"stdio","command":"docs"}}}';
  writeFileSync(join(stage.project, '.vscode/mcp.json'), former);
  await init();
  expect(read('.cursor/hooks.json')).toMatchObject({
    version: 1,
    hooks: { sessionStart: [{ command: 'baton hook sessionStart --host cursor', timeout: 10 }], stop: [{}] },
  });
  expect(read('.cursor/mcp.json')).toEqual({ mcpServers: { baton: { command: 'baton', args: ['mcp'] } } });
  expect(read('.vscode/mcp.json').servers).toEqual({
    docs: { type: 'stdio', command: 'docs' },
    baton: { type: 'stdio', command: 'baton', args: ['mcp'] },
  });
  expect((await init()).files.every(({ action }) => action === 'none')).toBe(true);
  await init({ undo: true });
  expect(readFileSync(join(stage.project, '.vscode/mcp.json'), 'utf8')).toBe(former);
  expect(() => read('.cursor/hooks.json')).toThrow('ENOENT');
});

verifies(
  ['HOOK.told'],
  'a session of Cursor is notified of a handoff, which stays open until the session claims it',
  async () => {
    await init();
    const id = await stage.handOver();
    const payload = {
      conversation_id: 'c1',
      hook_event_name: 'sessionStart',
      workspace_roots: [stage.project],
      transcript_path: null,
    };
    const environment = { ...stage.environment, CURSOR_PROJECT_DIR: stage.project, CURSOR_VERSION: '2.4.0' };
    const start = { cwd: stage.project, environment, timeout_ms: 20_000, signal: AbortSignal.timeout(30_000) };
    const { command } = read('.cursor/hooks.json').hooks.sessionStart[0];
    const end = await runAsHost({ line: command }, JSON.stringify(payload), start);
    expect([end.exit_code, end.stderr]).toEqual([0, '']);
    expect(JSON.parse(end.stdout)).toEqual({
      additional_context: expect.stringContaining(`handoff_claim (id "${id}")`),
    });
    expect((await stage.get(id)).delivery.state).toBe('open');
  },
);
