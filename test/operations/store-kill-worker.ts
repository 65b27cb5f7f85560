import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Runs one operation on a store and dies in the middle of it: `node store-kill-worker.ts FILE OPERATION INPUT MOMENT`.
 * Every call that can change a disk or ask a database is a moment; before the named one the process kills itself. With
 * the moment 0 it says each moment's number instead, for its parent to kill it, and lives on.
 */

const [file = '', name = '', input = '{}', wanted = '0'] = process.argv.slice(2);
let moments = 0;

function pass(): void {
  moments += 1;
  if (moments === Number(wanted)) process.kill(process.pid, 'SIGKILL');
  if (wanted === '0') writeSync(1, `${moments}\n`);
}

/** Counts each call of a method before it happens. */
function watch<T extends object>(owner: T, names: readonly (keyof T)[]): void {
  for (const method of names) {
    const original = owner[method] as (...given: unknown[]) => unknown;
    owner[method] = function (this: unknown, ...given: unknown[]) {
      pass();
      return original.apply(this, given);
    } as T[keyof T];
  }
}

/** A text of several statements is run one by one, so that between any two of them is a moment. */
function watchStatements(): void {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
    const statements = sql.replace(/--.*$/gm, '').match(/\s*CREATE TRIGGER[\s\S]*?END;|[^;]+;?/g) ?? [];
    for (const statement of statements.filter((each) => each.trim() !== '')) {
      pass();
      exec.call(this, statement);
    }
  };
}

watch(fs, ['openSync', 'fsyncSync', 'linkSync', 'renameSync', 'rmSync', 'mkdirSync']);
syncBuiltinESMExports();
watchStatements();
watch(StatementSync.prototype, ['run', 'get', 'all']);

const { openBaton } = await import('../../packages/batonpass/src/index.ts');
moments = 0;
const baton = await openBaton({ cwd: `${file}/..`, environment: { HOME: `${file}/..` }, store: `sqlite:${file}` });
await baton.run(name as 'store.migrate', JSON.parse(input));
await baton.close();
