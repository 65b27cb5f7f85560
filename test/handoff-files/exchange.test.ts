import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { HandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { toInstant } from '../../packages/batonpass/src/core/instant.ts';
import { contentOfFile, encodeContentAsFile } from '../../packages/batonpass/src/handoff-files/file-content.ts';
import { parseHandoffDocument } from '../../packages/batonpass/src/handoff-files/read-handoff-file.ts';
import { hostileTexts } from '../formats/hostile-texts.ts';
import { contentHolding } from '../formats/sample-content.ts';
import { verifies } from '../verifies.ts';

const handWritten = `---
version: 001
type: problem # seen on staging
status: partial
created: 2026-01-24 15:30
phase: 02
agent: researcher
severity: blocker
related_task: rate-limit
odd:
  - 1
  - two
---

# The limiter loses counts

It forgets them when it is restarted.`;

const read = (text: string) => contentOfFile(parseHandoffDocument(text, 'problem-001.md'), 'problem-001.md');
const write = (text: string, version = '001') => {
  const { content, created_ms } = read(text);
  return encodeContentAsFile(content, toInstant(created_ms), version);
};

const at = '2026-03-01T10:00:00.000Z';
const complete = (input: ContentInput) => completeContent(input, { source_agent: 'codex' });

describe('a handoff file as a record', () => {
  verifies(['EXCHANGE.mapping'], 'has its fields where the record names them, and the rest in extra', () => {
    const { content, created_ms } = read(handWritten);
    expect(content).toMatchObject({
      kind: 'problem',
      title: 'The limiter loses counts',
      source_agent: 'researcher',
      phase: '02',
      task_id: 'rate-limit',
      body: '\n# The limiter loses counts\n\nIt forgets them when it is restarted.',
      extra: { version: '001', status: 'partial', severity: 'blocker', odd: [1, 'two'] },
    });
    expect(created_ms).toBe(Date.parse('2026-01-24 15:30'));
  });

  verifies(['EXCHANGE.file-bytes'], 'is written again with the same bytes', () => {
    const forms = [
      handWritten,
      handWritten.replaceAll('\n', '\r\n'),
      `\ufeff${handWritten}`,
      handWritten.replace('---\n\n#', '---\n---\n#'),
      `---\nversion: '001'\ntype: plan\nstatus: complete\ncreated: '${at}'\nphase: a\nagent: b\ntasks_created: 0\ntask_ids: []\n---\n`,
    ];
    expect(forms.map((form) => write(form))).toEqual(forms);
  });

  verifies(['EXCHANGE.next-version'], 'differs in its version alone when it is written as another', () => {
    expect(write(handWritten, '012')).toBe(handWritten.replace('version: 001', "version: '012'"));
  });
});

describe('a record as a handoff file', () => {
  verifies(['EXCHANGE.record-whole'], 'comes back with the same content, with all of its fields', () => {
    const texts = fc
      .oneof(fc.string({ minLength: 1 }), fc.constantFrom(...hostileTexts))
      .filter((text) => text.trim() !== '' && text.isWellFormed());
    const inputs = fc.record(
      {
        kind: fc.constantFrom('context', 'findings', 'plan', 'problem', 'result'),
        summary: texts,
        body: fc.string().filter((text) => text.isWellFormed()),
        phase: texts.map((text) => text.slice(0, 100).toWellFormed()).filter((text) => text.trim() !== ''),
        task_id: fc.constantFrom('rate-limit', 'none', '007'),
        decisions: fc.array(texts, { maxLength: 3 }),
        extra: fc.dictionary(
          fc.constantFrom('status', 'version', 'odd', 'front_matter', 'content_json'),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: ['summary'] },
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const { content, content_sha256 } = complete(input as ContentInput);
        const back = read(encodeContentAsFile(content, at, '003'));
        expect(back.content.body ?? '').toBe(content.body ?? back.content.body ?? '');
        expect(withoutVersion(back.content)).toEqual(withoutVersion(content));
        expect(content_sha256).toBe(complete(content).content_sha256);
      }),
      { numRuns: 300 },
    );
  });

  verifies(['EXCHANGE.record-whole'], 'with every field filled comes back byte for byte', () => {
    const content = contentHolding('a | b\n## Phase');
    expect(read(encodeContentAsFile(content, at, '001')).content).toEqual(content);
  });

  verifies(['EXCHANGE.edited'], 'counts what somebody changed in it', () => {
    const { content } = complete({ summary: 'The limiter answers 429', decisions: ['Count by key'], body: '# Old\n' });
    const text = encodeContentAsFile(content, at, '001')
      .replace('agent: codex', 'agent: reviewer')
      .replace('confidence: medium', 'confidence: high\nreviewed: yes')
      .replace(/# Old\n$/, '# New\n');
    expect(read(text).content).toMatchObject({
      source_agent: 'reviewer',
      body: '# New\n',
      decisions: [{ content: 'Count by key' }],
      extra: { confidence: 'high', reviewed: 'yes' },
    });
  });

  verifies(['EXCHANGE.refused'], 'too large for front matter is refused with its size', () => {
    const { content } = complete({ summary: 'x', decisions: Array.from({ length: 400 }, () => 'y'.repeat(1_000)) });
    expect(() => encodeContentAsFile(content, at, '001')).toThrow(
      expect.objectContaining({ code: 'too_large', alternatives: expect.any(Array) }) as HandoffError,
    );
  });

  verifies(['EXCHANGE.edited'], 'says where a content that was carried along is broken', () => {
    const { content } = complete({ summary: 'x', decisions: ['y'] });
    const text = encodeContentAsFile(content, at, '001').replace(/content_json: .*/, 'content_json: \'{"kind":7}\'');
    expect(() => read(text)).toThrow(/content_json/);
    expect(() => read(text)).toThrow(HandoffError);
  });
});

/** What the file itself adds: its version, and the spelling of its front matter. */
function withoutVersion({ extra, ...content }: { extra?: Record<string, unknown> }): object {
  const { version: _version, front_matter: _text, ...rest } = extra ?? {};
  return { ...content, extra: rest };
}
