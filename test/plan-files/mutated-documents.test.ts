import fc from 'fast-check';
import { expect } from 'vitest';
import { HandoffError } from '../../packages/batonpass/src/index.ts';
import {
  changeConfig,
  findConfigFaults,
  readConfig,
  renderConfig,
} from '../../packages/batonpass/src/plan-files/documents/config-document.ts';
import { editLines, readLines } from '../../packages/batonpass/src/plan-files/documents/document-lines.ts';
import { readPlan } from '../../packages/batonpass/src/plan-files/documents/plan-document.ts';
import { findPlanFaults } from '../../packages/batonpass/src/plan-files/documents/plan-findings.ts';
import { updatePlanProgress } from '../../packages/batonpass/src/plan-files/documents/plan-progress.ts';
import { writeExistingPlan } from '../../packages/batonpass/src/plan-files/documents/plan-writing.ts';
import { changeReferences } from '../../packages/batonpass/src/plan-files/documents/references-changes.ts';
import { readReferences } from '../../packages/batonpass/src/plan-files/documents/references-document.ts';
import { describePlan } from '../../packages/batonpass/src/plan-files/plan-answers.ts';
import { verifies } from '../verifies.ts';
import { restartingPlan, samplePlan } from './sample-plan.ts';

/** `npm run soak -- plan` sets more. */
const MUTATIONS = Number(process.env.BATON_PLAN_MUTATIONS ?? 750);

const config = {
  plan_type: 'implementation',
  technology: 'java',
  build_system: 'maven',
  compatibility: 'breaking',
  commit_strategy: 'complete',
  finalizing: 'pr-workflow',
  branch: 'feature/a',
  issue: '[#1](https://example.com/1)',
} as const;

const references = changeReferences(
  changeReferences('# References\n', { action: 'add', type: 'adr', identifier: 'ADR-001', title: 'T', path: 'a.md' })
    .text,
  { action: 'add', type: 'file', identifier: 'src/a.ts' },
).text;

const pieces = fc.constantFrom(
  ...[
    '\n',
    '\r\n',
    '\r',
    '\uFEFF',
    '```\n',
    '~~~\n',
    '<!--',
    '-->',
    '|',
    '\\',
    '\\|',
    '---\n',
    '**',
    '**Phase**: ',
    '`',
  ],
  ...[
    '## Phase: ',
    '## Phase: init (pending)\n',
    '### Task 1: x\n',
    '- [ ] ',
    '- [x] Add\n',
    '# ',
    ':',
    '(',
    ')',
    '[',
    ']',
  ],
  ...[
    '**Current Task**: ',
    '**Current Phase**: verify\n',
    '**Checklist**:\n',
    '| Phase | Status |\n|--|--|\n',
    '__proto__',
  ],
  ...[
    '\0',
    '\u2028',
    '💾',
    '\uD800',
    ' '.repeat(50),
    '## Related Files\n',
    '- [a](b)\n',
    '**Test Files**:\n',
    '| Branch | x |\n',
  ],
);

/** A text with some pieces put in, removed or repeated, at random positions. */
function mutated(base: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const edit = fc.record({
    at: place,
    length: fc.integer({ min: 0, max: 60 }),
    piece: pieces,
    kind: fc.integer({ min: 0, max: 2 }),
  });
  return fc.tuple(base, fc.array(edit, { minLength: 1, maxLength: 5 })).map(([text, edits]) =>
    edits.reduce((now, { at, length, piece, kind }) => {
      const start = Math.floor(at * now.length);
      const taken = now.slice(start, start + length);
      const put = kind === 0 ? piece : kind === 1 ? '' : taken + taken;
      return now.slice(0, start) + put + now.slice(start + (kind === 0 ? 0 : length));
    }, text),
  );
}

/** Runs what may refuse; anything but an expected error is a defect. */
function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof HandoffError) {
      expect(error.message).not.toBe('');
      expect(error.alternatives.length).toBeGreaterThan(0);
      return undefined;
    }
    throw error;
  }
}

/** The lines of a plan that an update may touch. */
const mayChange =
  /^(?:\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]|\s*\||## Phase|\*\*(?:Current Phase|Current Task|Status)(?::\*\*|\*\*:))/i;

verifies(
  ['PLAN.mutated', 'PLAN.lossless', 'PF.held.unknown-sections'],
  'a mutated plan is read whole and changed in its lines',
  () => {
    const update = fc.record({
      task_id: fc.constantFrom('task-1', 'task-3', 'task-4', 'task-5'),
      phase: fc.constantFrom('implement', 'verify', 'init'),
      status: fc.constantFrom('completed', 'in_progress', 'pending'),
      checklist_items: fc.constantFrom(undefined, [0], ['Add'], ['Check the signature']),
    });
    fc.assert(
      fc.property(
        mutated(fc.constantFrom(samplePlan, restartingPlan, samplePlan.replaceAll('\n', '\r\n'))),
        update,
        (text, given) => {
          expect(editLines(readLines(text), [])).toBe(text);
          findPlanFaults(readPlan(text));
          unlessRefused(() => describePlan(text));
          const after = unlessRefused(() => updatePlanProgress(text, { update: given as never }))?.text;
          if (after === undefined || after === text) return;
          const rest = new Map<string, number>();
          for (const line of after.split('\n')) rest.set(line, (rest.get(line) ?? 0) + 1);
          for (const line of text.split('\n')) {
            const left = rest.get(line) ?? 0;
            if (left > 0) rest.set(line, left - 1);
            // A byte order mark is before the first line, not in it.
            else expect(line.replace(/^\ufeff/, '')).toMatch(mayChange);
          }
          expect(unlessRefused(() => updatePlanProgress(after, { update: given as never }))?.text ?? after).toBe(after);
        },
      ),
      { numRuns: MUTATIONS },
    );
  },
);

verifies(['PLAN.mutated', 'PLAN.rewrite'], 'a mutated plan is written again, and again the same', () => {
  const content = {
    title: 'New',
    phases: ['init', 'refine', 'implement', 'review', 'verify', 'finalize'],
    tasks: [{ id: 'task-40', name: 'n', phase: 'finalize', goal: 'g', checklist: ['Add', 'c'] }],
  };
  fc.assert(
    fc.property(mutated(fc.constant(samplePlan)), (text) => {
      const after = unlessRefused(() => writeExistingPlan(text, content));
      if (after !== undefined) expect(unlessRefused(() => writeExistingPlan(after, content))).toBe(after);
    }),
    { numRuns: Math.ceil(MUTATIONS / 2) },
  );
});

verifies(['PLAN.rewrite'], 'the lines at the top stay above a phase whose heading changes with them', () => {
  const phases = ['init', 'refine', 'implement', 'verify', 'finalize'];
  const written = writeExistingPlan(`# T\n## Phase: init (pending)\n    ${samplePlan}`, { phases });
  const lines = written.split('\n').filter((line) => line !== '');
  expect(lines.slice(0, 3).map((line) => line.split(':')[0])).toEqual(['# T', '**Current Phase**', '**Current Task**']);
});

verifies(['PLAN.mutated', 'PF.config.form'], 'a mutated configuration says what it was given', () => {
  fc.assert(
    fc.property(mutated(fc.constant(renderConfig(config))), (text) => {
      findConfigFaults(text);
      unlessRefused(() => readConfig(text));
      const after = changeConfig(text, config);
      expect(unlessRefused(() => readConfig(after))).toEqual(config);
      expect(changeConfig(after, config)).toBe(after);
    }),
    { numRuns: Math.ceil(MUTATIONS / 2) },
  );
});

verifies(['PLAN.mutated', 'PF.references.form'], 'mutated references take one more, and give it back', () => {
  const name = fc.oneof(pieces, fc.string({ minLength: 1, maxLength: 20 }), fc.constant('src/new.ts'));
  fc.assert(
    fc.property(mutated(fc.constant(references)), name, (text, identifier) => {
      if (identifier.trim() === '' || !identifier.isWellFormed()) return;
      const change = { type: 'file', identifier: identifier.trim() } as const;
      const added = unlessRefused(() => changeReferences(text, { ...change, action: 'add' }));
      if (added === undefined) return;
      const { text: after, changes } = added;
      expect(changeReferences(after, { ...change, action: 'add' })).toEqual({ text: after, changes: [] });
      if (changes.length === 0) return;
      const { text: removed } = changeReferences(after, { ...change, action: 'remove' });
      expect(readReferences(removed).references).toHaveLength(readReferences(text).references.length);
    }),
    { numRuns: Math.ceil(MUTATIONS / 2) },
  );
});

verifies(['PLAN.mutated'], 'documents that are made to take long take no longer than others', () => {
  const long = (piece: string) => piece.repeat(Math.floor(100_000 / piece.length));
  const texts = [
    ...[' ', '\\', '`', '|', '[', '(', '<!--', '**', '#', '- [ ] ', '---', '"', '\t'].map((piece) => `${long(piece)}x`),
    ...['| a |\n', '### Task 1: x\n', '## Phase: x\n', '- [ ] x\n', '```\n', '    ```\n', '**Phase**: x\n', '\n'].map(
      long,
    ),
    `- ${long(' ')}x`,
    `**Goal**: ${long('`')}x`,
    `| Phase | Status |\n|---|---|\n${Array.from({ length: 5_000 }, (_, index) => `| p${index} | pending |\n`).join('')}`,
    `**Implementation Files**:\n- a${long(' ')}(b`,
  ];
  for (const text of texts) {
    const around = [`## Related Files\n${text}`, samplePlan.replace('- [ ] Add\n', `- [ ] Add\n${text}\n`)];
    for (const document of around) {
      findPlanFaults(readPlan(document));
      unlessRefused(() => updatePlanProgress(document, { update: { task_id: 'task-3', status: 'completed' } }));
      unlessRefused(() =>
        writeExistingPlan(document, { title: 'x', tasks: [{ name: 'n', phase: 'verify', goal: 'g' }] }),
      );
      unlessRefused(() => readConfig(document));
      unlessRefused(() => changeReferences(document, { action: 'add', type: 'file', identifier: 'a' }));
      unlessRefused(() => changeReferences(document, { action: 'update', type: 'file', identifier: 'a', title: 'b' }));
    }
  }
});
