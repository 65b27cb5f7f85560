import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Started in its own mount namespace, with a folder that holds a store, and a baton program: puts the folder on a
 * file system that becomes read-only, and prints what each of the commands gave.
 */
function main(store: string, program: string, commands: readonly string[][]): void {
  const disk = join(store, '..', 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk]);
  cpSync(store, disk, { recursive: true });
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const results = commands.map((words) => {
    const environment = { ...process.env, BATON_STORE: `sqlite:${join(disk, 'baton.db')}` };
    const options = { env: environment, encoding: 'utf8', cwd: store } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], options);
    return { words, code: status, stdout, stderr };
  });
  process.stdout.write(JSON.stringify(results));
}

main(process.argv[2] ?? '', process.argv[3] ?? '', JSON.parse(process.argv[4] ?? '[]'));
