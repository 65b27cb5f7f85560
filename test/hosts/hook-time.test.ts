import { expect, vi } from 'vitest';
import { measureSessionHooks } from '../../bench/session-hooks.ts';
import { runHook } from '../../packages/batonpass/src/doors/hooks/run-hook.ts';
import { afterEachTest } from '../after-each-test.ts';
import { openStage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

afterEachTest(() => {
  vi.useRealTimers();
});

verifies(
  ['HOOK.quick', 'HOOK.harmless'],
  'a hook takes the time that its host gives, and says where that was not enough',
  async () => {
    const stage = openStage({ git: true });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const cases: [event: string, given_ms: string | undefined, time_ms: number][] = [
      ['SessionStart', undefined, 8_000],
      ['PreCompact', '100', 8_000],
      ['Stop', undefined, 8_000],
      ['SessionEnd', undefined, 1_200],
      ['SessionEnd', '5000', 4_700],
      ['SessionEnd', '600000', 8_000],
      ['SessionEnd', 'soon', 1_200],
      ['SessionEnd', '100', 1],
    ];
    for (const [event, given_ms, time_ms] of cases) {
      const environment = { ...stage.environment, CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: given_ms };
      const readStandardInput = () => new Promise<string>(() => {});
      let isOver = false;
      const running = runHook({
        event,
        host: 'claude-code',
        readStandardInput,
        environment,
        cwd: stage.folder,
        program: '',
      }).then((answer) => {
        isOver = true;
        return answer;
      });
      await vi.advanceTimersByTimeAsync(time_ms - 1);
      expect([event, given_ms, isOver]).toEqual([event, given_ms, false]);
      await vi.advanceTimersByTimeAsync(1);
      expect(await running).toEqual({ output: '', remark: `baton: It took more than ${time_ms} ms.` });
    }
    stage.close();
  },
);

verifies(['HOOK.quick'], 'the hook that gives a handoff is measured in every host that was seen at work', async () => {
  const names = (await measureSessionHooks({ handoffs: 30, rounds: 1 })).map(({ name }) => name);
  expect(names.filter((name) => name.includes('claiming one')).map((name) => name.split(' with ')[0])).toEqual([
    'Claude Code’s hook SessionStart',
    'Codex’s hook SessionStart',
    'Gemini CLI’s hook BeforeAgent',
    'Copilot CLI’s hook UserPromptSubmit',
    'OpenCode’s hook ChatMessage',
  ]);
});
