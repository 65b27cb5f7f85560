import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTranscript } from '../packages/batonpass/src/transcripts/read-transcript.ts';

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');

/** A start gives up waiting for the save before it; another one finds it done. */
const startsMax = 5;

/**
 * What a session's start puts into its context after the session of a transcript has ended: the real hook command, run
 * as processes in a repository, a home and a folder of sessions of their own. Nothing remains.
 *
 * @throws Error where no start was given anything.
 */
export async function injectAfter(transcript: string): Promise<string> {
  const { session = 'session-1' } = await readTranscript({ path: transcript });
  const folder = mkdtempSync(join(tmpdir(), 'baton-injection-'));
  const project = join(folder, 'project');
  const kept = join(folder, `${session}.jsonl`);
  try {
    mkdirSync(project);
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', project]);
    copyFileSync(transcript, kept);
    const home = { HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
    runHook('SessionEnd', { session_id: session, transcript_path: kept, reason: 'exit' }, { project, home });
    for (let start = 1; start <= startsMax; start += 1) {
      const next = {
        session_id: `next-${start}`,
        transcript_path: join(folder, `next-${start}.jsonl`),
        source: 'startup',
      };
      const text = runHook('SessionStart', next, { project, home });
      if (text !== '') return text;
    }
    throw new Error(`${startsMax} sessions started after that of ${transcript}, and none was given anything.`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface HookPlace {
  project: string;
  home: Record<string, string>;
}

/** The text for the session's context; empty where the hook gave none. */
function runHook(event: string, payload: object, { project, home }: HookPlace): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'hook', event], {
    cwd: project,
    input: `${JSON.stringify({ ...payload, cwd: project, hook_event_name: event })}\n`,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...home, CLAUDE_PROJECT_DIR: project },
  });
  if (stderr !== '') process.stderr.write(stderr);
  return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '');
}
