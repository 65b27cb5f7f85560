import matter from 'gray-matter';
import { parseDocument } from '../packages/batonpass/src/formats/markdown/document.ts';
import { interleave, type Metric, summarize } from './frame.ts';
import { filesTargets } from './targets.ts';

const files = 10_000;
const rounds = 7;

/** Reads the same documents with the front matter of agents and planners by gray-matter and by Baton, alternately. */
export function measureFrontMatter(): Metric[] {
  const texts = Array.from({ length: files }, (_, index) => createDocument(index));
  assertSameWork(texts);
  const [theirs = [], ours = []] = interleave(
    [
      () => {
        // With options it keeps no copies: every text would be read once only.
        for (const text of texts) matter(text, {});
      },
      () => {
        for (const text of texts) parseDocument(text, 'a.md');
      },
    ],
    rounds,
  );
  const [other, mine] = [summarize(theirs), summarize(ours)];
  const note = `n = ${rounds} × ${files}; ${mine.median.toFixed(0)} ms against ${other.median.toFixed(0)} ms`;
  return [{ ...filesTargets.frontMatter, value: other.median / mine.median, note }];
}

/** Both read every field of every document, and the same bodies. */
function assertSameWork(texts: readonly string[]): void {
  for (const text of texts.slice(0, 100)) {
    const { data, content } = matter(text, {});
    const { fields, body } = parseDocument(text, 'a.md');
    const isSame = Object.keys(data).join() === Object.keys(fields ?? {}).join() && content === body;
    if (!isSame) throw new Error(`Both must read the same of:\n${text}`);
  }
}

/** A third each: handoff files of source 1, plans, and summaries with nested values. */
function createDocument(index: number): string {
  const kinds = [createFindings, createPlan, createSummary];
  const create = kinds[index % kinds.length] ?? createFindings;
  return `---\n${create(index)}---\n# Document ${index}\n\nWhat was found, and what comes next.\n\n- one\n- two\n`;
}

function createFindings(index: number): string {
  return `version: '${String(index).padStart(3, '0')}'
type: findings
status: complete
created: '2026-01-24T15:30:00.000Z'
phase: '02-auth'
agent: researcher
confidence: high
`;
}

function createPlan(index: number): string {
  return `id: "01-${index}"
phase: 01-foundation
plan: ${index}
title: Set up the ${index}. part of the foundation
wave: 1
depends_on: ["01-01", "01-02"]
files_modified:
  - packages/app/package.json
  - packages/app/src/index.ts
estimated_tasks: 3
status: "pending"
`;
}

function createSummary(index: number): string {
  return `phase: 04-state-management
plan: ${index}
tags: [typescript, state-persistence, front-matter]

# Dependency graph
requires:
  - phase: 02-subagent-system
    provides: types of handoffs to follow
key-files:
  created:
    - src/types/state.ts
    - src/utils/state.ts
  modified: []
key-decisions:
  - "Use the first 8 characters (sufficient to find a conflict)"
  - 'Decisions are taken from the body'
duration: 2min
completed: 2026-01-24
`;
}
