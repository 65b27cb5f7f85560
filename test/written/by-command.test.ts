import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import { question } from '../../packages/batonpass/src/written/question.ts';
import { verifies } from '../verifies.ts';
import { calls, choose, converse, list, play, settled, stage, standIn, useStage } from './asking-stage.ts';
import { goodAnswer } from './session.ts';

useStage();

verifies(['ASKING.command'], 'it asks about a short session too, where no agent is asked by default', async () => {
  choose('rules');
  const code = stage.startHost();
  await code.startSession();
  code.say('user', 'We use signed tokens, not sessions in Redis. Never store the e-mail in localStorage.');
  code.say('assistant', 'I will use signed tokens of 15 minutes instead of sessions in Redis.');
  await code.endSession();
  await settled();
  const [byRules] = await list('open');
  const { stdout, stderr, exit_code } = await stage.baton(['agent-writes']);
  expect({ stderr, exit_code }).toMatchObject({ exit_code: 0 });
  expect(stdout).toContain(goodAnswer.title);
  expect(calls().map(({ asked }) => asked)).toEqual([question]);
  const [written, ...others] = await list('open');
  expect(others).toEqual([]);
  expect(written?.content).toMatchObject({
    supersedes_id: byRules?.id,
    origin: { session: code.session_id, extractor: 'claude-code/a-model' },
  });
  // The history says what it cost.
  const log = await stage.baton(['log', written?.id ?? '']);
  expect(log.stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /written by claude-code\/a-model, 100 tokens read, 7 written, \d+ s/,
  );
});

verifies(
  ['ASKING.command'],
  'a session that is too long is asked about by command alone, and doctor reports that',
  async () => {
    const code = stage.startHost();
    await code.startSession();
    converse(code);
    const usage = { input_tokens: 3, cache_read_input_tokens: 250_000, output_tokens: 100 };
    appendFileSync(
      code.transcript_path,
      `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', usage } })}\n`,
    );
    await code.endSession();
    await settled();
    expect(calls()).toEqual([]);
    const { findings } = await stage.diagnose();
    const words = `baton agent-writes ${code.session_id}`;
    expect(findings.map(({ what }) => what).join('\n')).toContain(
      `The session has some 250003 tokens. Ask it anyway: ${words}`,
    );
    expect((await stage.baton(words.split(' ').slice(1))).exit_code).toBe(0);
    // `baton doctor` asks the program for its version.
    expect(calls().filter(({ asked }) => asked !== '')).toHaveLength(1);
    expect((await list('open')).map(({ content }) => content.title)).toEqual([goodAnswer.title]);
  },
);

verifies(['ASKING.command'], 'it says why nothing was written, and changes nothing', async () => {
  choose('rules');
  const none = await stage.baton(['agent-writes']);
  expect(none).toMatchObject({
    exit_code: 3,
    stderr: expect.stringContaining('No session that hooks saved here is over.'),
  });
  await play();
  const before = await list('open');
  expect((await stage.baton(['agent-writes', 'ffff-0000'])).stderr).toContain('begins with "ffff-0000"');
  standIn({ is_error: true, result: 'Not logged in · Please run /login' }, 'bin/claude', 1);
  const refused = await stage.baton(['agent-writes']);
  expect(refused.exit_code).not.toBe(0);
  expect(refused.stderr).toMatch(/wrote nothing: Not logged in/);
  expect(await list('open')).toEqual(before);
  const code = stage.startHost();
  await code.startSession();
  const live = await stage.baton(['agent-writes', code.session_id]);
  expect(live.stderr).toMatch(/is still at work/);
  await code.endSession();
});
