import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { applyChanges, type FileChange } from '../../packages/batonpass/src/workspace/hosts/file-changes.ts';
import { readHostFile } from '../../packages/batonpass/src/workspace/hosts/host-file.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();

function change(folder: string, path: string, next: string): FileChange {
  const file = readHostFile(join(folder, path), [folder]);
  const left = {
    schema: 1 as const,
    target: file.target,
    former: file.bytes.toString('base64'),
    left_sha256: '',
    folders: [],
  };
  const place = join(folder, 'records', `${path.replaceAll('/', '-')}.json`);
  return { file, next: Buffer.from(next), folders: [], mode: 0o644, record: { place, next: left } };
}

verifies(
  ['INIT.rollback', 'INIT.broken'],
  'a file that another program saved meanwhile is left, and the others are reverted',
  () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'a'), 'old a');
    const changes = [change(folder, 'a', 'new a'), change(folder, 'new/b', 'new b'), change(folder, 'c', 'new c')];
    writeFileSync(join(folder, 'c'), 'of an editor');
    expect(() => applyChanges(changes)).toThrowError(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('nothing is changed') }),
    );
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('old a');
    expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('of an editor');
    expect(existsSync(join(folder, 'new'))).toBe(false);
    expect(existsSync(join(folder, 'records/a.json'))).toBe(false);
  },
);

verifies(['INIT.rollback'], 'what cannot be put back is named, with where its former bytes are', () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'x'));
  writeFileSync(join(folder, 'x/a'), 'old a');
  const first = change(folder, 'x/a', 'new a');
  const second = change(folder, 'b', 'new b');
  const interrupting: FileChange = {
    ...second,
    // Between the two writes the first one's folder goes, and the second one's place is taken.
    get next() {
      rmSync(dirname(first.file.target), { recursive: true, force: true });
      writeFileSync(join(folder, 'x'), '');
      mkdirSync(join(folder, 'b'), { recursive: true });
      return Buffer.from('new b');
    },
  };
  expect(() => applyChanges([first, interrupting])).toThrowError(
    expect.objectContaining({
      code: 'unavailable',
      message: expect.stringMatching(/could not be put back: .*x\/a .*former bytes are in .*records\/x-a\.json/),
    }),
  );
  const kept = JSON.parse(readFileSync(first.record.place, 'utf8'));
  expect(Buffer.from(kept.former, 'base64').toString()).toBe('old a');
});
