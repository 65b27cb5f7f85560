import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { root } from '../tidy/source-files.ts';

/** Inside of what `npm ci` removes, so that nothing grows; outside of the machine's temporary folder, which others share. */
const cache = join(root, 'node_modules/.cache/baton-chromium');

/** A copy of the browser that is unpacked for longer than this was left by a process that died. */
const ABANDONED_MS = 10 * 60_000;

/** No process ahead of the next page and none for the drawing: a sixth of a test's processor time. */
const flags = ['--no-sandbox', '--renderer-process-limit=1', '--in-process-gpu'];

/**
 * Starts a real browser without a window: the one that BATON_TEST_BROWSER names (a path to a Chromium), else the one of
 * the development dependency `@sparticuz/chromium`. The caller that starts it closes it. Throws where none can run.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.BATON_TEST_BROWSER ?? unpackChromium();
  // A Chromium leaves empty files in the temporary folder: it gets one of its own.
  const folder = mkdtempSync(join(tmpdir(), 'baton-browser-'));
  const leave = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (!existsSync(executablePath)) throw new Error(`${executablePath} does not exist.`);
    // The drawing sets this variable on a thread of its own. A new one moves all of them, and a thread that reads one
    // meanwhile ends the browser.
    const VK_ICD_FILENAMES = join(dirname(executablePath), 'vk_swiftshader_icd.json');
    const env = { ...process.env, TMPDIR: folder, VK_ICD_FILENAMES };
    const browser = await chromium.launch({ executablePath, args: flags, env });
    return browser.on('disconnected', leave);
  } catch (error) {
    leave();
    throw new Error(
      `No browser can run for the tests: ${executablePath} did not start. Name a Chromium of this machine in BATON_TEST_BROWSER.`,
      { cause: error },
    );
  }
}

/** Unpacks the browser once for each version: into a folder of this process, renamed when it is whole. */
function unpackChromium(): string {
  const manifest = readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const place = join(cache, /"version":\s*"(?<version>[\w.-]+)"/.exec(manifest)?.groups?.version ?? 'unknown');
  const browser = join(place, 'chromium');
  if (existsSync(browser)) return browser;
  mkdirSync(cache, { recursive: true });
  removeAbandoned();
  const unpacked = mkdtempSync(join(cache, 'unpacking-'));
  // The package unpacks into the temporary folder and knows no other: a separate process gets another one.
  const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: unpacked },
  });
  try {
    renameSync(unpacked, place);
  } catch (error) {
    rmSync(unpacked, { recursive: true });
    // Another test file was first: its copy is the same.
    if (!existsSync(browser)) throw error;
  }
  return browser;
}

/** Other versions, and copies that a killed process left half unpacked. */
function removeAbandoned(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const isAbandoned = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > ABANDONED_MS;
    if (isAbandoned) rmSync(path, { recursive: true, force: true });
  }
}
