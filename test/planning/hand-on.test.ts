import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sha256Hex } from '../../packages/batonpass/src/core/canonical-json.ts';
import { createDraftStore } from '../../packages/batonpass/src/draft/draft-store.ts';
import { contentToSnapshot, freezeSnapshot } from '../../packages/batonpass/src/draft/snapshot.ts';
import { buildPlanAgentSystemPrompt } from '../../packages/batonpass/src/draft.ts';
import { type Baton, limits } from '../../packages/batonpass/src/index.ts';
import { renderForSession } from '../../packages/batonpass/src/operations/sessions/render-for-session.ts';
import { findInjectionProof } from '../../packages/batonpass/src/transcripts/injection-proof.ts';
import { verifies } from '../verifies.ts';
import { largeSnapshot, openForPlanning, planAgent, sam, snapshotSaying } from './planning-stage.ts';

const snapshot = snapshotSaying('Keep sessions in signed cookies');

const listAll = async (baton: Baton) => (await baton.run('handoff.list', {})).handoffs;

verifies(
  ['PLANNING.hand-on'],
  'a frozen snapshot becomes an open handoff for the planning agent, approved by its person',
  async () => {
    const baton = await openForPlanning();
    const { sha256 } = freezeSnapshot(snapshot);
    const rendered_sha256 = sha256Hex(buildPlanAgentSystemPrompt(snapshot));
    const handoff = await baton.run('planning.hand-on', {
      snapshot,
      snapshot_sha256: sha256,
      rendered_sha256,
      title: 'Sessions',
      task_id: 'auth',
    });
    expect(handoff.content).toMatchObject({
      kind: 'context',
      target_agent: 'plan-agent',
      title: 'Sessions',
      task_id: 'auth',
      source_agent: 'sam',
    });
    const { state, approval } = handoff.delivery;
    expect(state).toBe('open');
    expect(approval).toMatchObject({ by: 'sam', content_sha256: handoff.content_sha256, rendered_sha256 });
    expect(approval?.at).toMatch(/^\d{4}-\d{2}-\d{2}T/);
    // What was frozen comes back whole, so that a reload finds it by its hash.
    expect(freezeSnapshot(contentToSnapshot(handoff.content)).sha256).toBe(sha256);
    const { events } = await baton.run('handoff.events', { id: handoff.id });
    expect(events.map(({ name, actor }) => [name, actor])).toEqual([
      ['handoff-created', sam],
      ['handoff-approved', sam],
    ]);
  },
);

verifies(
  ['PLANNING.same-bytes'],
  'approved, rendered, claimed, injected and hashed are exactly the bytes of the prompt',
  async () => {
    const baton = await openForPlanning();
    const { id, delivery } = await baton.run('planning.hand-on', { snapshot });
    const prompt = buildPlanAgentSystemPrompt(snapshot);
    const rendered = await baton.run('handoff.render', { id });
    expect([rendered.text, rendered.sha256, rendered.cut, rendered.is_as_approved]).toEqual([
      prompt,
      sha256Hex(prompt),
      {},
      true,
    ]);
    expect(delivery.approval?.rendered_sha256).toBe(sha256Hex(prompt));

    const asHook = await renderForSession(
      await baton.run('handoff.get', { id }),
      { characters_max: 10_000, others: [] },
      { ...baton.context, signal: new AbortController().signal },
    );
    expect(asHook.text.startsWith(prompt)).toBe(true);
    expect(asHook.sha256).toBe(sha256Hex(prompt));

    const { context, handoff } = await baton.run('handoff.claim', {}, { actor: planAgent });
    expect([handoff?.id, context?.text, context?.sha256, context?.is_as_approved]).toEqual([
      id,
      prompt,
      sha256Hex(prompt),
      true,
    ]);
  },
);

verifies(
  ['PLANNING.same-bytes'],
  'a draft addressed to the planning agent is approved by the same bytes, and proved by them',
  async () => {
    const baton = await openForPlanning();
    const content = {
      summary: 'Plan it',
      target_agent: 'plan-agent',
      next_steps: ['First this'],
      decisions: ['Use cookies'],
    };
    const { id } = await baton.run('handoff.create', { content, draft: true });
    const shown = await baton.run('handoff.render', { id });
    expect(shown.text).toContain('\n### Next steps (proposed)\n- First this\n\nUse getHandoffContext');
    const approved = await baton.run('handoff.approve', { id, rendered_sha256: shown.sha256 });
    expect(approved.delivery.approval).toMatchObject({
      rendered_sha256: shown.sha256,
      budget: limits.plan_prompt_tokens_max,
    });

    const room = { characters_max: 10_000, others: [] };
    const { text = '', sha256 = '' } = await renderForSession(approved, room, {
      ...baton.context,
      signal: new AbortController().signal,
    });
    expect(sha256).toBe(shown.sha256);
    const path = join(baton.context.workspace.root, 'session.jsonl');
    // As a host writes it down, with and without the blank line at the beginning.
    for (const content of [text, text.trim()]) {
      const row = {
        type: 'attachment',
        sessionId: 's',
        attachment: { type: 'hook_additional_context', content: [content] },
      };
      writeFileSync(path, `${JSON.stringify(row)}\n`);
      const proof = await findInjectionProof({ path, from_byte: 0 }, { handoff_id: id, rendered_sha256: sha256 });
      expect(proof).toMatchObject({ session: 's', rendered_sha256: sha256 });
      writeFileSync(path, `${JSON.stringify(row).replace('Use cookies', 'Use nothing')}\n`);
      expect(await findInjectionProof({ path, from_byte: 0 }, { handoff_id: id, rendered_sha256: sha256 })).toBeNull();
    }
  },
);

verifies(
  ['PLANNING.approve-text'],
  'an approval of another text than the one that would be bound is a conflict and changes nothing',
  async () => {
    const baton = await openForPlanning();
    for (const target_agent of ['plan-agent', undefined]) {
      const { id } = await baton.run('handoff.create', { content: { summary: 'Plan it', target_agent }, draft: true });
      const shown = await baton.run('handoff.render', { id });
      await baton.run('handoff.edit', { id, changes: { add: { decisions: ['One more'] } } });
      await expect(baton.run('handoff.approve', { id, rendered_sha256: shown.sha256 })).rejects.toMatchObject({
        code: 'conflict',
        details: { shown_sha256: shown.sha256 },
      });
      expect((await baton.run('handoff.get', { id })).delivery).toMatchObject({ state: 'draft', version: 2 });
      const { sha256 } = await baton.run('handoff.render', { id });
      await baton.run('handoff.approve', { id, rendered_sha256: sha256 });
    }
  },
);

verifies(
  ['PLANNING.same-snapshot'],
  'another snapshot or text than the one that was shown is refused, and nothing is made',
  async () => {
    const baton = await openForPlanning();
    const other = freezeSnapshot(snapshotSaying('Keep them in the database')).sha256;
    await expect(baton.run('planning.hand-on', { snapshot, snapshot_sha256: other })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(baton.run('planning.hand-on', { snapshot, rendered_sha256: other })).rejects.toMatchObject({
      code: 'conflict',
    });
    const nothing = { ...snapshot, decisions: [] };
    await expect(baton.run('planning.hand-on', { snapshot: nothing })).rejects.toMatchObject({ code: 'invalid_input' });
    const more = { ...snapshot, decided: true } as never;
    await expect(baton.run('planning.hand-on', { snapshot: more })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await listAll(baton)).toEqual([]);
  },
);

verifies(
  ['PLANNING.one-transaction'],
  'the same snapshot handed on twice with one key is one handoff, another one with it a conflict',
  async () => {
    const baton = await openForPlanning();
    const once = { idempotency_key: 'start-planning' };
    const first = await baton.run('planning.hand-on', { snapshot }, once);
    const [one, two] = await Promise.all([
      baton.run('planning.hand-on', { snapshot }, once),
      baton.run('planning.hand-on', { snapshot }, once),
    ]);
    expect([one, two]).toEqual([first, first]);
    await baton.run('handoff.claim', { id: first.id }, { actor: planAgent });
    expect(await baton.run('planning.hand-on', { snapshot }, once)).toEqual(first);
    expect(await listAll(baton)).toHaveLength(1);
    const other = snapshotSaying('Keep them in the database');
    await expect(baton.run('planning.hand-on', { snapshot: other }, once)).rejects.toMatchObject({ code: 'conflict' });
  },
);

verifies(
  ['PLANNING.supersede'],
  'a later snapshot supersedes the former one with its own approval, unless that is held',
  async () => {
    const baton = await openForPlanning();
    const first = await baton.run('planning.hand-on', { snapshot });
    const edited = snapshotSaying('Keep them in the database');
    const second = await baton.run('planning.hand-on', { snapshot: edited, supersedes_id: first.id.slice(-8) });
    expect(second.content.supersedes_id).toBe(first.id);
    expect(second.delivery.approval?.rendered_sha256).toBe(sha256Hex(buildPlanAgentSystemPrompt(edited)));
    expect(second.delivery.approval?.rendered_sha256).not.toBe(first.delivery.approval?.rendered_sha256);
    expect((await baton.run('handoff.get', { id: first.id })).delivery.state).toBe('withdrawn');
    await baton.run('handoff.claim', {}, { actor: planAgent });
    await expect(baton.run('planning.hand-on', { snapshot, supersedes_id: second.id })).rejects.toMatchObject({
      code: 'already_claimed',
    });
    expect(await listAll(baton)).toHaveLength(2);
  },
);

verifies(
  ['PLANNING.hand-on'],
  'a secret in a snapshot is masked, and a review of the unmasked text does not count',
  async () => {
    const baton = await openForPlanning();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const leaky = snapshotSaying(`Use the key ${secret}`);
    const rendered_sha256 = sha256Hex(buildPlanAgentSystemPrompt(leaky));
    await expect(baton.run('planning.hand-on', { snapshot: leaky, rendered_sha256 })).rejects.toMatchObject({
      code: 'conflict',
    });
    const { id } = await baton.run('planning.hand-on', { snapshot: leaky, title: `With ${secret}` });
    const { text } = await baton.run('handoff.render', { id });
    expect(text).toContain('- Use the key [masked:github-token]\n');
    const { handoffs } = await (await baton.context.openStore()).export({ limit: 10 });
    expect(JSON.stringify(handoffs)).not.toContain(secret);
  },
);

verifies(
  ['PLANNING.same-bytes', 'PLANNING.hand-on', 'BR.held.frozen'],
  'a secret in a draft is masked as it is frozen: what is shown is handed on, and put back after a reload',
  async () => {
    const baton = await openForPlanning();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const texts = new Map<string, string>();
    const storage = {
      getItem: (name: string) => texts.get(name) ?? null,
      setItem: (name: string, text: string) => void texts.set(name, text),
      removeItem: (name: string) => void texts.delete(name),
    };
    const draft = createDraftStore({ storage });
    draft.getState().addDecision(`Use the key ${secret}`);
    draft.getState().freezeForPlanning();
    const { frozenPayload, frozenHash, decisions } = draft.getState();
    expect(decisions[0]?.content).toContain(secret);
    const shown = buildPlanAgentSystemPrompt(frozenPayload);
    const input = { snapshot: frozenPayload ?? snapshot, snapshot_sha256: frozenHash ?? '' };
    const handoff = await baton.run('planning.hand-on', { ...input, rendered_sha256: sha256Hex(shown) });
    expect(shown).toContain('- Use the key [masked:github-token]\n');
    expect((await baton.run('handoff.render', { id: handoff.id })).text).toBe(shown);

    const reloaded = createDraftStore({ storage });
    reloaded.getState().restoreFrozen(contentToSnapshot(handoff.content));
    expect(reloaded.getState().frozenPayload).toEqual(frozenPayload);
  },
);

verifies(
  ['PLANNING.whole'],
  'what is too large for the planning agent is refused with its size, the bound and ways out, before anything is made',
  async () => {
    const baton = await openForPlanning();
    const refused = baton.run('planning.hand-on', { snapshot: largeSnapshot(700) });
    await expect(refused).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/\d{6} tokens; the maximum is 150000, and they are not cut/),
      details: { tokens: expect.any(Number), tokens_max: limits.plan_prompt_tokens_max },
      alternatives: [expect.any(String), expect.any(String), expect.stringContaining('--budget')],
    });
    expect(await listAll(baton)).toEqual([]);
    const content = { target_agent: 'plan-agent', summary: 'Plan it', decisions: [...largeSnapshot(700).decisions] };
    const { id } = await baton.run('handoff.create', { content, draft: true });
    await expect(baton.run('handoff.render', { id })).rejects.toMatchObject({ code: 'too_large' });
    await expect(baton.run('handoff.approve', { id })).rejects.toMatchObject({ code: 'too_large' });
    // An explicit budget overrides it, and the approval keeps it.
    await baton.run('handoff.approve', { id, budget: 400_000 });
    const { context } = await baton.run('handoff.claim', {}, { actor: planAgent });
    expect(context).toMatchObject({ budget: 400_000, is_as_approved: true, cut: {} });
    const larger = await baton.run('planning.hand-on', { snapshot: largeSnapshot(700), budget: 400_000 });
    expect(larger.delivery.approval?.budget).toBe(400_000);
  },
);

verifies(
  ['PLANNING.whole'],
  'a claimed handoff that is too large to send is released: nobody holds it unknowingly',
  async () => {
    const baton = await openForPlanning();
    const open = await baton.run('handoff.create', {
      content: { target_agent: 'plan-agent', summary: 'A', decisions: [...largeSnapshot(700).decisions] },
    });
    const small = { budget: 250 };
    await expect(baton.run('handoff.claim', { id: open.id, ...small }, { actor: planAgent })).rejects.toMatchObject({
      code: 'too_large',
    });
    expect((await baton.run('handoff.get', { id: open.id })).delivery).toMatchObject({ state: 'open', attempts: 0 });
    await expect(baton.run('handoff.claim', { id: open.id }, { actor: planAgent })).rejects.toMatchObject({
      code: 'too_large',
    });
    const { delivery } = await baton.run('handoff.get', { id: open.id });
    expect(delivery).toMatchObject({
      state: 'open',
      attempts: 1,
      failure: { reason: expect.stringContaining('tokens') },
    });
    // It waits for its back-off, and is not before the others.
    const next = await baton.run('handoff.create', { content: { target_agent: 'plan-agent', summary: 'B' } });
    expect((await baton.run('handoff.claim', {}, { actor: planAgent })).handoff?.id).toBe(next.id);
  },
);
