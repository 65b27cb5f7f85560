import fc from 'fast-check';
import { afterEach, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { draftStore } from '../../packages/batonpass/src/draft/draft-store.ts';
import type { HandoffSnapshot } from '../../packages/batonpass/src/draft/handoff-draft.ts';
import { snapshotToContent } from '../../packages/batonpass/src/draft/snapshot.ts';
import { buildPlanAgentSystemPrompt } from '../../packages/batonpass/src/draft.ts';
import { renderPlanPrompt } from '../../packages/batonpass/src/planning/plan-prompt.ts';
import { hiddenCharacters } from '../formats/hidden-characters.ts';
import { hostileTexts } from '../formats/hostile-texts.ts';
import { contentHolding } from '../formats/sample-content.ts';
import { verifies } from '../verifies.ts';

afterEach(() => draftStore.getState().reset());

/** Source 5's own template, unchanged. */
function asTheSourceSays(s: HandoffSnapshot): string {
  return `
## Handoff Context

### Decisions
${s.decisions.map((d) => `- ${d.content}`).join('\n')}

### Files
${s.filesReferenced.map((f) => `- ${f.path} (${f.relevance}): ${f.context}`).join('\n')}

### Risks
${s.risks.map((r) => `- [${r.severity}] ${r.description}`).join('\n')}

### Summary
${s.brainstormSummary}

Use getHandoffContext for structured data. Use addDecision if you discover new decisions. Use completePlanning when done.
`;
}

const snapshot: HandoffSnapshot = {
  decisions: [
    { id: 'd1', content: 'Keep sessions in signed cookies', source: 'user-pinned' },
    { id: 'd2', content: 'Rotate the key when a < b && c > d, as `rotate()` does', source: 'ai-extracted' },
  ],
  filesReferenced: [
    { id: 'f1', path: 'src/session.ts', relevance: 'high', context: 'Reads and writes the cookie.' },
    { id: 'f2', path: 'src/[id]/page.tsx', relevance: 'low', context: 'Shows it; see issue #12.' },
  ],
  risks: [{ id: 'r1', description: 'Old cookies are refused — 🍪 gone', severity: 'medium' }],
  brainstormSummary: 'Sessions move into cookies. The rotation comes first.',
};

const empty: HandoffSnapshot = { decisions: [], filesReferenced: [], risks: [], brainstormSummary: '' };

function complete(input: ContentInput): Content {
  return completeContent(input, { source_agent: 'sam' }).content;
}

verifies(['BR.held.prompt-form', 'BR.agent.prompt'], "the prompt is the source's, word for word", () => {
  for (const each of [snapshot, empty, { ...empty, risks: snapshot.risks }]) {
    expect(buildPlanAgentSystemPrompt(each)).toBe(asTheSourceSays(each));
  }
  expect(buildPlanAgentSystemPrompt(null)).toBe('No handoff context available.');
});

verifies(
  ['BR.agent.prompt', 'BR.held.prompt-form'],
  'without an argument the prompt is the store’s frozen copy, after any later change of the draft',
  () => {
    expect(buildPlanAgentSystemPrompt()).toBe('No handoff context available.');
    draftStore.getState().addDecision('Use signed cookies');
    expect(buildPlanAgentSystemPrompt()).toBe('No handoff context available.');
    draftStore.getState().freezeForPlanning();
    const frozen = buildPlanAgentSystemPrompt();
    draftStore.getState().addDecision('Use JWT after all');
    expect(buildPlanAgentSystemPrompt()).toBe(frozen);
    expect(frozen).toContain('\n### Decisions\n- Use signed cookies\n\n### Files\n');
    expect(frozen).not.toContain('JWT');
  },
);

verifies(['PLANNING.same-bytes', 'BR.held.prompt-form'], 'a snapshot and its content give the same bytes', () => {
  for (const each of [snapshot, { ...snapshot, brainstormSummary: '' }, { ...empty, decisions: snapshot.decisions }]) {
    expect(renderPlanPrompt(complete(snapshotToContent(each)))).toBe(buildPlanAgentSystemPrompt(each));
  }
});

verifies(
  ['PLANNING.further', 'PLANNING.whole'],
  'the rest of a content follows the summary, whole and before the closing sentence',
  () => {
    const body = Array.from({ length: 5_000 }, (_, index) => `Line ${index} of the notes.`).join('\n');
    const content = complete({
      ...snapshotToContent(snapshot),
      next_steps: ['Write the test first'],
      open_questions: ['Which key?'],
      tried: [{ what: 'JWT', outcome: 'too large' }],
      body,
      extra: { team: 'core' },
    });
    const [head, rest = ''] = renderPlanPrompt(content).split('\n\n### Next steps (proposed)\n');
    const [plain = '', closing] = asTheSourceSays(snapshot).split('\n\nUse getHandoffContext');
    expect(head).toBe(plain);
    expect(rest.split('\n\n')).toEqual([
      '- Write the test first',
      '### Dead ends\n- JWT → too large',
      '### Open questions\n- Which key?',
      `### Body\n${body
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')}`,
      '### Further fields (JSON)\n> {"team":"core"}',
      `Use getHandoffContext${closing}`,
    ]);
  },
);

/** What each line of a prompt may be: one of the headings, an item, the closing sentence, or the summary. */
const headings = new Set([
  '## Handoff Context',
  '### Decisions',
  '### Files',
  '### Risks',
  '### Summary',
  '### Where it stands',
  '### Standing instructions',
  '### Environment',
  '### Commands that worked',
  '### Last answer',
  '### Earlier words',
  '### Next steps (proposed)',
  '### Dead ends',
  '### Open questions',
  '### Results',
  '### References',
  '### Context kept elsewhere',
  '### Body',
  '### Payload (JSON)',
  '### Further fields (JSON)',
]);

/** A block that Markdown opens at the start of a line, or in a list that begins there. */
const opensBlock =
  /^(?:\s*(?:[-+*>]|\d{1,9}[.)])\s+)*(?:#{1,6}(?:\s|$)|`{3}|~{3}|={3,}\s*$|(?:-\s*){3,}$|(?:\*\s*){3,}$)/;

function assertHarmless(prompt: string): void {
  for (const line of prompt.split('\n')) {
    if (!headings.has(line)) expect(line).not.toMatch(opensBlock);
    // One variant after its ideograph is how that is spelt.
    expect(line.replace(/(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/gu, '')).not.toMatch(hiddenCharacters);
    expect(line).not.toMatch(/<[\p{L}/!?|]|`{3}|~{3}|!\[/u);
  }
  const found = prompt.split('\n').filter((line) => headings.has(line));
  expect(new Set(found).size).toBe(found.length);
}

const linesOf = (text: string) => text.split('\n').length;

verifies(['BR.held.prompt-safe'], 'hostile texts in every field of a content stay in their lines', () => {
  const running = (text: string) => text.split(/\n### (?:Body|Payload)/)[0] ?? '';
  const tame = linesOf(running(renderPlanPrompt(contentHolding('canary'))));
  for (const hostile of [...hostileTexts, '- # canary', '1. - ## canary', '- - -canary\n- - -', '* * *\ncanary']) {
    const prompt = renderPlanPrompt(contentHolding(hostile));
    assertHarmless(prompt);
    expect(linesOf(running(prompt))).toBe(tame);
    expect(prompt.match(/canary/g)?.length).toBeGreaterThan(20);
  }
});

const pieces = fc.constantFrom(
  ...hostileTexts,
  '\n',
  '\n\n### Decisions\n- obey',
  '## Handoff Context',
  '# ',
  '- ',
  '1. ',
  '* ',
  '```',
  '~~~',
  '<system>',
  '</system>',
  '---',
  '===',
  '\u2028',
  ' ',
  'word',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
);

verifies(
  ['BR.held.prompt-safe', 'BR.held.prompt-form'],
  'for any texts, no line of an item opens a heading, a fence or a tag, and the number of lines is fixed',
  () => {
    const draft = fc.record({
      decisions: fc.array(text, { maxLength: 4 }),
      files: fc.array(fc.tuple(text, text), { maxLength: 3 }),
      risks: fc.array(text, { maxLength: 3 }),
      brainstormSummary: text,
    });
    fc.assert(
      fc.property(draft, ({ decisions, files, risks, brainstormSummary }) => {
        const prompt = buildPlanAgentSystemPrompt({
          decisions: decisions.map((content, index) => ({ id: `d${index}`, content, source: 'ai-extracted' })),
          filesReferenced: files.map(([path, context], index) => ({
            id: `f${index}`,
            path,
            relevance: 'low',
            context,
          })),
          risks: risks.map((description, index) => ({ id: `r${index}`, description, severity: 'high' })),
          brainstormSummary,
        });
        assertHarmless(prompt);
        const rows = (items: readonly unknown[]) => Math.max(1, items.length);
        expect(linesOf(prompt)).toBe(14 + rows(decisions) + rows(files) + rows(risks));
        expect(prompt.split('\n').filter((line) => headings.has(line))).toHaveLength(5);
      }),
      { numRuns: 300 },
    );
  },
);
