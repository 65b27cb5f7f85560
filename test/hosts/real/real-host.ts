import { join } from 'node:path';
import { trialPrograms } from '../../../packages/batonpass/src/host-trial/trial-programs.ts';
import { programRows } from './program-rows.ts';
import { cacheFolder, commandOf, type HostName, programs } from './programs.ts';
import type { RealStage } from './real-stage.ts';
import { escapePattern, Terminal } from './terminal.ts';

/** What differs from one host's program to the next: its words, and what its screen shows. */
export interface ProgramRow {
  /**
   * Writes into the settings what the variables say otherwise: a program that is asked gets none of them. Absent for one
   * that is never asked.
   */
  settleAccess?(stage: RealStage, environment: Readonly<Record<string, string>>): void;
  /** The words that take up the newest session again. */
  resume: readonly string[];
  /** What a person types to have the past summed up. */
  compact: string;
  /** The words that install a plugin; absent for a program that takes none of ours. */
  plugin?: readonly string[];
  /** The tools that the program has even where it is asked for words alone. */
  own_tools: readonly string[];
  /** What a person types to leave. */
  leave: string;
  /** The program takes words. */
  prompt: RegExp;
  /** These words are at the prompt, and not sent. */
  typed: (words: string) => RegExp;
  /** Whether these words have left the prompt. */
  isSent: (screen: string, words: string) => boolean;
  /** Whether the key that sends words would send them, and answer no question that has come meanwhile. */
  mayPress: (screen: string) => boolean;
  /** The model's answer, which ends with these words. */
  answered: (words: string) => RegExp;
  /** What a person is asked before the program continues, and how it is answered. Each question comes once, and words that were sent wait behind it. */
  questions: readonly Question[];
}

/** A question of the program's own, with numbered answers. */
interface Question {
  question: RegExp;
  /** The key of the answer. */
  choice: string;
  /** The answer is the one that Enter would take. */
  chosen: RegExp;
}

/** How a session begins. */
export interface Opening {
  /** What the person says: some hosts start nothing before. */
  prompt: string;
  /** What the model ends its answer with: the turn is over once the screen shows it. */
  answer: string;
  /** The words of the host's own command, as `--continue`. */
  words?: readonly string[];
}

/** A host's real program on a stage, with the model on loopback. */
export class RealHost {
  readonly row: ProgramRow;
  private readonly name: HostName;
  private readonly stage: RealStage;
  private readonly environment: Record<string, string>;
  private readonly terminals: Terminal[] = [];

  /** @param url - the model's address. */
  constructor(name: HostName, stage: RealStage, url: string) {
    this.name = name;
    this.row = programRows[name];
    this.stage = stage;
    const { home, project } = stage;
    const place = { home, project, url, version: programs[name].version, cache: join(cacheFolder, '.cache') };
    this.environment = { ...stage.environment, ...trialPrograms[name].settle(place) };
  }

  /** The words and variables of a run without a person. */
  headless(prompt: string): { words: string[]; environment: Record<string, string> } {
    return {
      words: [commandOf(this.name), ...trialPrograms[this.name].headless, prompt],
      environment: this.environment,
    };
  }

  /** From now on the program needs none of its variables. */
  settleAccess(): void {
    this.row.settleAccess?.(this.stage, this.environment);
  }

  /** Opens an interactive session, and says the first words. */
  async open({ prompt, answer, words = [] }: Opening): Promise<RealSession> {
    const terminal = new Terminal(join(this.stage.folder, `${this.name}-${this.terminals.length}.sock`));
    this.terminals.push(terminal);
    terminal.start([commandOf(this.name), ...words], { cwd: this.stage.project, environment: this.environment });
    const session = new RealSession(terminal, this.row);
    await session.say(prompt, answer);
    return session;
  }

  close(): void {
    for (const terminal of this.terminals) terminal.close();
  }
}

/** A session with a person before it. */
export class RealSession {
  readonly terminal: Terminal;
  private readonly row: ProgramRow;

  constructor(terminal: Terminal, row: ProgramRow) {
    this.terminal = terminal;
    this.row = row;
  }

  async say(prompt: string, answer: string): Promise<void> {
    await this.command(prompt);
    const answered = this.row.answered(escapePattern(answer));
    for (;;) {
      const seen = await this.terminal.waitForAny([answered, ...this.row.questions.map(({ question }) => question)]);
      const asked = this.row.questions.find(({ question }) => question.test(seen));
      if (asked === undefined) return;
      await this.answer(asked);
    }
  }

  /** Types words, as one of the host's own commands, and sends them. A key that is pressed too early is lost, and pressed again. */
  async command(text: string): Promise<void> {
    const { prompt, typed, isSent, mayPress } = this.row;
    const start = text.slice(0, 40);
    await this.terminal.waitForPrompt(prompt);
    this.terminal.type(text);
    await this.terminal.waitForPrompt(typed(escapePattern(start)));
    const isDone = (screen: string) => isSent(screen, start);
    await this.terminal.pressUntil('Enter', { isDone, mayPress, what: `${text} to be sent`, between_ms: key_ms });
  }

  /** Leaves it as a person does. */
  async quit(): Promise<void> {
    await this.command(this.row.leave);
    await this.terminal.ended();
  }

  private async answer({ question, choice, chosen }: Question): Promise<void> {
    await this.terminal.pressUntil(choice, {
      isDone: (screen) => chosen.test(screen) || !question.test(screen),
      what: `choice ${choice} of ${question}`,
      between_ms: key_ms,
    });
    if (question.test(this.terminal.screen())) this.terminal.press('Enter');
    await this.terminal.waitWhile(question);
  }
}

/** Between two presses of one key. */
const key_ms = 1_000;
