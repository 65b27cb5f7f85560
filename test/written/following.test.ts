import { expect } from 'vitest';
import type { ClaudeCode } from '../hosts/claude-code.ts';
import { verifies } from '../verifies.ts';
import { answerLate, answerNow, converse, list, settled, stage, untilAsked, useStage } from './asking-stage.ts';
import { goodAnswer } from './session.ts';

useStage();

/** A session that is over; its agent was asked, and has not answered yet. */
async function endAndAsk(): Promise<void> {
  answerLate();
  const code = stage.startHost();
  await code.startSession();
  converse(code);
  await code.endSession();
  await untilAsked();
}

/** A session that took up what rules saved of the one before, whose agent answers only now. */
async function takeUpEarly(): Promise<ClaudeCode> {
  await endAndAsk();
  const next = stage.startHost();
  const [given = ''] = await next.startSession();
  expect(given).toContain('<handoff>');
  expect(given).not.toContain(goodAnswer.title);
  await answerNow();
  return next;
}

const written = async (state: string) => (await list(state)).filter(({ content }) => content.origin?.asked);

/** What the context of a session got of it. */
const countIn = (texts: readonly string[]) => texts.filter((text) => text.includes(goodAnswer.title)).length;

verifies(
  ['ASKING.taken'],
  'the session that took the first save up gets it once, with proof, and no other',
  async () => {
    const next = await takeUpEarly();
    const [waiting, ...more] = await written('open');
    expect(more).toEqual([]);
    const [taken] = await list('acknowledged');
    expect(waiting?.content).toMatchObject({ title: goodAnswer.title, parent_id: taken?.id });
    expect(waiting?.content.supersedes_id).toBeUndefined();

    const other = stage.startHost(process.ppid);
    expect(countIn(await other.startSession())).toBe(0);
    expect(countIn(await other.prompt('What is open?'))).toBe(0);
    expect((await stage.run((baton) => baton.run('handoff.claim', {}))).handoff).toBeNull();

    const [text = '', ...others] = await next.prompt('Go on with the logout.');
    expect(others).toEqual([]);
    expect(text).toContain(goodAnswer.title);
    expect(text).toContain(`after handoff ${taken?.id} had been put into this session`);
    expect(await next.prompt('And now?')).toEqual([]);
    next.say('assistant', 'The logout is there.');
    await next.stop();
    await settled();
    const [proven] = await written('acknowledged');
    expect(proven).toMatchObject({ id: waiting?.id, delivery: { injected: { session: next.session_id } } });
    // After a compaction the session's own save holds it; it is not given in addition.
    const [again = ''] = await next.compact();
    expect(again.match(/^<handoff>$/gm)).toHaveLength(1);

    await next.endSession();
    await other.endSession();
    // What is handed on next says each thing of the first session once: as its agent wrote it.
    const find = async () => (await list('open')).find(({ content }) => content.origin?.session === next.session_id);
    await expect.poll(async () => (await find())?.content.parent_id).toBe(waiting?.id);
    const decisions = (await find())?.content.decisions.map(({ content }) => content) ?? [];
    expect(decisions.filter((decision) => /old endpoint/i.test(decision))).toHaveLength(1);
  },
);

verifies(['ASKING.taken'], 'a compaction adds it after what the session saved itself', async () => {
  const next = await takeUpEarly();
  next.say('user', 'We will use argon2 for the passwords, not bcrypt. Add a test of the logout.');
  next.say('assistant', 'The passwords are hashed by argon2 now.');
  const [text = '', ...more] = await next.compact();
  expect(more).toEqual([]);
  expect(text.match(/^<handoff>$/gm)).toHaveLength(2);
  expect(text.indexOf('argon2')).toBeLessThan(text.indexOf(goodAnswer.title));
  expect(text.length).toBeLessThanOrEqual(10_000);
  expect(await next.prompt('Go on.')).toEqual([]);
  next.say('assistant', 'Done.');
  await next.stop();
  await settled();
  const proven = (await list('acknowledged')).filter(({ delivery }) => delivery.injected?.session === next.session_id);
  expect(proven.map(({ content }) => content.origin?.session === next.session_id).sort()).toEqual([false, false, true]);
  await next.endSession();
  await settled();
});

verifies(['ASKING.taken'], 'where that session ends without it, it hands it on with its own', async () => {
  const next = await takeUpEarly();
  next.say('user', 'We will use argon2 for the passwords, not bcrypt.');
  next.say('assistant', 'The passwords are hashed by argon2 now.');
  await next.endSession();
  await settled();
  const third = stage.startHost();
  const [text = '', ...others] = await third.startSession();
  expect(others).toEqual([]);
  expect(text).toContain('argon2');
  expect(text).toContain('Logins use signed tokens of 15 minutes');
  expect(text).toContain('Never store the e-mail in localStorage');
  // It is one with what the session before handed on, and waits for no other session.
  expect(await list('open')).toEqual([]);
  expect(await third.prompt('Go on.')).toEqual([]);
  await third.endSession();
  await settled();
});

verifies(['ASKING.taken'], 'where that session is over before the agent answers, it hands both on', async () => {
  await endAndAsk();
  const next = stage.startHost();
  await next.startSession();
  next.say('user', 'We will use argon2 for the passwords, not bcrypt.');
  next.say('assistant', 'The passwords are hashed by argon2 now.');
  await next.endSession();
  await answerNow();
  const third = stage.startHost();
  const [text = ''] = await third.startSession();
  expect(text).toContain('argon2');
  expect(text).toContain('Logins use signed tokens of 15 minutes');
  expect(await list('open')).toEqual([]);
  await third.endSession();
  await settled();
});

verifies(['ASKING.taken'], 'where that session is saved once more, it hands on both again', async () => {
  const next = await takeUpEarly();
  next.say('user', 'We will use argon2 for the passwords, not bcrypt.');
  next.say('assistant', 'The passwords are hashed by argon2 now.');
  await next.endSession();
  await settled();
  next.say('assistant', 'The test of the logout is still missing.');
  await next.endSession();
  await settled();
  const [text = '', ...others] = await stage.startHost().startSession();
  expect(others).toEqual([]);
  expect(text).toContain('The test of the logout is still missing.');
  expect(text).toContain('argon2');
  expect(text).toContain('Logins use signed tokens of 15 minutes');
});

verifies(['ASKING.taken'], 'where the prompt shows it without a proof, it is offered again', async () => {
  const next = await takeUpEarly();
  const lost = stage.startHost();
  lost.openSession(next.session_id);
  // The host dies with the prompt: nothing of it is ever in the transcript.
  const { transcript_path } = next;
  expect(countIn(await next.prompt('Go on.'))).toBe(1);
  const { readFileSync, writeFileSync } = await import('node:fs');
  const rows = readFileSync(transcript_path, 'utf8').split('\n');
  writeFileSync(transcript_path, rows.filter((row) => !row.includes(goodAnswer.title)).join('\n'));
  await next.endSession();
  await settled();
  const third = stage.startHost();
  expect(countIn(await third.startSession())).toBe(1);
  await third.endSession();
  await settled();
});
