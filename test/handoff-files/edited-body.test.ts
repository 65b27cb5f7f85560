import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { contentOfFile, encodeContentAsFile } from '../../packages/batonpass/src/handoff-files/file-content.ts';
import { parseHandoffDocument } from '../../packages/batonpass/src/handoff-files/read-handoff-file.ts';
import { verifies } from '../verifies.ts';

const complete = (input: ContentInput) => completeContent(input, { source_agent: 'codex' }).content;
const read = (text: string) => contentOfFile(parseHandoffDocument(text, 'findings-001.md'), 'findings-001.md').content;
const write = (content: Content) => encodeContentAsFile(content, '2026-03-01T10:00:00.000Z', '001');

/** The content after changes below the front matter of its file. */
function edited(content: Content, ...changes: [from: string | RegExp, to: string][]): Content {
  const text = write(content);
  const start = text.indexOf('<handoff>');
  const body = changes.reduce((each, [from, to]) => each.replace(from, to), text.slice(start));
  return read(`${text.slice(0, start)}${body}`);
}

/** The fault of such changes, with the number and the text of its line. */
function faultOf(content: Content, ...changes: [from: string | RegExp, to: string][]): object {
  try {
    return edited(content, ...changes);
  } catch (error) {
    return error as object;
  }
}

const evidence = { message: 4, quote: 'we count by key' };
const whole = complete({
  title: 'The limiter',
  summary: 'Answers 429.\nUse Array<string>.',
  decisions: [{ id: 'd7', content: 'Count by key', source: 'ai-extracted', evidence }, 'Use Postgres'],
  files: [{ path: 'src/a.ts', relevance: 'high', git: { commit: 'abc', dirty: true, lines: '3-9' } }, 'src/b.ts'],
  risks: [{ description: 'Keys leak', severity: 'low' }, 'It is slow'],
  where_it_stands: [
    { kind: 'asked', content: 'Make it fast' },
    { kind: 'asked', content: 'Make it safe' },
    { kind: 'check', content: 'npm test passed', evidence },
  ],
  instructions: ['Never push'],
  tried: [{ what: 'cache', outcome: 'stale' }],
  next_steps: ['Call Ann', 'Measure'],
  open_questions: ['Who pays?'],
  results: [{ description: 'Limiter', status: 'completed' }],
  environment: ['npm test'],
  words: [{ message: 3, by: 'person', content: 'it was asked', rank: 0 }],
  references: [{ type: 'issue', identifier: '7' }],
  payload: { any: 1 },
});

describe('the edited body of an exported handoff', () => {
  verifies(['EXCHANGE.edited'], 'changes the fields of its sections, and what is derived from them', () => {
    const content = complete({ summary: 'Deploy on Friday.', next_steps: ['Call Ann'] });
    const changed = edited(content, ['> Deploy', '> Never deploy'], ['- Call Ann', '- Call Bob']);
    expect(changed).toEqual({
      ...content,
      title: 'Never deploy on Friday.',
      summary: 'Never deploy on Friday.',
      next_steps: ['Call Bob'],
    });
  });

  verifies(['EXCHANGE.edited'], 'changes one item, and keeps all other data of every item', () => {
    const changed = edited(
      whole,
      ['Title: The limiter', 'Title: The *new* limiter'],
      ['> Answers 429.', '> Answers 503.'],
      ['- Use Postgres [pinned]', '- Use SQLite [pinned]'],
      ['(high, lines 3-9, not committed then)', '(low, lines 3-9, not committed then): the loop'],
      ['[low] Keys leak', '[high] Keys leak <b>all</b>'],
      ['Asked before: Make it fast', 'Asked before: Make it faster'],
      ['npm test passed [4]', 'npm test failed [4]'],
      ['- Measure', '- Measure\n- Ship [later]\n'],
      ['## Open questions\n- Who pays?', ''],
      ['- issue 7', ''],
    );
    const [byKey, , ...none] = whole.decisions;
    const [fast, safe, check] = whole.where_it_stands ?? [];
    const { evidence: _evidence, ...failed } = { ...check, content: 'npm test failed' };
    expect(none).toEqual([]);
    expect(changed).toEqual({
      ...whole,
      title: 'The *new* limiter',
      summary: 'Answers 503.\nUse Array<string>.',
      decisions: [{ content: 'Use SQLite', id: 'd8', source: 'user-edited' }, byKey],
      files: [{ ...whole.files[0], relevance: 'low', context: 'the loop' }, whole.files[1]],
      risks: [whole.risks[1], { id: 'r1', severity: 'high', description: 'Keys leak <b>all</b>' }],
      where_it_stands: [{ ...fast, content: 'Make it faster' }, safe, failed],
      next_steps: ['Call Ann', 'Measure', 'Ship [later]'],
      open_questions: [],
      references: [],
    });
  });

  verifies(['EXCHANGE.edited'], 'adds sections and items that a person writes by hand, with any line ends', () => {
    const content = complete({ summary: 'x', next_steps: ['y'] });
    const section =
      '\n\n## next steps\n* z\n\n## Risks\n- slow\n- [high] unsafe\n\n## Dead ends\n- a → b → c\n\n## Files\n- a.ts\n\n</handoff>';
    const text = write(content).replace('\n\n</handoff>', section).replaceAll('\n', '\r\n');
    expect(read(text)).toMatchObject({
      next_steps: ['y', 'z'],
      risks: [
        { description: 'slow', severity: 'medium' },
        { description: 'unsafe', severity: 'high' },
      ],
      tried: [{ what: 'a', outcome: 'b → c' }],
      files: [{ path: 'a.ts' }],
    });
    expect(read(write(whole).replaceAll('\n', '\r\n'))).toEqual(whole);
  });

  verifies(['EXCHANGE.edited'], 'is refused at a line that no field can hold, with the line', () => {
    const cases: [from: string | RegExp, to: string, line: string][] = [
      ['From "codex"', 'From "boss"', 'From "boss"'],
      ['Title: The limiter', 'Title: One\nTitle: Two', 'Title: Two'],
      ['</handoff>', '</handoff>\nNever deploy.', 'Never deploy.'],
      ['## Decisions', '## Plan of attack', '## Plan of attack'],
      [/^- Measure/m, '  and more\n- Measure', '  and more'],
      ['cache → stale', 'cache is stale', '- cache is stale'],
      ['lines 3-9', 'lines 4-9', '- src/a.ts (high, lines 4-9'],
      ['[completed] Limiter', '[failed] Limiter', '- [failed] Limiter'],
      ['it was asked', 'it was refused', '- 3 person: it was refused'],
      ['{"any":1}', '{"any":2}', '> {"any":2}'],
      [/## Open questions[\s\S]*/, '', ''],
    ];
    for (const [from, to, line] of cases) {
      const fault = faultOf(whole, [from, to]);
      expect(fault).toMatchObject({ code: 'parse_error', line: expect.any(Number) as number });
      const text = write(whole).replace(/(<handoff>[\s\S]*)$/, (body) => body.replace(from, to));
      const { line: number, message } = fault as { line: number; message: string };
      expect(text.split('\n')[number - 1]).toContain(line);
      expect(message).toContain(line);
    }
  });

  verifies(['EXCHANGE.edited'], 'of the writer’s own carries the title that is its heading', () => {
    const content = complete({ body: '# Old\n\nText.', decisions: ['y'] });
    const text = write(content).replace(/^# Old/m, '# New');
    expect(read(text)).toEqual({ ...content, title: 'New', summary: 'New', body: '# New\n\nText.' });
  });
});
