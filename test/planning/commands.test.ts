import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { sha256Hex } from '../../packages/batonpass/src/core/canonical-json.ts';
import { freezeSnapshot } from '../../packages/batonpass/src/draft/snapshot.ts';
import { buildPlanAgentSystemPrompt } from '../../packages/batonpass/src/draft.ts';
import type { Handoff, HandoffEvent } from '../../packages/batonpass/src/index.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { snapshotSaying } from './planning-stage.ts';

const stages: Stage[] = [];

function stage(): Stage {
  const opened = openStage({ git: true });
  stages.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const snapshot = snapshotSaying('Keep sessions in signed cookies');
const asPlanAgent = ['--as', 'plan-agent'];

verifies(
  ['PLANNING.hand-on', 'PLANNING.same-bytes'],
  'a snapshot on standard input is handed on, and render gives the planning agent what was bound',
  async () => {
    const { baton, json } = stage();
    const prompt = buildPlanAgentSystemPrompt(snapshot);
    const hashes = ['--hash', freezeSnapshot(snapshot).sha256, '--rendered', sha256Hex(prompt)];
    const { code, stderr } = await baton(['plan', 'hand-on', ...hashes], { input: JSON.stringify(snapshot) });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/text {4}[0-9a-f]{64} \(150000 tokens at the most\)/)]);
    expect(stderr).toContain(sha256Hex(prompt));
    const [handoff] = (await json<{ handoffs: Handoff[] }>(['list'])).handoffs;
    const id = handoff?.id ?? '';
    expect(stderr).toContain(`baton plan run ${id.slice(-8)}`);
    expect((await baton(['render', id])).stdout.startsWith(prompt)).toBe(true);
    expect(await json(['claim', ...asPlanAgent])).toMatchObject({ context: { text: prompt, is_as_approved: true } });
    const refused = await baton(['plan', 'hand-on', '-', '--supersede', id], { input: JSON.stringify(snapshot) });
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining('claimed by plan-agent')]);
  },
);

verifies(['PLANNING.same-snapshot'], 'what is no snapshot is refused by name', async () => {
  const { baton, folder } = stage();
  const file = join(folder, 'snapshot.json');
  writeFileSync(file, '{ "decisions": [');
  expect((await baton(['plan', 'hand-on', file])).stderr).toMatch(
    /snapshot\.json is not JSON: .*\n.*Correct the JSON\./,
  );
  writeFileSync(file, JSON.stringify({ ...snapshot, risks: [{ id: 'r1' }] }));
  expect((await baton(['plan', 'hand-on', file])).stderr).toContain('snapshot.risks[0].description');
  writeFileSync(file, JSON.stringify(snapshot));
  const { code, stderr } = await baton(['plan', 'hand-on', file, '--hash', 'a'.repeat(64)]);
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('not the one that was frozen')]);
});

verifies(['PLANNING.approve-text'], 'approve binds to the text that it names, or refuses', async () => {
  const { baton, json } = stage();
  const {
    handoff: { id },
  } = await json(['create', '--summary', 'Plan it', '--for', 'plan-agent', '--draft']);
  const { sha256 } = await json<{ sha256: string }>(['render', id]);
  const refused = await baton(['approve', id, '--rendered', 'a'.repeat(64)]);
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(`baton render ${id}`)]);
  const { handoff: approved } = await json<{ handoff: Handoff }>(['approve', id, '--rendered', sha256]);
  expect(approved.delivery).toMatchObject({ state: 'open', approval: { rendered_sha256: sha256 } });
});

verifies(['PLANNING.report'], 'a report is made by the command and is in the log', async () => {
  const { baton, json } = stage();
  const {
    handoff: { id },
  } = await json(['create', '--summary', 'Finish it']);
  const { handoff } = await json<{ handoff: Handoff }>(['claim']);
  const token = handoff.delivery.lease?.token ?? '';
  const { code, stdout } = await baton(['report', id, 'Half of the tests pass', '--token', token, '--data', '{"n":4}']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('claimed')]);
  expect((await baton(['log', id])).stdout).toMatch(/reported .*Half of the tests pass \(data: --json\)/);
  const { events } = await json<{ events: HandoffEvent[] }>(['log', id]);
  expect(events.at(-1)?.details).toEqual({ fence: 1, data: { n: 4 } });
  expect((await baton(['report', id, 'x', '--token', token, '--data', '{'])).stderr).toContain('--data is not JSON');
  expect((await baton(['report', id, 'x', '--token', 'wrong'])).code).not.toBe(0);
});
