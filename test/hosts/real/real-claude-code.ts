import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from './programs.ts';
import type { HostParts, Opening, RealHost, RealSession } from './real-host.ts';
import { escapePattern, Terminal } from './terminal.ts';

const key = 'sk-ant-api03-a-dummy-key-for-a-model-on-loopback';

/** The real Claude Code. Nobody is asked anything at its first start, because its settings say that all of it was answered. */
export class RealClaudeCode implements RealHost {
  readonly name = 'claude-code';
  private readonly parts: HostParts;
  private readonly environment: Record<string, string>;
  private readonly terminals: Terminal[] = [];

  constructor(parts: HostParts) {
    this.parts = parts;
    const { stage, url } = parts;
    this.environment = {
      ...stage.environment,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const answered = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: { [stage.project]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['baton'] } },
    };
    writeFileSync(join(stage.home, '.claude.json'), JSON.stringify(answered));
    mkdirSync(join(stage.home, '.claude'), { recursive: true });
    const allowed = { permissions: { allow: ['Bash', 'Write', 'Edit', 'mcp__baton'] } };
    writeFileSync(join(stage.home, '.claude/settings.json'), JSON.stringify(allowed));
  }

  headless(prompt: string): { words: string[]; environment: Record<string, string> } {
    return { words: [commandOf(this.name), '-p', prompt], environment: this.environment };
  }

  async open({ prompt, answer, words = [] }: Opening): Promise<RealSession> {
    const { stage } = this.parts;
    const terminal = new Terminal(join(stage.folder, `claude-${this.terminals.length}.sock`));
    this.terminals.push(terminal);
    terminal.start([commandOf(this.name), ...words], { cwd: stage.project, environment: this.environment });
    await terminal.waitForPrompt(/❯/);
    const session = new ClaudeCodeSession(terminal);
    await session.say(prompt, answer);
    return session;
  }

  async close(): Promise<void> {
    for (const terminal of this.terminals) terminal.close();
  }
}

class ClaudeCodeSession implements RealSession {
  readonly terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  async say(prompt: string, answer: string): Promise<void> {
    await this.enter(prompt);
    await this.terminal.waitFor(new RegExp(escapePattern(answer)));
  }

  async command(text: string): Promise<void> {
    await this.enter(text);
  }

  async quit(): Promise<void> {
    await this.enter('/exit');
    await this.terminal.ended();
  }

  /** The words are there before they are sent; a key that is pressed too early is lost, and pressed again. */
  private async enter(text: string): Promise<void> {
    const start = text.slice(0, 40);
    this.terminal.type(text);
    // The last one: a session that goes on shows what was said in it before.
    await this.terminal.waitForPrompt(new RegExp(`❯[^\\n❯]*${escapePattern(start)}[^❯]*$`));
    const isDone = (screen: string) => {
      const lines = screen.split('\n');
      return lines.findLast((line) => line.startsWith('❯'))?.includes(start) !== true;
    };
    await this.terminal.pressUntil('Enter', { isDone, what: `${text} to be sent`, between_ms: key_ms });
  }
}

/** Between two presses of one key. */
const key_ms = 700;
