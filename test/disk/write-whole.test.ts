import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createOnce } from '../../packages/batonpass/src/disk/create-once.ts';
import { replaceFile } from '../../packages/batonpass/src/disk/replace-file.ts';
import { removeFile, writeWhole } from '../../packages/batonpass/src/disk/write-whole.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();

verifies(['DISK.whole'], 'a file gets its new content and keeps its permissions; nothing is left next to it', () => {
  const path = join(createFolder(), 'settings.json');
  writeWhole(path, Buffer.from('one'), 0o600);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o640);
  writeWhole(path, Buffer.from('two'), 0o600);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(path, '..'))).toEqual(['settings.json']);
});

verifies(['DISK.whole'], 'it replaces the old one at once, and never overwrites it', () => {
  const folder = createFolder();
  const [path, second] = [join(folder, 'a'), join(folder, 'b')];
  writeFileSync(path, 'one');
  linkSync(path, second);
  writeWhole(path, Buffer.from('two'));
  expect(readFileSync(second, 'utf8')).toBe('one');
});

verifies(['DISK.whole'], 'a failure leaves the file as it was, and nothing next to it', () => {
  const folder = createFolder();
  const path = join(folder, 'a');
  mkdirSync(path);
  expect(() => writeWhole(path, Buffer.from('x'))).toThrowError(expect.objectContaining({ code: 'EISDIR' }));
  expect(readdirSync(folder)).toEqual(['a']);
  expect(() => writeWhole(join(folder, 'none/b'), Buffer.from('x'))).toThrowError(
    expect.objectContaining({ code: 'ENOENT' }),
  );
  removeFile(join(folder, 'absent'));
});

verifies(['DISK.whole'], 'a replacing makes its folder for the owner alone, and a failure leaves nothing', () => {
  const folder = createFolder();
  const path = join(folder, 'state/a.json');
  replaceFile(path, 'one', 0o600);
  replaceFile(path, 'two', 0o640);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect([path, join(folder, 'state')].map((each) => statSync(each).mode & 0o777)).toEqual([0o640, 0o700]);
  mkdirSync(join(folder, 'state/b'));
  const over = () => replaceFile(join(folder, 'state/b'), 'x', 0o600);
  expect(over).toThrowError(expect.objectContaining({ code: 'EISDIR' }));
  expect(readdirSync(join(folder, 'state'))).toEqual(['a.json', 'b']);
  // Where no file can be created, that is the error, and not that there is none to remove.
  const nowhere = () => replaceFile('/proc/none', 'x', 0o600);
  expect(nowhere).toThrowError(expect.objectContaining({ syscall: 'open' }));
});

verifies(['DISK.whole'], 'a writing leaves no file open', () => {
  const path = join(createFolder(), 'a');
  const countOpen = () => readdirSync('/proc/self/fd').length;
  const before = countOpen();
  for (let count = 0; count < 20; count += 1) {
    writeWhole(path, Buffer.from(`${count}`));
    createOnce(join(path, `../${count}`), 'x', 0o600);
  }
  removeFile(path);
  expect(countOpen()).toBeLessThan(before + 10);
});
