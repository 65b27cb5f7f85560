import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { parseHandoffFile } from '../../packages/batonpass/src/handoff-files/read-handoff-file.ts';
import { formatTimestamp } from '../../packages/batonpass/src/handoff-files/timestamp.ts';
import { getNextVersion, listVersions } from '../../packages/batonpass/src/handoff-files/versions.ts';
import {
  nextHandoffFile,
  reviseHandoffFile,
  writeHandoffFile,
} from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { findings, plan, problem, unversioned } from './samples.ts';

const createFolder = createFolders();

verifies(
  ['HF.write.file-name', 'HF.write.format', 'HF.write.returns-path', 'HF.form.quoted', 'HF.truth.versioned-write'],
  'a file is named after its kind and version, and reads as source 1 says',
  async () => {
    const folder = createFolder();
    const path = await writeHandoffFile(folder, findings, '# Title\n\nBody\n');
    expect([path, isAbsolute(path)]).toEqual([join(folder, 'findings-001.md'), true]);
    expect(readFileSync(path, 'utf8')).toBe(
      `---
version: '001'
type: findings
status: complete
created: '2026-01-24T15:30:00Z'
phase: '02-auth'
agent: researcher
confidence: high
---
# Title

Body
`,
    );
    expect(await writeHandoffFile(folder, { ...plan, version: '001.1' }, '')).toBe(join(folder, 'plan-001.1.md'));
    expect(readFileSync(join(folder, 'plan-001.1.md'), 'utf8')).toContain(
      "tasks_created: 2\ntask_ids:\n  - '02-01'\n  - '02-02'\n---\n",
    );
    expect(readdirSync(folder).sort()).toEqual(['findings-001.md', 'plan-001.1.md']);
  },
);

verifies(
  [
    'HF.truth.round-trip',
    'HF.round-trip.agent',
    'HF.round-trip.confidence',
    'HF.round-trip.body',
    'HF.verification.integrity',
    'HF.success.round-trip',
  ],
  'what was written is read again as the same data, of every kind',
  async () => {
    const folder = createFolder();
    const own = {
      ...findings,
      version: '004',
      reviewed: 'no',
      must_haves: { truths: ['a: b', '001'], n: 3 },
      list: [],
      nothing: null,
    };
    for (const frontmatter of [findings, plan, problem, own]) {
      const body = '# Findings\n\n## Key Points\n- Point 1';
      const path = await writeHandoffFile(folder, frontmatter, body);
      expect(await parseHandoffFile(path)).toEqual({ frontmatter, body });
    }
  },
);

verifies(
  [
    'HF.held.body-dashes',
    'HF.held.body-crlf',
    'HF.held.body-blank-lines',
    'HF.held.body-no-final-newline',
    'HF.held.body-bom',
    'MD.lossless',
  ],
  'a body comes back byte for byte',
  async () => {
    const folder = createFolder();
    const bodies = [
      '---\nversion: 9\n---\nx',
      '---',
      'a\r\nb\r\n',
      '\r\n',
      'x\n\n\n\n',
      'no newline',
      '\ufeffx',
      '',
      '\n',
      ' ---\n',
      '\0',
      '---js\nthrow 1\n---\n',
      '😀',
    ];
    for (const body of bodies) {
      const path = await nextHandoffFile(folder, unversioned(findings), body);
      expect((await parseHandoffFile(path)).body).toBe(body);
      expect(readFileSync(path, 'utf8').endsWith(`confidence: high\n---\n${body}`)).toBe(true);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (body) => {
        const path = await nextHandoffFile(folder, unversioned(findings), body);
        expect((await parseHandoffFile(path)).body).toBe(body);
      }),
      { numRuns: 25 },
    );
  },
);

verifies(
  ['HF.version.scans', 'HF.version.parses', 'HF.version.next-major', 'HF.form.empty-folder', 'HF.form.minor-only'],
  'the next version is the next whole number of that kind',
  async () => {
    const folder = createFolder();
    expect(await getNextVersion(join(folder, 'absent'), 'findings')).toBe('001');
    expect(await getNextVersion(folder, 'findings')).toBe('001');
    const steps = [
      ['findings-001.1.md', '002'],
      ['findings-001.md', '002'],
      ['findings-009.md', '010'],
      ['plan-500.md', '010'],
      ['findings-020.md.bak', '010'],
      ['findings-20.md', '010'],
      ['xfindings-030.md', '010'],
      ['findings-100.3.md', '101'],
    ] as const;
    for (const [name, next] of steps) {
      writeFileSync(join(folder, name), '');
      expect([name, await getNextVersion(folder, 'findings')]).toEqual([name, next]);
    }
    expect(await getNextVersion(folder, 'plan')).toBe('501');
    expect(await getNextVersion(folder, 'problem')).toBe('001');
  },
);

verifies(
  ['HF.held.thousand', 'HF.held.numeric-order'],
  'after 999 comes 1000; the order is numeric, part by part',
  async () => {
    const folder = createFolder();
    for (const version of ['010', '1000', '001.10', '002', '999', '001', '001.1', '001.2.1', '001.2'])
      writeFileSync(join(folder, `findings-${version}.md`), '');
    expect(listVersions(folder, 'findings')).toEqual([
      '1000',
      '999',
      '010',
      '002',
      '001.10',
      '001.2.1',
      '001.2',
      '001.1',
      '001',
    ]);
    expect(await nextHandoffFile(folder, unversioned(findings), '')).toBe(join(folder, 'findings-1001.md'));
    const other = createFolder();
    writeFileSync(join(other, 'findings-998.md'), '');
    const paths = [];
    for (let count = 0; count < 3; count += 1) paths.push(await nextHandoffFile(other, unversioned(findings), ''));
    expect(paths.map((path) => path.slice(other.length + 1))).toEqual([
      'findings-999.md',
      'findings-1000.md',
      'findings-1001.md',
    ]);
  },
);

verifies(
  ['HF.held.no-overwrite'],
  'a file of the same version stays, and the second writer gets a conflict',
  async () => {
    const folder = createFolder();
    const path = await writeHandoffFile(folder, findings, 'first');
    await expect(writeHandoffFile(folder, findings, 'second')).rejects.toMatchObject({
      code: 'conflict',
      details: { path, version: '001' },
    });
    expect((await parseHandoffFile(path)).body).toBe('first');
    mkdirSync(join(folder, 'plan-001.md'));
    await expect(writeHandoffFile(folder, plan, 'x')).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(folder).sort()).toEqual(['findings-001.md', 'plan-001.md']);
  },
);

verifies(
  ['HF.form.creates-folder'],
  'the folder is created if it is missing; a file in its place is reported',
  async () => {
    const folder = createFolder();
    const path = await writeHandoffFile(join(folder, 'a/b/c'), findings, '');
    expect(path).toBe(join(folder, 'a/b/c/findings-001.md'));
    writeFileSync(join(folder, 'file'), '');
    await expect(writeHandoffFile(join(folder, 'file'), findings, '')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('could not be written'),
    });
    await expect(nextHandoffFile(join(folder, 'file'), unversioned(findings), '')).rejects.toMatchObject({
      code: 'file_not_found',
    });
    await expect(writeHandoffFile(join(folder, 'a\0b'), findings, '')).rejects.toMatchObject({ code: 'invalid_input' });
  },
);

verifies(
  ['HF.held.path-parts', 'FILE.strict'],
  'a version or type that is a path is refused before anything is made',
  async () => {
    const folder = join(createFolder(), 'handoffs');
    const versions = [
      '../001',
      '001/../../x',
      '/etc/passwd',
      '001\0',
      'CON',
      '..',
      '',
      '1',
      '01',
      '001.0',
      '001.01',
      '001.',
      '１２３',
      '001 ',
      '001\n',
      'a'.repeat(300),
      '9'.repeat(16),
    ];
    for (const version of versions) {
      await expect(writeHandoffFile(folder, { ...findings, version }, 'x'), version).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('version'),
      });
    }
    for (const type of [
      '../findings',
      'findings/../../x',
      'CON',
      'findings\0',
      '',
      'Findings',
      'constructor',
      null,
      3,
      undefined,
    ]) {
      await expect(writeHandoffFile(folder, { ...findings, type: type as 'findings' }, 'x')).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('type'),
      });
      await expect(
        nextHandoffFile(folder, { ...unversioned(findings), type: type as 'findings' }, 'x'),
      ).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await expect(getNextVersion(folder, type as 'findings')).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(existsSync(folder)).toBe(false);
  },
);

verifies(
  ['FILE.strict', 'HF.form.repairs'],
  'writing repairs nothing: each wrong field is refused with its reason',
  async () => {
    const folder = join(createFolder(), 'handoffs');
    const cases: [object, string, RegExp][] = [
      [{ ...findings, status: 'Complete' }, 'status', /complete, partial, failed/],
      [{ ...findings, confidence: undefined }, 'confidence', /is missing/],
      [{ ...findings, created: '2026-01-24' }, 'created', /ISO 8601 instant/],
      [{ ...findings, created: new Date(0) }, 'created', /instant/],
      [{ ...findings, version: 1 }, 'version', /string/],
      [{ ...findings, phase: ' ' }, 'phase', /empty/],
      [{ ...findings, agent: 'a\nb: c' }, 'agent', /one line/],
      [{ ...findings, agent: 'x'.repeat(501) }, 'agent', /at most 500/],
      [{ ...plan, tasks_created: '2' }, 'tasks_created', /whole number/],
      [{ ...plan, task_ids: 'a' }, 'task_ids', /list/],
      [{ ...plan, task_ids: ['a', 3] }, 'task_ids[1]', /string/],
      [{ ...problem, severity: 'high' }, 'severity', /blocker, warning, info/],
      [{ ...problem, related_task: undefined }, 'related_task', /is missing/],
    ];
    for (const [frontmatter, field, reason] of cases) {
      const error = await writeHandoffFile(folder, frontmatter as typeof findings, '').catch(
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({
        code: 'invalid_input',
        details: { issues: expect.arrayContaining([{ field, reason: expect.stringMatching(reason) }]) },
      });
    }
    await expect(writeHandoffFile(folder, { ...findings, own: () => 1 }, '')).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'own' },
    });
    await expect(writeHandoffFile(folder, findings, '\ud800')).rejects.toMatchObject({ details: { field: 'body' } });
    await expect(writeHandoffFile(folder, findings, undefined as unknown as string)).rejects.toMatchObject({
      details: { field: 'body' },
    });
    await expect(writeHandoffFile(folder, null as unknown as typeof findings, '')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(writeHandoffFile(folder, findings, 'x'.repeat(9_000_000))).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(
      writeHandoffFile(folder, { ...findings, own: 'x'.repeat(limits.front_matter_bytes_max) }, ''),
    ).rejects.toMatchObject({
      code: 'too_large',
    });
    expect(existsSync(folder)).toBe(false);
  },
);

verifies(['HF.timestamp'], 'a timestamp is an ISO 8601 instant', () => {
  expect(formatTimestamp(Date.UTC(2026, 0, 24, 15, 30))).toBe('2026-01-24T15:30:00.000Z');
  expect(formatTimestamp()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

verifies(
  ['FILE.next', 'HF.held.twenty-writers'],
  'twenty concurrent callers get twenty files and versions',
  async () => {
    const folder = createFolder();
    const paths = await Promise.all(
      Array.from({ length: 20 }, (_, index) => nextHandoffFile(folder, unversioned(findings), String(index))),
    );
    expect(new Set(paths).size).toBe(20);
    expect(listVersions(folder, 'findings')).toEqual(
      Array.from({ length: 20 }, (_, index) => String(20 - index).padStart(3, '0')),
    );
    const bodies = await Promise.all(paths.map(async (path) => (await parseHandoffFile(path)).body));
    expect(bodies).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    expect(readdirSync(folder)).toHaveLength(20);
  },
);

verifies(['FILE.next'], 'a name that cannot be created counts as taken, and the version after it is used', async () => {
  const folder = createFolder();
  // A version that is given is not the caller's to choose.
  expect(await nextHandoffFile(folder, { ...findings, version: '500' }, '')).toBe(join(folder, 'findings-001.md'));
  mkdirSync(join(folder, 'findings-002.md'));
  expect(await nextHandoffFile(folder, unversioned(findings), '')).toBe(join(folder, 'findings-003.md'));
});

verifies(
  ['FILE.revise', 'MD.change'],
  'the next version of a hand-written file differs in the lines that changed alone',
  async () => {
    const folder = createFolder();
    const from = join(folder, 'findings-001.md');
    const text = `---\r\n# by hand\r\nversion: 001   # first\r\ntype: Findings\r\nstatus: "partial"\r\ncreated: 2026-01-24\r\nphase: 02\r\nagent: ana\r\nconfidence: low # guess\r\nown: {a: [1, 2]}\r\n---\r\n---\r\nbody\r\n\r\n`;
    writeFileSync(from, text);
    const path = reviseHandoffFile(from, { changes: { status: 'complete', created: '2026-01-25T00:00:00Z' } });
    expect(path).toBe(join(folder, 'findings-002.md'));
    expect(readFileSync(path, 'utf8')).toBe(
      text
        .replace('version: 001 ', "version: '002' ")
        .replace('Findings', 'findings')
        .replace('"partial"', 'complete')
        .replace('created: 2026-01-24', "created: '2026-01-25T00:00:00Z'"),
    );
    expect(readFileSync(from, 'utf8')).toBe(text);
    const third = reviseHandoffFile(path, { changes: { created: '2026-01-25T00:00:00Z' }, body: 'new' });
    expect(readFileSync(third, 'utf8').endsWith('\r\n---\r\nnew')).toBe(true);
    expect(() => reviseHandoffFile(path, { changes: { status: 'x' } })).toThrowError(
      expect.objectContaining({ code: 'invalid_input' }),
    );
    expect(readdirSync(folder)).toHaveLength(3);
  },
);

verifies(
  ['FILE.revise', 'MD.lossless', 'FILE.repair'],
  'stray bytes of a body are read as such, said, and kept by the next version',
  async () => {
    const folder = createFolder();
    const first = await nextHandoffFile(folder, unversioned(findings), 'x');
    const bytes = Buffer.concat([readFileSync(first), Buffer.from([0x92, 0x20, 0xe2, 0x28])]);
    writeFileSync(join(folder, 'findings-002.md'), bytes.toString('latin1').replace("'001'", '002'), 'latin1');
    const from = join(folder, 'findings-002.md');
    const file = await parseHandoffFile(from);
    expect([file.body, file.repairs]).toEqual([
      'x\ufffd \ufffd(',
      ['the body contains bytes that are not UTF-8 (2); each reads as \ufffd'],
    ]);
    const next = reviseHandoffFile(from, { changes: {} });
    expect(readFileSync(next).equals(Buffer.from(bytes.toString('latin1').replace("'001'", "'003'"), 'latin1'))).toBe(
      true,
    );
  },
);
