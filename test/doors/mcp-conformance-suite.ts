import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

const sessions = 'Baton keeps no session: every request is answered whole, and repeated with its idempotency key.';
const questions = 'Only a server with a session can send its client a request in this revision; Baton never does.';
const logging = 'Logging through the protocol is deprecated; Baton logs to standard error.';
const subscriptions = 'Baton offers no subscription to resources; its lists change with the program alone.';
const tasks = 'Baton does not offer the extension: a handoff is its own handle, read by handoff_read.';

const state =
  'Baton hands out no state that a client could change; the fixture that does has no check of the server’s own.';

/** What does not apply to Baton, by revision and scenario, each with its reason; how many scenarios there are in all. */
export const conformanceRevisions = {
  '2025-11-25': {
    scenarios: 33,
    exceptions: {
      'tools-call-sampling': questions,
      'tools-call-elicitation': questions,
      'elicitation-sep1034-defaults': questions,
      'elicitation-sep1330-enums': questions,
      'logging-set-level': logging,
      'tools-call-with-logging': logging,
      'resources-subscribe': subscriptions,
      'resources-unsubscribe': subscriptions,
      'server-sse-multiple-streams': sessions,
      'server-sse-polling': sessions,
    },
  },
  '2026-07-28': {
    scenarios: 50,
    exceptions: {
      'input-required-result-tampered-state': state,
      'tasks-lifecycle': tasks,
      'tasks-capability-negotiation': tasks,
      'tasks-wire-fields': tasks,
      'tasks-request-state-removal': tasks,
      'tasks-mrtr-input': tasks,
      'tasks-request-headers': tasks,
      'tasks-dispatch-and-envelope': tasks,
      'tasks-required-task-error': tasks,
      'tasks-mrtr-composition': tasks,
    },
  },
} as const;

/** Runs every scenario of a revision. @returns for each scenario the checks that did not pass, with what was wrong. */
export async function runConformance(revision: string, url: string): Promise<Map<string, string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-test-'));
  try {
    const words = [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    return new Map(
      readdirSync(folder).map((name) => [scenarioOf(name), readFailures(join(folder, name, 'checks.json'))]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `server-tools-list-2026-01-01T…` is a run of `tools-list`. */
function scenarioOf(name: string): string {
  return name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
}

function readFailures(path: string): string[] {
  const checks = JSON.parse(readFileSync(path, 'utf8')) as { id: string; status: string; errorMessage?: string }[];
  return checks
    .filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status))
    .map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`);
}
