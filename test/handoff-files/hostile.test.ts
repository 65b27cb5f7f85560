import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import matter from 'gray-matter';
import { afterEach, expect } from 'vitest';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { parseDocument } from '../../packages/batonpass/src/formats/markdown/document.ts';
import { decodeDocument, encodeDocument } from '../../packages/batonpass/src/formats/markdown/document-bytes.ts';
import { joinDocument } from '../../packages/batonpass/src/formats/markdown/split-document.ts';
import { checkHandoffFiles } from '../../packages/batonpass/src/handoff-files/check-handoff-files.ts';
import { listHandoffFiles } from '../../packages/batonpass/src/handoff-files/list-handoff-files.ts';
import { parseHandoffFile } from '../../packages/batonpass/src/handoff-files/read-handoff-file.ts';
import { nextHandoffFile, reviseHandoffFile } from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { type HostileCase, hostileCases, traversals } from './hostile-front-matter.ts';
import { findings, unversioned } from './samples.ts';

const createFolder = createFolders();

afterEach(() => {
  delete process.env.BATON_CANARY;
});

/** A folder for files, and next to it the place where a canary would appear. */
function openCage() {
  const cage = createFolder();
  const [folder, canary] = [join(cage, 'files'), join(cage, 'canary')];
  mkdirSync(folder);
  process.env.BATON_CANARY = canary;
  return { cage, folder, canary };
}

function outcomeOf({ document }: HostileCase): { fields: unknown } | { refused: string } {
  const bytes = Buffer.from(document);
  try {
    const text = decodeDocument(bytes, 'a.md');
    const parsed = parseDocument(text, 'a.md');
    expect(bytes.equals(encodeDocument(joinDocument(parsed)))).toBe(true);
    return { fields: parsed.fields };
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    expect(['parse_error', 'too_large']).toContain(error.code);
    return { refused: error.message };
  }
}

verifies(
  ['FILE.hostile', 'HF.held.language-refused', 'HF.held.nothing-executed', 'MD.whole', 'MD.lossless'],
  'each of sixty hostile documents and more is data, its bytes kept, or an error with its position',
  () => {
    const { canary } = openCage();
    expect(hostileCases.length).toBeGreaterThanOrEqual(60);
    for (const hostile of hostileCases) {
      const outcome = outcomeOf(hostile);
      const expected =
        hostile.expected instanceof RegExp
          ? { refused: expect.stringMatching(hostile.expected) }
          : { fields: hostile.expected };
      expect([hostile.name, outcome]).toEqual([hostile.name, expected]);
    }
    expect(existsSync(canary)).toBe(false);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  },
);

verifies(
  ['HF.held.nothing-executed'],
  'the canary is one: the library that source 1 names executes such a document',
  () => {
    const { canary } = openCage();
    const { document } = hostileCases[0] as { document: string };
    // In a module there is no `require`; a caller that runs the code gets one.
    const global = globalThis as { require?: unknown };
    global.require = (name: string) => (name === 'fs' ? { writeFileSync } : undefined);
    try {
      matter(document, {});
    } catch {
      // It may complain about the value afterwards; the code has run by then.
    } finally {
      delete global.require;
    }
    expect(existsSync(canary)).toBe(true);
  },
);

verifies(
  ['FILE.hostile', 'HF.held.nothing-executed', 'HF.held.path-parts'],
  'as handoff files they are read, listed, checked and continued without effect outside of their folder',
  async () => {
    const { cage, folder } = openCage();
    const documents = [...hostileCases.map(({ document }) => document), ...traversals];
    for (const [index, document] of documents.entries()) {
      const name = `findings-${String(index + 1).padStart(3, '0')}.md`;
      const path = join(folder, name);
      writeFileSync(path, document);
      await expect(parseHandoffFile(path), name).rejects.toMatchObject({
        name: expect.stringMatching(/^(Parse|Handoff)Error$/),
      });
      expect(() => reviseHandoffFile(path, { changes: {} }), name).toThrowError(
        expect.objectContaining({ name: expect.stringMatching(/^(Parse|Handoff)Error$/) }),
      );
      expect(readFileSync(path).equals(Buffer.from(document))).toBe(true);
    }
    const { findings: found, handoff_files } = checkHandoffFiles([folder]);
    expect([found.length, handoff_files]).toEqual([documents.length, documents.length]);
    for (const { path, line, what } of found)
      if (!what.includes('more than 524288')) expect([path, line]).toEqual([path, expect.any(Number)]);
    expect(listHandoffFiles(folder, 'findings').every(({ problem }) => problem !== undefined)).toBe(true);
    expect(readdirSync(folder)).toHaveLength(documents.length);
    expect(readdirSync(cage)).toEqual(['files']);
  },
);

verifies(
  ['HF.held.nothing-executed', 'FILE.hostile'],
  'what is written with hostile values and bodies is text, and is read back',
  async () => {
    const { cage, folder } = openCage();
    const values = [
      '---js',
      '\n---\njs: 1',
      '!!js/function "x"',
      '<%= x %>',
      '"',
      "'",
      '\\',
      '*a',
      '&a',
      '{a: 1}',
      '__proto__',
      '\u0000',
      '\u202e',
      'x\n...\n',
    ];
    for (const value of values) {
      const frontmatter = { ...unversioned(findings), own: value, list: [value], map: { key: value } };
      const body = `---js\n${value}\n---\n`;
      const path = await nextHandoffFile(folder, frontmatter, body);
      const file = await parseHandoffFile<Record<string, unknown>>(path);
      expect(file).toMatchObject({ frontmatter: { own: value, list: [value], map: { key: value } }, body });
      expect(file.repairs).toBeUndefined();
    }
    await expect(
      nextHandoffFile(folder, { ...unversioned(findings), ...JSON.parse('{"__proto__": 1}') }, ''),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { field: '__proto__' } });
    expect(readdirSync(cage)).toEqual(['files']);
  },
);

/** `npm run soak -- files` cuts all of them at each byte, as this does with one. */
verifies(['FILE.cut'], 'a file that is cut at any byte is read, or refused with file and line', async () => {
  const folder = createFolder();
  const whole = join(folder, 'findings-001.md');
  const frontmatter = { ...findings, note: 'Ü 😀', list: ['a: b', 'c'], map: { a: [1, 'x'] } };
  await nextHandoffFile(folder, unversioned(frontmatter), '# Über\r\n\n---\nEnd 😀');
  const bytes = readFileSync(whole);
  const path = join(folder, 'findings-002.md');
  let read = 0;
  for (let length = 0; length <= bytes.length; length += 1) {
    writeFileSync(path, bytes.subarray(0, length));
    const outcome = await parseHandoffFile(path).catch((error: unknown) => error);
    if (outcome instanceof Error)
      expect(outcome).toMatchObject({
        name: 'ParseError',
        source: path,
        line: expect.any(Number),
        column: expect.any(Number),
      });
    else read += 1;
  }
  // From the dashes that close the front matter on.
  expect(read).toBe(Buffer.byteLength('\n# Über\r\n\n---\nEnd 😀') + 1);
});
