import { expect } from 'vitest';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { assistantRow, textBlock, toolResult, toolUse, userRow } from '../transcripts/rows.ts';
import { verifies } from '../verifies.ts';

const approved = 'User has approved your plan. You can now start coding.';
const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

/** A session in which the agent shows a plan, the host reports what the person said to it, and then these rows come. */
const planned = async (plan: string, verdict: string | undefined, ...rows: string[]) => {
  const use = toolUse('p1', 'ExitPlanMode', { plan });
  const shown = [
    userRow('Add an export to the report.', { uuid: 'u1' }),
    assistantRow([textBlock('I have looked at the report.')], { uuid: 'a1', parent: 'u1', id: 'm1' }),
    assistantRow([use], { uuid: 'a2', parent: 'a1', id: 'm1' }),
  ];
  const answer = verdict === undefined ? [] : [userRow(toolResult('p1', verdict), { uuid: 'u2', parent: 'a2' })];
  const text = [...shown, ...answer, ...rows].map((row) => `${row}\n`).join('');
  return await readTranscript({ text, name: 'session.jsonl' });
};

const plan = '# Plan: CSV export\n\n1. Add `toCsv()` in `src/report.ts`.\n2. Add a route.\n   - It streams.';

verifies(['FIDELITY.plans'], 'a plan that the person approved is a decision, with its steps', async () => {
  const conversation = await planned(plan, approved);
  expect(conversation.messages.map(({ text }) => text)).toEqual([
    'Add an export to the report.',
    'I have looked at the report.',
    plan,
  ]);
  const { decisions } = extractByRules(conversation);
  expect(decisions.at(-1)).toMatchObject({
    content: 'Approved plan: CSV export; Add `toCsv()` in `src/report.ts`; Add a route; It streams.',
    confidence: 1,
    evidence: { message: 2, quote: 'Plan: CSV export' },
  });
  for (const verdict of [undefined, rejected]) {
    const { decisions: others } = extractByRules(await planned(plan, verdict));
    expect(others.map(({ content }) => content).join()).not.toContain('plan');
  }
});

verifies(['FIDELITY.plans'], 'a plan that opens a session was approved before it', async () => {
  const text = `${userRow(`Implement the following plan:\n\n${plan}`)}\n${assistantRow([textBlock('I begin.')])}\n`;
  const { decisions } = extractByRules(await readTranscript({ text, name: 'session.jsonl' }));
  expect(decisions.map(({ content }) => content)).toEqual([
    'Approved plan: CSV export; Add `toCsv()` in `src/report.ts`; Add a route; It streams.',
  ]);
});

verifies(
  ['FIDELITY.plans'],
  'a plan that the person rejected is quoted as such, and nothing in it is to be done',
  async () => {
    const bad = '# Plan\n\n1. We must use Auth0 for the login.\n2. Next, drop the password login in `src/login.ts`.';
    const reason = 'No Auth0, we run our own server for it.';
    const later = assistantRow([textBlock('Understood.')], { uuid: 'a3', parent: 'u2' });
    const conversation = await planned(bad, `${rejected} To tell you how to proceed, the user said:\n${reason}`, later);
    const { words, decisions, next_steps, risks } = extractByRules(conversation);
    const said = words.map(({ content }) => content);
    expect(said).toContain(reason);
    expect(said.filter((line) => /password/.test(line))).toEqual([
      '[plan that the person rejected: Plan 1. We must use Auth0 for the login. 2. Next, drop the password login in `src/login.ts`.]',
    ]);
    expect(JSON.stringify([decisions, next_steps, risks])).not.toMatch(/password/);
  },
);
