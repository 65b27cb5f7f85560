import { expect } from 'vitest';
import { assertSafeName, faultOfName } from '../../packages/batonpass/src/disk/safe-name.ts';
import { verifies } from '../verifies.ts';

const refused: Readonly<Record<string, readonly string[]>> = {
  'is empty': [''],
  'contains a NUL': ['a\0b'],
  'contains a path separator': ['../etc', 'a/b', '/etc/passwd', 'a\\b', '..\\x', 'C:\\x'],
  'is "." or ".."': ['.', '..', '...'],
  'begins with a dot': ['.git', '.hidden'],
  'contains a lone surrogate': ['a\ud800', '\udc00b'],
  'contains an invisible character': ['a\nb', 'a\u007f', 'a\u202eb', 'a\u200bb', '\ufeffa', 'a\u2028b', 'a\u0085'],
  'contains one of < > : " | ? *, which Windows does not allow': ['a:b', 'C:', 'a*', 'a?', '<a>', 'a|b', '"a"'],
  'begins with a space, or ends with a space or a dot': [' a', 'a ', 'a.'],
  'is the name of a device on Windows': ['con', 'NUL', 'nul.md', 'Com1.txt', 'LPT9', 'com¹', 'CONIN$', 'aux.tar.gz'],
  'is longer than 200 bytes': ['a'.repeat(201), 'ä'.repeat(101)],
};

const safe = [
  'findings-001.1.md',
  'a',
  '~',
  '-x',
  'Ünïcode 名前',
  'a..b',
  'console',
  'com10',
  'nullable.md',
  'a'.repeat(200),
];

verifies(['DISK.safe-name'], 'a name that leads elsewhere on any system is refused, with its fault', () => {
  for (const [reason, names] of Object.entries(refused)) {
    for (const name of names) expect([name, faultOfName(name)]).toEqual([name, reason]);
  }
  for (const name of safe) expect([name, faultOfName(name)]).toEqual([name, null]);
});

verifies(['DISK.safe-name'], 'the error names the thing and what is wrong with it', () => {
  expect(assertSafeName('a', 'version')).toBe('a');
  expect(() => assertSafeName('../x', 'version')).toThrowError(
    expect.objectContaining({
      code: 'invalid_input',
      message: 'The version "../x" contains a path separator.',
      details: { field: 'version', reason: 'contains a path separator' },
    }),
  );
});
