import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

describe('the log', () => {
  /** Runs a program on the library in a separate process. */
  function run(body: string, environment: NodeJS.ProcessEnv = {}) {
    const index = JSON.stringify(join(root, 'packages/batonpass/src/queue.ts'));
    const words = ['--input-type=module', '--eval', `import { HandOffService } from ${index};\n${body}`];
    const { BATON_LOG: _ours, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: root,
      encoding: 'utf8',
      env: { ...env, ...environment },
    });
    expect([status, stdout === '' && stderr]).toEqual([0, expect.anything()]);
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
    return { stdout, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), stderr };
  }

  const work = `
    const service = new HandOffService(':memory:', { agent: 'receiver' });
    await service.createHandoff('task-1', { text: 'secret words' }, 'planner');
    await service.listUnclaimed('task-1');
    await service.claimHandoff('task-1');
    await service.claimHandoff('task-1');
    await service.createHandoff('task-1', { bad: [() => 'secret words'] }, 'planner').catch(() => {});
    await service.close();
    process.stdout.write('done');`;

  verifies(
    ['TAS-039.log-tag', 'TAS-039.log-agent', 'SERVICE.log'],
    'each call that changes something is a tagged JSON line on standard error, with its source agent and no payload',
    () => {
      const { lines, stderr, stdout } = run(work);
      expect(stdout).toBe('done');
      const told = lines.map(({ level, tag, operation, task_id, source_agent, agent, code }) => ({
        level,
        tag,
        operation,
        task_id,
        source_agent,
        agent,
        code,
      }));
      const common = { tag: 'REQ:[TAS-039]', task_id: 'task-1', source_agent: 'planner', agent: 'receiver' };
      expect(told).toEqual([
        { ...common, level: 30, operation: 'createHandoff' },
        { ...common, level: 30, operation: 'claimHandoff' },
        { ...common, level: 40, operation: 'createHandoff', code: 'invalid_input' },
      ]);
      expect(lines.slice(0, 2).map(({ handoff_id }) => handoff_id)).toEqual(
        Array(2).fill(expect.stringMatching(/^[0-9A-Z]{26}$/)),
      );
      expect(lines.map(({ duration_ms }) => typeof duration_ms)).toEqual(Array(3).fill('number'));
      expect(stderr).not.toContain('secret words');
      const document = readFileSync(join(root, 'docs/agents/handoff.md'), 'utf8');
      const shown = JSON.parse(/^ {4}(\{"level".+)$/m.exec(document)?.[1] ?? '{}') as Record<string, unknown>;
      expect(Object.keys(lines[1] ?? {}).sort()).toEqual(Object.keys(shown).sort());
      expect(lines[1]).toMatchObject({
        level: shown.level,
        tag: shown.tag,
        operation: shown.operation,
        msg: shown.msg,
      });
    },
  );

  verifies(['SERVICE.log'], 'BATON_LOG chooses the level, an option before it, and a wrong one is refused', () => {
    const operations = (lines: Record<string, unknown>[]) => lines.map(({ operation }) => operation);
    expect(operations(run(work, { BATON_LOG: 'debug' }).lines)).toEqual([
      'createHandoff',
      'listUnclaimed',
      'claimHandoff',
      'claimHandoff',
      'createHandoff',
    ]);
    expect(run(work, { BATON_LOG: 'silent' }).lines).toEqual([]);
    const louder = work.replace("agent: 'receiver'", "agent: 'receiver', logLevel: 'warn'");
    expect(operations(run(louder, { BATON_LOG: 'debug' }).lines)).toEqual(['createHandoff']);
    const refused = `await new HandOffService(':memory:').claimHandoff('t').catch((error) => process.stdout.write(error.code + error.alternatives))`;
    expect(run(refused, { BATON_LOG: 'loud' }).stdout).toMatch(/^invalid_input.*BATON_LOG.*silent/);
  });

  verifies(['SERVICE.log'], "a caller's own logger is used, and cannot make a call fail", async () => {
    const lines: [string, object][] = [];
    const note = (level: string) => (facts: object) => {
      lines.push([level, facts]);
      throw new Error('the log is full');
    };
    const logger = { info: note('info'), warn: note('warn'), error: note('error') };
    await using service = new HandOffService(':memory:', { logger });
    const id = await service.createHandoff('t', {}, 'planner');
    expect((await service.claimHandoff('t'))?.handoffId).toBe(id);
    await service.claimHandoff('t');
    await expect(service.claimHandoff('')).rejects.toMatchObject({ code: 'invalid_input' });
    // Arguments in the wrong order: what should be a name is a payload.
    await expect(service.createHandoff({ text: 'secret' } as never, {}, { secret: 1 } as never)).rejects.toThrow();
    expect(JSON.stringify(lines)).not.toContain('secret');
    expect(lines.map(([level]) => level)).toEqual(['info', 'info', 'warn', 'warn']);
    expect(lines[1]?.[1]).toMatchObject({ tag: 'REQ:[TAS-039]', handoff_id: id, source_agent: 'planner' });
  });

  verifies(['SERVICE.late'], 'the library loads neither pino nor SQLite before a call needs them', () => {
    const loaded = `
      import { createRequire } from 'node:module';
      const look = () => [
        process.moduleLoadList.includes('NativeModule sqlite'),
        Object.keys(createRequire(${JSON.stringify(join(root, 'x.js'))}).cache).some((path) => /node_modules.pino/.test(path)),
      ];
      const service = new HandOffService(':memory:', { logLevel: process.env.LEVEL });
      const before = look();
      await service.listUnclaimed('t');
      process.stdout.write(JSON.stringify([before, look()]));
      await service.close();`;
    const before = [false, false];
    expect(JSON.parse(run(loaded, { LEVEL: 'silent' }).stdout)).toEqual([before, [true, false]]);
    expect(JSON.parse(run(loaded, { LEVEL: 'info' }).stdout)).toEqual([before, [true, true]]);
  });
});
