import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { diagnosePlaces } from '../../packages/batonpass/src/operations/doctor/diagnose-place.ts';

/** What is found of a disk with these options of `mount`. */
export type DiskFindings = [options: string, level: string, id: string][];

/** Started in its own mount namespace, with a project: what is found of disks of its store with more and less room. */
async function main(project: string): Promise<void> {
  const own = join(project, '.git/baton');
  mkdirSync(own);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'tmpfs', own]);
  const baton = await openBaton({ cwd: project, environment: process.env });
  const context = { ...baton.context, signal: new AbortController().signal };
  const findings: DiskFindings = [];
  for (const options of ['size=66m', 'size=63m', 'size=2m', 'size=512k', 'size=66m,ro']) {
    execFileSync('mount', ['-o', `remount,${options}`, own]);
    const [found] = diagnosePlaces(context);
    if (found !== undefined) findings.push([options, found.level, found.id]);
  }
  await baton.close();
  process.stdout.write(JSON.stringify(findings));
}

await main(process.argv[2] ?? '');
