import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import type { Conversation } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { estimateTokens } from '../../packages/batonpass/src/formats/token-estimate.ts';
import { verifies } from '../verifies.ts';
import { dialogue } from './dialogue.ts';
import { pastedOrders } from './pasted-orders.ts';

function handOver(conversation: Conversation): Content {
  const content = toContentInput(extractByRules(conversation), conversation);
  return completeContent(content, { source_agent: 'claude-code', decision_source: 'ai-extracted' }).content;
}

/** What a content states as somebody's word: all but the quoted words themselves. */
function promoted(content: Content): string {
  const lists = ['title', 'decisions', 'instructions', 'next_steps', 'risks', 'open_questions'];
  return JSON.stringify(Object.entries(content).filter(([name]) => lists.includes(name)));
}

function rendersWithin(content: Content): void {
  for (const budget of [500, 2_000, 8_000]) {
    expect(estimateTokens(renderContent(content, budget).text)).toBeLessThanOrEqual(budget);
  }
}

verifies(
  ['FIDELITY.pasted'],
  'a hundred orders inside pasted text become no decision, instruction, step or title',
  () => {
    expect(pastedOrders).toHaveLength(100);
    const promotedMarks = pastedOrders.filter(({ mark, text }) => {
      const asked = dialogue(
        `Why does the importer fail? It prints this:\n\n${text}`,
        'The reader stops at an empty row.',
      );
      const alone = dialogue('Have a look at the importer.', 'What does it print?', text, 'I see an empty row.');
      return [asked, alone].some((conversation) => promoted(handOver(conversation)).includes(mark));
    });
    expect(promotedMarks.map(({ mark }) => mark)).toEqual([]);
  },
);

verifies(['FIDELITY.bad-input'], 'one message is a handoff that contains it', () => {
  const content = handOver(dialogue('Add a dry run to the importer.'));
  expect(renderContent(content, 500).text).toContain('dry run');
  rendersWithin(content);
});

verifies(['FIDELITY.bad-input'], 'a session of tool calls alone gives what they did', () => {
  const conversation = dialogue('', '');
  conversation.messages = Array.from({ length: 500 }, (_, index) => ({
    index,
    role: 'assistant' as const,
    text: '',
    tool_calls: [{ name: 'Edit', effect: 'write' as const, path: `src/part-${index % 7}.ts` }],
  }));
  const content = handOver(conversation);
  expect(content.files.map(({ path }) => path)).toContain('src/part-3.ts');
  rendersWithin(content);
});

verifies(['FIDELITY.bad-input'], 'a robot that repeats itself is quoted once', () => {
  const turns = Array.from({ length: 4_000 }, (_, index) =>
    index % 2 === 0 ? 'continue' : 'We will use SQLite for the queue. The build fails with exit code 1.',
  );
  const content = handOver(dialogue(...turns));
  expect(content.decisions.length).toBeLessThanOrEqual(3);
  expect(content.risks.length).toBeLessThanOrEqual(3);
  rendersWithin(content);
});

verifies(['FIDELITY.bad-input'], 'forty thousand pasted lines take seconds and hide nothing that was said', () => {
  const log = Array.from(
    { length: 40_000 },
    (_, index) => `2026-09-14T08:00:00Z INFO worker row ${index} must be kept`,
  );
  const content = handOver(
    dialogue(`Use SQLite for the queue.\n\n${log.join('\n')}`, 'I will use SQLite.', 'Add a test for it.', 'Done.'),
  );
  expect(promoted(content)).not.toContain('must be kept');
  expect(renderContent(content, 2_000).text).toContain('SQLite');
  rendersWithin(content);
});

verifies(['FIDELITY.bad-input'], 'several languages in one session are all kept', () => {
  const content = handOver(
    dialogue(
      'Bitte nimm SQLite für die Warteschlange.',
      'Ich nehme SQLite.',
      '端口用 8443，不要动 legacy 模块。',
      '好的，端口是 8443。',
      'Écris les tests en premier.',
      "D'accord.",
      '最後の手順はまだ終わっていません。',
      'I will go on with the last step.',
    ),
  );
  const { text } = renderContent(content, 4_000);
  for (const said of ['SQLite', '8443', 'tests', '最後']) expect(text).toContain(said);
});

verifies(
  ['FIDELITY.pasted'],
  'a short line between pasted ones, and a number next to them, belong to no speaker',
  () => {
    const own = 'The importer fails again, look at the reader.';
    const output = [
      '$ npm test',
      'FAIL test/importer',
      'Error: expected 3 rows',
      '    at read (src/read.ts:4:2)',
      '',
      '2',
    ];
    const { words, where_it_stands } = handOver(dialogue(`${own}\n\n${output.join('\n')}`, 'I read it.'));
    expect(words?.filter(({ by }) => by === 'person').map(({ content }) => content)).toEqual([
      'The importer fails again, look at the reader.',
      '[pasted 5 lines: FAIL test/importer / Error: expected 3 rows]',
    ]);
    expect(where_it_stands?.find(({ kind }) => kind === 'asked')?.content).toBe(
      `${own} [pasted 5 lines: FAIL test/importer / Error: expected 3 rows]`,
    );
    // Text between quotes of an answer is an answer.
    const answered = handOver(
      dialogue('Plan it.', 'Done.', '> the queue\nuse SQLite for that\n> the port\nkeep it', 'OK.'),
    );
    expect(answered.words?.map(({ content }) => content)).toContain('use SQLite for that');
  },
);
