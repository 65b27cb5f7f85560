import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

verifies(['HOOK.live'], 'a script that starts the command under its name is not detected as a host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-host-process-'));
  try {
    const source = join(import.meta.dirname, '../../packages/batonpass/src/workspace/hosts/host-process.ts');
    const code = `import { findHostProcess } from ${JSON.stringify(source)}; process.stdout.write(String(findHostProcess({}, 'opencode')?.pid));`;
    const hook = join(folder, 'hook.ts');
    writeFileSync(hook, code);
    const script = join(folder, 'baton');
    writeFileSync(script, `#!/bin/sh\n"${process.execPath}" "${hook}"\ntrue\n`, { mode: 0o755 });
    expect(execFileSync(script, { encoding: 'utf8' })).toBe(String(process.pid));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
