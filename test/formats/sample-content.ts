import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';

/** A content as a writer gives it, completed. */
export function sampleContent(input: ContentInput = {}): Content {
  return completeContent(
    { title: 'Add login', summary: 'Login by signed tokens.', ...input },
    { source_agent: 'planner' },
  ).content;
}

/** A content with one text in every field that takes any text. */
export function contentHolding(text: string): Content {
  const evidence = { transcript: text, message: 4, quote: text };
  return {
    kind: 'context',
    title: text,
    summary: text,
    body: text,
    task_id: text,
    source_agent: text,
    target_agent: text,
    scope: text,
    phase: text,
    origin: { host: text, session: text, branch: text, worktree: text, commit: text, trace: text },
    decisions: [
      { id: text, content: text, source: 'user-pinned', supersedes: [text], evidence },
      { id: 'd2', content: `before ${text} after`, source: 'ai-extracted' },
    ],
    files: [
      {
        id: text,
        path: text,
        relevance: 'high',
        context: text,
        evidence,
        git: { lines: text, commit: text, dirty: true },
      },
    ],
    risks: [{ id: text, description: text, severity: 'high', evidence }],
    where_it_stands: [{ id: text, kind: 'asked', content: text, evidence }],
    instructions: [{ id: text, content: text, source: 'user-pinned', evidence }],
    environment: [{ id: text, content: text, source: 'mechanical', evidence }],
    words: [
      { id: text, message: 3, by: 'person', content: `${text} was asked`, rank: 0 },
      { id: 'w2', message: 4, by: 'agent', content: `${text} was answered`, rank: 1 },
    ],
    tried: [{ what: text, outcome: text }],
    next_steps: [text],
    open_questions: [text],
    results: [{ description: text, status: 'failed', artifacts: [text], notes: text }],
    references: [{ type: text, identifier: text, title: text, path: text, url: text }],
    context_snapshot: { decision_ids: [text], warning_ids: [text], finding_ids: [text], summaries: [text] },
    payload: { [text]: [text] },
    extra: { [text]: text },
  };
}
