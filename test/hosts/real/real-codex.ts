import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from './programs.ts';
import type { HostParts, Opening, RealHost, RealSession } from './real-host.ts';
import { escapePattern, Terminal } from './terminal.ts';
import { until } from './until.ts';

/** The real Codex. Its questions about the folder and the hooks are answered at the keys, as a person does once. */
export class RealCodex implements RealHost {
  readonly name = 'codex';
  private readonly parts: HostParts;
  private readonly environment: Record<string, string>;
  private readonly terminals: Terminal[] = [];

  constructor(parts: HostParts) {
    this.parts = parts;
    const { stage, url } = parts;
    this.environment = { ...stage.environment, RIG_KEY: 'dummy' };
    mkdirSync(join(stage.home, '.codex'), { recursive: true });
    const lines = [
      'model = "gpt-5.1-codex"',
      'model_provider = "rig"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'check_for_update_on_startup = false',
      '[model_providers.rig]',
      'name = "rig"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "RIG_KEY"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      '[analytics]',
      'enabled = false',
    ];
    writeFileSync(join(stage.home, '.codex/config.toml'), `${lines.join('\n')}\n`);
  }

  headless(prompt: string): { words: string[]; environment: Record<string, string> } {
    const words = [commandOf(this.name), 'exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', prompt];
    return { words, environment: this.environment };
  }

  async open({ prompt, answer, words = [] }: Opening): Promise<RealSession> {
    const { stage } = this.parts;
    const terminal = new Terminal(join(stage.folder, `codex-${this.terminals.length}.sock`));
    this.terminals.push(terminal);
    terminal.start([commandOf(this.name), ...words], { cwd: stage.project, environment: this.environment });
    const session = new CodexSession(terminal);
    await session.say(prompt, answer);
    return session;
  }

  async close(): Promise<void> {
    for (const terminal of this.terminals) terminal.close();
    endDaemons(this.parts.stage.home);
  }
}

/** The server that an interactive Codex leaves in the background, and what updates it: those of this home alone. */
function endDaemons(home: string): void {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of lines) {
    const [, pid, program] = /^\s*(\d+) (\S+)/.exec(line) ?? [];
    if (pid === undefined || program?.startsWith(`${home}/`) !== true) continue;
    try {
      process.kill(Number(pid));
    } catch {
      // It has ended meanwhile.
    }
  }
}

class CodexSession implements RealSession {
  readonly terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  async say(prompt: string, answer: string): Promise<void> {
    await this.enter(prompt);
    const answered = new RegExp(`^[•\\s].*${escapePattern(answer)}`, 'm');
    const asked = /Trust and continue|Hooks need review/;
    // Each question comes once, and the words that were sent wait behind it.
    for (;;) {
      const seen = await this.terminal.waitFor(new RegExp(`${answered.source}|${asked.source}`, 'm'));
      if (/Trust and continue/.test(seen)) await this.answer('1', /Trust and continue/);
      else if (/Hooks need review/.test(seen)) await this.answer('2', /Hooks need review/);
      else return;
    }
  }

  async command(text: string): Promise<void> {
    await this.enter(text);
  }

  async quit(): Promise<void> {
    await this.enter('/quit');
    await this.terminal.ended();
  }

  private async answer(choice: string, question: RegExp): Promise<void> {
    const chosen = new RegExp(`› ${choice}\\.`);
    await until(
      () => {
        const seen = this.terminal.screen();
        const isDone = chosen.test(seen) || !question.test(seen);
        if (!isDone) this.terminal.press(choice);
        return isDone;
      },
      () => `choice ${choice} of ${question}; the screen shows:\n${this.terminal.screen()}`,
      key_ms,
    );
    const seen = this.terminal.screen();
    if (question.test(seen)) this.terminal.press('Enter');
    await this.terminal.waitWhile(question);
  }

  /** A key that is pressed while the program starts is lost: it is pressed until the words have left the prompt. */
  private async enter(text: string): Promise<void> {
    await this.terminal.waitFor(emptyPrompt, 'the empty prompt of Codex');
    this.terminal.type(text);
    await this.terminal.waitFor(new RegExp(`^›.*${escapePattern(text.slice(0, 40))}`, 'm'));
    await until(
      () => {
        const seen = this.terminal.screen();
        const isSent = sent.test(seen) || !this.terminal.isRunning();
        // To a question that has come meanwhile it would be an answer.
        if (!isSent && /^› /m.test(seen)) this.terminal.press('Enter');
        return isSent;
      },
      () => `${text} to be sent; the screen shows:\n${this.terminal.screen()}`,
      key_ms,
    );
  }
}

const emptyPrompt = /^› Ask Codex to do anything/m;

/** What the screen shows once words have been sent: an empty prompt, or a question. */
const sent = /^› Ask Codex to do anything|Trust and continue|Hooks need review/m;

/** Between two presses of one key. */
const key_ms = 1_000;
