import { describe, expect } from 'vitest';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { findFileMentions } from '../../packages/batonpass/src/extraction/file-mentions.ts';
import { toProjectPath } from '../../packages/batonpass/src/extraction/file-path.ts';
import { verifies } from '../verifies.ts';
import { extract, withCalls } from './dialogue.ts';

const mentioned = (text: string) => findFileMentions(text).map(({ path }) => path);

describe('the path rule', () => {
  const refused = [
    '/x',
    'C:\\x',
    'c:/x',
    '\\\\srv\\x',
    '~/x',
    '~sam/x',
    'file:///x',
    'FILE:x',
    '',
    '  ',
    'a\0b',
    '..',
    '../x',
    'a/../b',
    'a\\..\\b',
    'a/%2e%2e/b',
    '%2E%2e/x',
    'a/.%2e/b',
    '%2fetc/x',
    'a/..%2fb',
    'x%00y',
  ];

  verifies(
    ['EXTRACT.path-rule', 'BR.held.path-forms'],
    'refuses absolute paths and parent segments in every spelling',
    () => {
      for (const path of refused) expect(toProjectPath(path), path).toBeUndefined();
    },
  );

  verifies(['EXTRACT.path-rule', 'BR.held.path-dots'], 'keeps ordinary names, two dots within them too', () => {
    expect(toProjectPath('src/foo..bar.ts')).toBe('src/foo..bar.ts');
    expect(toProjectPath('./src//a.ts')).toBe('src/a.ts');
    expect(toProjectPath('src\\a.ts')).toBe('src/a.ts');
    expect(toProjectPath('.github/x.yml')).toBe('.github/x.yml');
  });

  verifies(
    ['EXTRACT.path-rule', 'EXTRACT.files', 'BR.extract.rejects-absolute'],
    'holds for texts and for tool calls',
    () => {
      const calls = refused.map((path) => ({ name: 'Edit', path: `${path}.ts`, effect: 'write' as const }));
      const paths = extractByRules(withCalls(...calls)).files.map(({ path }) => path);
      expect(paths.filter((path) => toProjectPath(path) === undefined)).toEqual([]);
      expect(
        mentioned(`Edit ${refused.map((path) => `\`${path}.ts\``).join(' and ')}.`).filter((path) =>
          /^[/~\\]|\.\.(?:\/|$)/.test(path),
        ),
      ).toEqual([]);
    },
  );
});

describe('file mentions', () => {
  verifies(['EXTRACT.files'], 'are read without marks, line numbers and quotes', () => {
    expect(
      mentioned(
        'See `src/a.ts:12-20`, @README, (docs/b.md), "c.py", ./d.go, E.MD, .env and .github/workflows/ci.yml#L3.',
      ),
    ).toEqual(['src/a.ts', 'README', 'docs/b.md', 'c.py', 'd.go', 'E.MD', '.env', '.github/workflows/ci.yml']);
  });

  verifies(['EXTRACT.files'], 'keep an underscore that they begin with, and none that emphasizes', () => {
    expect(mentioned('read _docs/PRD.md and _src/a.ts_, are all routes defined?@notes/routes.md')).toEqual([
      '_docs/PRD.md',
      'src/a.ts',
      'notes/routes.md',
    ]);
    expect(mentioned('docker cp web:/app/init.py path/to/init.py')).toEqual([]);
  });

  verifies(['EXTRACT.files'], 'end where a script without spaces begins', () => {
    expect(mentioned('明白了，需要改源文件。让我修改LoginPage.tsx，再看src/文档/说明.md和b.ts：好')).toEqual([
      'LoginPage.tsx',
      'src/文档/说明.md',
      'b.ts',
    ]);
  });

  verifies(['EXTRACT.files'], 'are no libraries, addresses, members, patterns or places outside', () => {
    const text =
      'Node.js, three.js, https://example.org/a.ts, example.com/b.html, time.Date, console.log, JSON.parse, data.Json, *.ts, src/{a,b}.ts, v1.2.3, e.g. this, node_modules/x/index.js, node_modules\\x\\lib.js, ~/.claude/x.json, /tmp/y.ts, 3.5, and/or';
    expect(mentioned(text)).toEqual([]);
  });
});

describe('files', () => {
  verifies(['EXTRACT.files'], 'are one under several spellings, and rated by what was done', () => {
    const { files } = extract(
      'Change `src/map/legend.ts`, please. See docs/style.md.',
      'I updated `legend.ts` and created `src/map/colours.ts`. Alternatives such as `src/theme.ts` stay as they are.',
    );
    expect(files.map(({ path, relevance }) => `${path} ${relevance}`)).toEqual([
      'src/map/legend.ts high',
      'src/map/colours.ts high',
      'docs/style.md medium',
      'src/theme.ts low',
    ]);
  });

  verifies(['EXTRACT.files'], 'come from tool calls: written ones are high, read ones medium', () => {
    const { files } = extractByRules(
      withCalls(
        { name: 'Read', path: 'a.ts', effect: 'read' },
        { name: 'Edit', path: 'b.ts', effect: 'write' },
        { name: 'Bash', path: 'c.ts', command: 'rm c.ts', effect: 'delete' },
      ),
    );
    expect(files.map(({ path, relevance }) => `${path} ${relevance}`)).toEqual([
      'b.ts high',
      'c.ts high',
      'a.ts medium',
    ]);
  });
});

verifies(['EXTRACT.files'], 'a file that only a pasted text names is not one of the session', () => {
  const command = '## Outline\n\n1. Check that these exist:\n\n```text\n.prettierrc\nyarn.lock\nsrc/tide.ts\n```';
  const { files } = extract(command, 'I changed `src/tide.ts` as asked:\n\n```\nsrc/\n  maps.ts\n```');
  expect(files.map(({ path }) => path)).toEqual(['src/tide.ts', 'maps.ts']);
});
