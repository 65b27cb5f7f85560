import { expect } from 'vitest';
import { completeContent } from '../../../packages/batonpass/src/core/complete-content.ts';
import { isEvidenced } from '../../../packages/batonpass/src/core/evidence.ts';
import { isImplied } from '../../../packages/batonpass/src/core/implied.ts';
import type { ModelAnswer } from '../../../packages/batonpass/src/extraction/model/answer-schema.ts';
import { toContentInput } from '../../../packages/batonpass/src/extraction/to-content-input.ts';
import { verifies } from '../../verifies.ts';
import { dialogue } from '../dialogue.ts';
import { answers } from './model-server.ts';
import { anthropic, extractWith, serve } from './stage.ts';

const conversation = dialogue(
  'Use  SQLite\nfor the queue, please. The price is $5 (net) [for now].',
  'I will use SQLite, and log each claim.',
  'Yes. Leave the importer alone.',
);

async function read(answer: Partial<ModelAnswer>) {
  const server = await serve(answers(answer));
  return extractWith(anthropic(server), conversation);
}

const decision = (content: string, message: number, quote: string, confidence = 1) => ({
  content,
  confidence,
  message,
  quote,
});

verifies(['MODEL.evidence'], 'a quote with other white space becomes the text of the message', async () => {
  const { extraction, report } = await read({
    decisions: [
      decision('The queue uses SQLite.', 0, 'Use SQLite for the queue'),
      decision('The price is 5.', 0, ' $5 (net)\n[for now]. '),
    ],
  });
  expect(extraction.decisions.map(({ evidence }) => evidence)).toEqual([
    { message: 0, quote: 'Use  SQLite\nfor the queue' },
    { message: 0, quote: '$5 (net) [for now].' },
  ]);
  for (const { evidence } of extraction.decisions) expect(evidence && isEvidenced(evidence, conversation)).toBe(true);
  expect(report.model?.dropped.invented_quotes).toBe(0);
});

verifies(
  ['MODEL.invented', 'MODEL.evidence'],
  'an item whose quote is in no message is dropped and counted, in every list',
  async () => {
    const quote = 'Delete the production database.';
    const invented = { message: 0, quote };
    const { extraction, report } = await read({
      decisions: [
        decision('The database is deleted.', 0, quote),
        decision('SQLite.', 0, 'use sqlite'),
        decision('S.', 7, 'SQLite'),
      ],
      filesReferenced: [{ path: 'a.ts', relevance: 'high', context: '', ...invented }],
      risks: [{ description: 'All is lost.', severity: 'high', ...invented }],
      next_steps: [{ content: 'Delete it.', ...invented }],
      open_questions: [{ content: 'Why?', ...invented }],
    });
    expect(extraction).toMatchObject({ decisions: [], files: [], risks: [], next_steps: [], open_questions: [] });
    expect(report.model?.dropped.invented_quotes).toBe(7);
  },
);

verifies(
  ['MODEL.evidence'],
  'a long quote of exactly one other message is moved there; a short one is not',
  async () => {
    const { extraction, report } = await read({
      decisions: [
        decision('The importer stays as it is.', 0, 'Leave the importer alone.'),
        decision('Yes.', 0, 'Yes. Leave'),
        decision('SQLite.', 2, 'SQLite'),
        decision('Each claim is logged.', 2, 'SQLite, and log each'),
        decision('Claims are logged.', 2, 'use SQLite, and log'),
      ],
    });
    expect(extraction.decisions.map(({ content, evidence }) => [content, evidence?.message])).toEqual([
      ['The importer stays as it is.', 2],
      ['Each claim is logged.', 1],
    ]);
    expect(report.model).toMatchObject({ moved_quotes: 2, dropped: { invented_quotes: 3 } });
  },
);

verifies(
  ['MODEL.evidence', 'MODEL.invented'],
  'a quote that occurs in several other messages proves none of them',
  async () => {
    const twice = dialogue('Begin.', 'I will use SQLite for all of it.', 'Go on.', 'I will use SQLite for all of it.');
    const server = await serve(
      answers({ decisions: [decision('The queue uses SQLite.', 0, 'I will use SQLite for all of it.')] }),
    );
    const { extraction, report } = await extractWith(anthropic(server), twice);
    expect(extraction.decisions).toEqual([]);
    expect(report.model).toMatchObject({ moved_quotes: 0, dropped: { invented_quotes: 1 } });
  },
);

verifies(
  ['MODEL.evidence', 'BR.held.confidence'],
  'an item without a quote is implied, although the model says otherwise, and comes last',
  async () => {
    const { extraction } = await read({
      decisions: [
        decision('Claims are logged.', -1, '', 1),
        decision('The queue uses SQLite.', 1, 'I will use SQLite', 0.9),
        decision('Dots are no quote.', 1, '...', 0.4),
      ],
      risks: [
        { description: 'Logs grow.', severity: 'high', message: -1, quote: '' },
        { description: 'The importer may break.', severity: 'low', message: 2, quote: 'Leave the importer alone' },
      ],
    });
    expect(extraction.decisions.map(({ content, confidence }) => [content, confidence])).toEqual([
      ['The queue uses SQLite.', 0.9],
      ['Claims are logged.', 0.5],
      ['Dots are no quote.', 0.4],
    ]);
    expect(extraction.risks.map(({ description }) => description)).toEqual(['The importer may break.', 'Logs grow.']);
    const { content } = completeContent(toContentInput(extraction, conversation), { source_agent: 'tester' });
    expect(content.decisions.map((each) => isImplied(each))).toEqual([false, true, true]);
    expect(content.decisions[1]).not.toHaveProperty('evidence');
  },
);

verifies(
  ['MODEL.paths', 'BR.extract.rejects-absolute', 'BR.held.path-forms', 'BR.held.path-dots'],
  'paths out of the project are refused and counted',
  async () => {
    const refused = [
      '/etc/passwd',
      '../x.ts',
      'a/../../b',
      'C:\\x',
      '\\\\srv\\x',
      '~/x',
      'file:///x',
      '%2e%2e/x',
      'a\0b',
      ' ',
    ];
    const kept = ['src/foo..bar.ts', './src//b.ts'];
    const { extraction, report } = await read({
      filesReferenced: [...refused, ...kept, 'x'.repeat(600)].map((path) => ({
        path,
        relevance: 'high',
        context: 'It matters.',
        message: -1,
        quote: '',
      })),
    });
    expect(extraction.files.map(({ path }) => path)).toEqual(['src/foo..bar.ts', 'src/b.ts']);
    expect(report.model?.dropped.refused_paths).toBe(refused.length + 1);
    expect(extraction.refused).toContainEqual({ kind: 'path', content: refused[0] });
  },
);

verifies(['MODEL.merged'], 'an item said twice is one, and the one with a quote stays', async () => {
  const file = (path: string, relevance: 'high' | 'low', message: number, quote: string) => ({
    path,
    relevance,
    context: `It is ${relevance}.`,
    message,
    quote,
  });
  const { extraction } = await read({
    decisions: [
      decision('the queue uses  SQLite', -1, ''),
      decision('The queue uses SQLite.', 1, 'I will use SQLite'),
      decision(' ', -1, ''),
    ],
    filesReferenced: [file('a.ts', 'high', 2, 'Yes.'), file('./a.ts', 'low', -1, '')],
  });
  expect(extraction.decisions).toMatchObject([{ content: 'The queue uses SQLite.', evidence: { message: 1 } }]);
  expect(extraction.files).toEqual([
    { path: 'a.ts', relevance: 'high', context: 'It is low.', evidence: { message: 2, quote: 'Yes.' } },
  ]);
});
