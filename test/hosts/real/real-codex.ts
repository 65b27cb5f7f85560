import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from './programs.ts';
import type { HostParts, Opening, RealHost, RealSession } from './real-host.ts';
import { escapePattern, Terminal } from './terminal.ts';

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
    await this.terminal.pressUntil(choice, {
      isDone: (screen) => chosen.test(screen) || !question.test(screen),
      what: `choice ${choice} of ${question}`,
      between_ms: key_ms,
    });
    const seen = this.terminal.screen();
    if (question.test(seen)) this.terminal.press('Enter');
    await this.terminal.waitWhile(question);
  }

  /** A key that is pressed while the program starts is lost: it is pressed until the words have left the prompt. */
  private async enter(text: string): Promise<void> {
    await this.terminal.waitForPrompt(emptyPrompt);
    this.terminal.type(text);
    await this.terminal.waitForPrompt(new RegExp(`^›.*${escapePattern(text.slice(0, 40))}`, 'm'));
    await this.terminal.pressUntil('Enter', {
      isDone: (screen) => sent.test(screen),
      // To a question that has come meanwhile it would be an answer.
      mayPress: (screen) => /^› /m.test(screen),
      what: `${text} to be sent`,
      between_ms: key_ms,
    });
  }
}

const emptyPrompt = /^› Ask Codex to do anything/m;

/** What the screen shows once words have been sent: an empty prompt, or a question. */
const sent = /^› Ask Codex to do anything|Trust and continue|Hooks need review/m;

/** Between two presses of one key. */
const key_ms = 1_000;
