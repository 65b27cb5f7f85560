import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { launchChromium } from '../browser/chromium.ts';
import { visit } from '../browser/visit.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

/** How long a process may take to say where it listens, or to end. */
const DEADLINE_MS = 30_000;

verifies(
  ['STUDIO.start'],
  'npm start shows sample handoffs in the browser, and Ctrl-C leaves nothing behind',
  async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'baton-test-'));
    const folder = join(temporary, 'own');
    mkdirSync(folder);
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts'), '--no-open'], {
      env: { ...process.env, TMPDIR: folder, BATON_AGENT: 'somebody' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // As a terminal has it: Ctrl-C reaches the whole group.
      detached: true,
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      const link = await findLink(child.stdout);
      const browser = await launchChromium();
      try {
        const { page, troubles } = await visit(browser, link);
        await page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').nth(3).waitFor();
        await page.getByRole('region', { name: 'In flight' }).getByText('held by night-shift').waitFor();
        await page.getByRole('link', { name: 'Inbox', exact: true }).click();
        await page
          .getByRole('navigation', { name: 'States' })
          .getByText(/Needs review\s*2/)
          .waitFor();
        await page
          .getByRole('navigation', { name: 'States' })
          .getByText(/Waiting\s*1/)
          .waitFor();
        expect(troubles).toEqual([]);
      } finally {
        await browser.close();
      }
      process.kill(-(child.pid ?? 0), 'SIGINT');
      expect(await Promise.race([ended, deadline('It did not end.')])).toBe(0);
      expect(readdirSync(folder).filter((name) => name.startsWith('baton-'))).toEqual([]);
    } finally {
      if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(temporary, { recursive: true, force: true });
    }
  },
);

async function findLink(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output });
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const [link] = /http:\S+#enter=\S+/.exec(line) ?? [];
      if (link !== undefined) resolve(link);
    });
  });
  return await Promise.race([found, deadline('No address was printed.')]);
}

function deadline(what: string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(what)), DEADLINE_MS).unref();
  });
}
