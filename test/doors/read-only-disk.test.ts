import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { openStage, program, type Stage } from './stage.ts';

interface Result {
  words: string[];
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs commands on a real file system that is read-only and holds the copy of a folder, seen by one process alone. */
async function runOnReadOnly({ environment }: Stage, store: string, commands: string[][]): Promise<Result[]> {
  const script = join(import.meta.dirname, '../stores/faults/read-only-disk.ts');
  const isRoot = process.getuid?.() === 0;
  const words = [isRoot ? '-m' : '-rm', process.execPath, script, store, program, JSON.stringify(commands)];
  const { stdout } = await promisify(execFile)('unshare', words, { env: environment });
  return JSON.parse(stdout);
}

const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('baton-read-only-'));

for (const log of ['without a log', 'with a log that nobody wrote back']) {
  verifies(
    ['FIRST.read-only'],
    `a read-only disk ${log} can be read and copied, and is reported as read-only`,
    async () => {
      const stage = openStage({ git: true });
      const { folder, baton, json } = stage;
      const left = copies();
      try {
        const {
          handoff: { id },
        } = await json(['create', '--summary', 'Kept on a disk.']);
        const source = join(folder, '.git/baton/baton.db');
        const store = join(folder, 'image/store');
        mkdirSync(store, { recursive: true });
        const open = new DatabaseSync(source);
        open.prepare('SELECT count(*) FROM handoffs').get();
        const { handoff: later } = await json(['create', '--summary', 'Only in the log.']);
        copyFileSync(source, join(store, 'baton.db'));
        if (log !== 'without a log') copyFileSync(`${source}-wal`, join(store, 'baton.db-wal'));
        open.close();
        if (log === 'without a log') copyFileSync(source, join(store, 'baton.db'));
        const copy = join(folder, 'copy.db');
        const changes = [['claim'], ['create', '--summary', 'x'], ['withdraw', id], ['token', 'create', 'phone']];
        const looks = [['list'], ['show', id], ['show', later.id], ['store', 'check'], ['log']];
        const commands = [...looks, ['store', 'backup', copy], ['doctor'], ...changes];
        const results = await runOnReadOnly(stage, store, commands);
        const [list, shown, shownLater, check, , , doctor] = results;
        for (const { words, code, stderr } of results.slice(0, looks.length + 1))
          expect({ words, code, stderr }).toEqual({
            ...{ words, code: 0 },
            stderr: expect.stringMatching(/The store \S+baton\.db is read-only/),
          });
        expect(list?.stdout).toContain('Only in the log.');
        expect(shown?.stdout).toContain('Kept on a disk.');
        expect(shownLater?.stdout).toContain('Only in the log.');
        expect(check?.stdout).toContain('2 handoffs');
        expect(doctor?.stdout).toContain('cannot be written');
        for (const { words, code, stderr } of results.slice(-changes.length))
          expect({ words, code, stderr }).toEqual({
            ...{ words, code: 9 },
            stderr: expect.stringMatching(/is read-only: it can be read, and nothing in it changes/),
          });
        expect((await baton(['list', '--store', `sqlite:${copy}`])).stdout).toContain('Only in the log.');
        expect(copies()).toEqual(left);
      } finally {
        stage.close();
      }
    },
  );
}
