import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Baton, type Handoff, openBaton } from '../../packages/batonpass/src/index.ts';
import { assistantRow, userRow } from '../transcripts/rows.ts';

const hook = { name: 'claude-code', type: 'hook' } as const;

/** Sessions as hosts name them. */
export const A = 'aaaaaaaa-0000-4000-8000-000000000001';
/** A second one. */
export const B = 'bbbbbbbb-0000-4000-8000-000000000002';
/** A third one. */
export const C = 'cccccccc-0000-4000-8000-000000000003';

/** One host's sessions in one repository, passed to the operations as the hooks' door does, with its own clock. */
export class SessionBench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-sessions-')));
  /** A folder outside any repository. */
  readonly outside = realpathSync(mkdtempSync(join(tmpdir(), 'baton-outside-')));
  now_ms = Date.now();
  readonly #batons: Baton[] = [];
  readonly #processes: ChildProcess[] = [];

  constructor() {
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('commit', '--quiet', '--allow-empty', '--message=one');
  }

  git(...words: string[]): void {
    const identity = ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.com'];
    execFileSync('git', [...identity, ...words], { cwd: this.folder, stdio: 'ignore' });
  }

  /** The library as a host's process sees it; without one, as this test's. */
  async open(
    host: ChildProcess | undefined = undefined,
    settings: Record<string, string> = {},
    cwd: string = this.folder,
  ): Promise<Baton> {
    const { folder } = this;
    const environment = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, '.state'), ...settings };
    const baton = await openBaton({
      cwd,
      environment: { ...environment, CLAUDE_PID: String(host?.pid ?? process.pid) },
      surroundings: { now: () => this.now_ms },
    });
    this.#batons.push(baton);
    return baton;
  }

  /** A process that represents a host and does nothing. */
  startHost(words: readonly string[] = []): ChildProcess {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()', '--', ...words], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#processes.push(child);
    return child;
  }

  async kill(host: ChildProcess): Promise<void> {
    const ended = new Promise((resolve) => host.once('exit', resolve));
    host.kill('SIGKILL');
    await ended;
  }

  transcript(session: string): string {
    return join(this.folder, '.git', `${session}.jsonl`);
  }

  /** Lets a session say something: rows of the transcript, as the host writes them. */
  say(session: string, role: 'user' | 'assistant', text: string): void {
    const row = role === 'user' ? userRow(text, { sessionId: session }) : assistantRow(text, { sessionId: session });
    appendFileSync(this.transcript(session), `${row}\n`);
  }

  /** Lets a session decide something. */
  work(session: string, words = 'We will use Postgres for the queue, not Redis.'): void {
    this.say(session, 'user', words);
    this.say(session, 'assistant', 'Agreed. The schema is next.');
  }

  /** The host's record of what a hook gave the session. */
  show(session: string, text: string): void {
    const attachment = { type: 'hook_additional_context', hookName: 'SessionStart', content: [text] };
    const row = { type: 'attachment', sessionId: session, isSidechain: false, attachment };
    appendFileSync(this.transcript(session), `${JSON.stringify(row)}\n`);
  }

  session(session: string) {
    return { host: 'claude-code', session, transcript: this.transcript(session), interactive: true };
  }

  async start(baton: Baton, session: string, given: object = {}) {
    const input = { ...this.session(session), source: 'startup' as const, ...given };
    return baton.run('session.start', input, { actor: hook });
  }

  /** Saves a session, in this process. */
  async note(baton: Baton, session: string, given: object = {}): Promise<void> {
    const input = { ...this.session(session), event: 'Stop', ended: false, ...given };
    await baton.run('session.note', input, { actor: hook });
  }

  async end(baton: Baton, session: string): Promise<void> {
    await this.note(baton, session, { event: 'SessionEnd', ended: true });
  }

  async listOpen(baton: Baton): Promise<Handoff[]> {
    return (await baton.run('handoff.list', { state: ['open'] })).handoffs;
  }

  async close(): Promise<void> {
    for (const baton of this.#batons) await baton.close();
    for (const child of this.#processes) child.kill('SIGKILL');
    for (const folder of [this.folder, this.outside]) rmSync(folder, { recursive: true, force: true });
  }
}
