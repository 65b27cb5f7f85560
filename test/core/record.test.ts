import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { encodeCanonicalJson, hashJson, toJson } from '../../packages/batonpass/src/core/canonical-json.ts';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { HandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { parseInput } from '../../packages/batonpass/src/core/input.ts';
import { computeOutcome } from '../../packages/batonpass/src/core/outcome.ts';
import { isScopeMatch, listScopeAncestors, normalizeScope } from '../../packages/batonpass/src/core/scope.ts';
import {
  compareVersionNumbers,
  isVersionNumber,
  nextVersionNumber,
} from '../../packages/batonpass/src/core/version-number.ts';
import { verifies } from '../verifies.ts';

const complete = (input: ContentInput) => completeContent(input, { source_agent: 'claude' });

function refusal(body: () => unknown): HandoffError {
  try {
    body();
  } catch (error) {
    if (error instanceof HandoffError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

verifies(['RECORD.canonical'], 'keys are ordered by UTF-16 units and numbers written as RFC 8785 says', () => {
  expect(encodeCanonicalJson({ '\ufb33': 1, '\u{1F600}': 2, b: [1e21, 1e-7, -0, 0.1], a: undefined })).toBe(
    '{"b":[1e+21,1e-7,0,0.1],"\u{1F600}":2,"\ufb33":1}',
  );
});

verifies(['RECORD.canonical'], 'any JSON value survives, and the order of its keys does not matter', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = encodeCanonicalJson(value);
      expect(encodeCanonicalJson(JSON.parse(text))).toBe(text);
      expect(hashJson({ a: value, b: 1 })).toBe(hashJson({ b: 1, a: value }));
    }),
  );
});

verifies(['RECORD.canonical', 'RECORD.limits'], 'what JSON cannot represent is refused with a code', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const cases: [unknown, string][] = [
    [Number.NaN, 'invalid_input'],
    [Number.POSITIVE_INFINITY, 'invalid_input'],
    [10n, 'invalid_input'],
    ['\ud800', 'invalid_input'],
    [{ '\udc00': 1 }, 'invalid_input'],
    [undefined, 'invalid_input'],
    [circular, 'too_large'],
    [deep, 'too_large'],
  ];
  for (const [value, code] of cases) expect(refusal(() => encodeCanonicalJson(value)).code).toBe(code);
});

verifies(['RECORD.complete'], 'what a writer leaves out is derived, and the same input gives the same hash', () => {
  const { content, content_sha256 } = complete({
    task_id: 'auth',
    scope: './src//auth/',
    decisions: ['Use sessions', { id: 'd1', content: 'Keep cookies', confidence: 1 }],
    files: ['src/login.ts'],
    risks: ['It may be slow'],
  });
  expect(content).toMatchObject({
    kind: 'context',
    source_agent: 'claude',
    title: 'Use sessions',
    summary: 'Use sessions',
    scope: 'src/auth',
    decisions: [
      { id: 'd2', content: 'Use sessions', source: 'user-pinned' },
      { id: 'd1', content: 'Keep cookies', source: 'user-pinned' },
    ],
    files: [{ id: 'f1', path: 'src/login.ts', relevance: 'medium', context: '' }],
    risks: [{ id: 'r1', description: 'It may be slow', severity: 'medium' }],
    tried: [],
    next_steps: [],
  });
  expect(content_sha256).toBe(hashJson(content));
  expect(complete(content).content_sha256).toBe(content_sha256);
});

verifies(
  ['RECORD.complete'],
  'title and summary come from payload, heading, next step, decision or origin, in this order',
  () => {
    const named = (input: ContentInput) => {
      const { title, summary } = complete(input).content;
      return { title, summary };
    };
    expect(named({ payload: { summary: 'From the payload' }, body: '# Heading' })).toEqual({
      title: 'Heading',
      summary: 'From the payload',
    });
    expect(named({ body: 'text\n## Second level\n' })).toEqual({ title: 'Second level', summary: 'Second level' });
    expect(named({ next_steps: ['foo'], decisions: ['bar'] })).toEqual({ title: 'foo', summary: 'foo' });
    expect(named({ decisions: ['bar'], task_id: 'auth' }).title).toBe('bar');
    expect(named({ task_id: 'auth' }).title).toBe('Handoff for auth from claude');
    expect(named({ payload: { summary: 7 } }).summary).toBe('Handoff from claude');
    const long = named({ summary: `${'word '.repeat(30)}end` }).title;
    expect(long.length).toBeLessThanOrEqual(80);
    expect(long).toMatch(/word…$/);
  },
);

verifies(['RECORD.input'], 'a wrong content names each field and the reason', () => {
  const wrong = { summary: 'x', descisions: [], files: [{ path: 1 }], risks: [{ description: 'y', severity: 'huge' }] };
  const { code, message, details } = refusal(() => complete(wrong as never));
  expect(code).toBe('invalid_input');
  expect(message).toMatch(/files\[0\]\.path/);
  const fields = (details.issues as { field: string }[]).map(({ field }) => field);
  expect(fields).toEqual(expect.arrayContaining(['files[0].path', 'risks[0].severity', '(the whole)']));
  expect(JSON.stringify(details)).toContain('descisions');
  expect(
    refusal(() =>
      complete({
        decisions: [
          { id: 'd1', content: 'a' },
          { id: 'd1', content: 'b' },
        ],
      }),
    ).code,
  ).toBe('invalid_input');
});

verifies(
  ['RECORD.input'],
  'only an empty text is called empty, and of a union the first of the nearest branches is reported',
  () => {
    const nested = z.object({ place: z.object({ line: z.string().min(1) }) });
    const schema = z.object({
      name: z.string().min(1),
      id: z.string().min(2),
      count: z.number().min(1),
      steps: z.array(z.string()).min(1),
      key: z.string().max(1),
      from: z.union([z.string(), nested]),
      to: z.union([nested, z.string()]),
      when: z.union([z.number(), z.boolean()]),
    });
    const place = { place: { line: '' } };
    const wrong = { name: '', id: '', count: 0, steps: [], key: 'ab', from: place, to: place, when: '' };
    const { message, details, alternatives } = refusal(() => parseInput(schema, wrong, 'thing'));
    expect(message).toBe('The thing is not valid: name: must not be empty (and 7 more).');
    expect(details.issues).toEqual([
      { field: 'name', reason: 'must not be empty' },
      { field: 'id', reason: 'Too small: expected string to have >=2 characters' },
      { field: 'count', reason: 'Too small: expected number to be >=1' },
      { field: 'steps', reason: 'Too small: expected array to have >=1 items' },
      { field: 'key', reason: 'Too big: expected string to have <=1 characters' },
      { field: 'from.place.line', reason: 'must not be empty' },
      { field: 'to.place.line', reason: 'must not be empty' },
      { field: 'when', reason: 'Invalid input: expected number, received string' },
    ]);
    expect(alternatives).toHaveLength(5);
  },
);

verifies(['RECORD.input'], 'an unknown key is reported with the key that was meant, else with all there are', () => {
  const schema = z.strictObject({
    risks: z.array(z.strictObject({ level: z.string() })),
    summary: z.string().optional(),
  });
  const reasonFor = (value: unknown) => refusal(() => parseInput(schema, value, 'thing')).message;
  const known = 'The thing is not valid: (the whole): Unrecognized key';
  expect(reasonFor({ risks: [], summry: '' })).toBe(`${known}: "summry" (did you mean "summary"?).`);
  expect(reasonFor({ risks: [], zz: 1, risk: 2 })).toBe(`${known}s: "zz", "risk" (did you mean "risks"?).`);
  expect(reasonFor({ risks: [], zz: 1 })).toBe(`${known}: "zz" (known: risks, summary).`);
  expect(reasonFor({ risks: [{ level: '', zz: 1 }] })).toContain('risks[0]: Unrecognized key: "zz" (known: level).');
  expect(refusal(() => parseInput(z.strictObject({}), { zz: 1 }, 'thing')).message).toContain('"zz" (known: none)');
});

verifies(['RECORD.hostile-keys'], 'prototype keys in a payload stay data and pollute nothing', () => {
  const payload = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  const { content } = complete({ summary: 'x', payload, extra: payload });
  expect(JSON.stringify(content.payload)).toBe(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  );
  expect(JSON.stringify(content.extra)).toBe(JSON.stringify(content.payload));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.keys(toJson(payload) as object)).toContain('__proto__');
});

verifies(['RECORD.limits'], 'a content beyond its size is too_large and says both sizes', () => {
  const { code, details } = refusal(() => complete({ summary: 'x', body: 'y'.repeat(4 * 1024 * 1024) }));
  expect(code).toBe('too_large');
  expect(details).toMatchObject({ bytes_max: 4 * 1024 * 1024 });
});

verifies(['RECORD.scope'], 'scopes match by segment, in both directions', () => {
  expect(normalizeScope(' ./src//auth/ ')).toBe('src/auth');
  expect(listScopeAncestors('a/b/c')).toEqual(['a/b', 'a']);
  const cases: [string, string, boolean][] = [
    ['src/auth', 'src/auth', true],
    ['src/auth', 'src/auth/', true],
    ['src/auth', 'src/auth/token.ts', true],
    ['src/auth/token.ts', 'src/auth', true],
    ['src/auth', 'src/authz', false],
    ['src/auth', 'src', true],
    ['src/a', 'lib/a', false],
    ['', 'anything', true],
  ];
  for (const [left, right, match] of cases) expect(isScopeMatch(left, right)).toBe(match);
});

verifies(['RECORD.outcome'], 'results have one outcome', () => {
  const outcome = (...statuses: Parameters<typeof computeOutcome>[0][number]['status'][]) =>
    computeOutcome(statuses.map((status) => ({ status })));
  expect(outcome()).toBe('completed');
  expect(outcome('failed', 'failed')).toBe('failed');
  expect(outcome('completed', 'partial')).toBe('mixed');
});

verifies(['RECORD.version-number'], 'version numbers are ordered part by part as numbers', () => {
  const ordered = ['001', '001.1', '001.10', '002', '010', '999', '1000'];
  for (const version of ordered) expect(isVersionNumber(version)).toBe(true);
  expect([...ordered].reverse().sort(compareVersionNumbers)).toEqual(ordered);
  for (const text of ['1', '01', '001.', '001.0', '../001', '001 ', '1e3', '', 'v001']) {
    expect(isVersionNumber(text)).toBe(false);
  }
  expect(nextVersionNumber([])).toBe('001');
  expect(nextVersionNumber(['001.1'])).toBe('002');
  expect(nextVersionNumber(['999', 'junk'])).toBe('1000');
});
