import { describe, expect } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import { connectTo } from '../doors/mcp-client.ts';
import type { ClaudeCode } from '../hosts/claude-code.ts';
import { verifies } from '../verifies.ts';
import { choose, converse, list, settled, stage, useStage } from './asking-stage.ts';
import { goodAnswer } from './session.ts';

useStage();

const summary = 'The login works with signed tokens; the limiter is half done.';
const decision = 'The limiter counts per account, not per address.';

/** The agent of a session that runs as this process hands over, by the command or by the tool: a process below it. */
async function create(...words: string[]): Promise<string> {
  const content = ['--title', 'Login of the shop', '--summary', summary, '--decision', decision];
  const { stdout, stderr, exit_code } = await stage.baton([
    ...['create', ...content, ...words],
    ...['--as', 'claude-code', '--json'],
  ]);
  if (exit_code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { handoff: Handoff }).handoff.id;
}

async function begin(): Promise<ClaudeCode> {
  const code = stage.startHost();
  await code.startSession();
  converse(code);
  return code;
}

const decisionsOf = ({ content }: Handoff) => content.decisions.map((each) => each.content);

describe.each(['rules', 'host'])('what an agent hands over in a session that is saved by %s', (extractor) => {
  verifies(['ASKING.own'], 'is one handoff with that save, and the next session gets it', async () => {
    choose(extractor);
    const code = await begin();
    await code.stop();
    await settled();
    const own = await create();
    code.say('user', 'We will use argon2 for the passwords, not bcrypt. Now add a test of the logout.');
    code.say('assistant', 'The passwords are hashed by argon2 now.');
    await code.endSession();
    await settled();
    const [one, ...others] = (await list('open')) as [Handoff];
    expect(others).toEqual([]);
    expect(one.content.title).toBe(extractor === 'host' ? goodAnswer.title : 'Login of the shop');
    expect(decisionsOf(one)).toContain(decision);
    // What was said after it is there as well.
    expect(decisionsOf(one).join()).toContain(extractor === 'host' ? 'signed tokens' : 'argon2');
    expect((await stage.get(own)).delivery.state).toBe('withdrawn');
    const next = stage.startHost();
    expect((await next.startSession()).join()).toContain(decision);
    await next.endSession();
  });
});

verifies(['ASKING.own'], 'a session that continues keeps it, with what was said since', async () => {
  choose('rules');
  const code = await begin();
  const own = await create();
  await code.stop();
  await settled();
  const [first] = (await list('open')) as [Handoff];
  expect(first.content.supersedes_id).toBe(own);
  code.say('user', 'We will use argon2 for the passwords, not bcrypt. Now add a test of the logout.');
  await code.endSession();
  await settled();
  const [last, ...others] = (await list('open')) as [Handoff];
  expect(others).toEqual([]);
  expect(last.content.summary).toBe(summary);
  const [own_words, ...since] = decisionsOf(last);
  expect(own_words).toBe(decision);
  expect(since.join()).toContain('argon2');
  // What was said before the agent wrote is the agent's to choose.
  expect(since.join()).not.toContain('signed tokens');
});

verifies(['ASKING.own'], 'what is for somebody else, or by another, stays as it is', async () => {
  choose('rules');
  const code = await begin();
  const forCodex = await create('--for', 'codex');
  const stranger = await stage.handOver();
  await code.endSession();
  await settled();
  const states = await Promise.all([forCodex, stranger].map(async (id) => (await stage.get(id)).delivery.state));
  expect(states).toEqual(['open', 'open']);
  const saved = (await list('open')).find(({ content }) => content.origin?.trigger !== undefined);
  expect(saved && decisionsOf(saved)).not.toContain(decision);
});

verifies(['ASKING.own'], 'what a person withdrew does not come back with the save', async () => {
  choose('rules');
  const code = await begin();
  const own = await create();
  await stage.run((baton) => baton.run('handoff.withdraw', { id: own, reason: 'wrong' }));
  await code.endSession();
  await settled();
  const [saved] = (await list('open')) as [Handoff];
  expect(decisionsOf(saved)).not.toContain(decision);
});

verifies(
  ['ASKING.own'],
  'a server that is no process of the session’s host goes by the session that a call names',
  async () => {
    choose('rules');
    const code = await begin();
    await stage.run(async (baton) => {
      const { client, close } = await connectTo(baton, '2025-11-25', { name: 'claude-code' });
      await client.callTool({
        name: 'handoff_create',
        arguments: { content: { title: 'Login of the shop', summary, decisions: [{ content: decision }] } },
        _meta: { 'x-codex-turn-metadata': { session_id: code.session_id } },
      });
      await close();
    });
    await code.endSession();
    await settled();
    const [one, ...others] = (await list('open')) as [Handoff];
    expect(others).toEqual([]);
    expect(one.content.origin?.session).toBe(code.session_id);
    expect(decisionsOf(one)).toContain(decision);
  },
);
