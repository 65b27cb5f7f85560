import { HandoffError, isHandoffError } from '../core/errors.ts';

/** Writes lines of a log: pino is one, as is any object whose methods take facts and a text. Without `debug` those lines are left out. */
export interface HandOffLogger {
  debug?: (facts: object, text: string) => unknown;
  info: (facts: object, text: string) => unknown;
  warn: (facts: object, text: string) => unknown;
  error: (facts: object, text: string) => unknown;
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** From which lines on a log is written. */
export type HandOffLogLevel = (typeof levels)[number];

/** The target of the log. */
export interface ServiceLogOptions {
  /** Default: JSON lines on standard error, by pino. */
  logger?: HandOffLogger;
  /** Of the default logger. Default: `BATON_LOG`, else `info`. */
  logLevel?: HandOffLogLevel;
}

/** One call of a service, as its line records it: names and times, never a payload. */
export interface LoggedCall {
  operation: string;
  task_id: string | undefined;
  /** Who called. */
  agent: string;
  /** Who wrote the handoff. */
  source_agent?: string | undefined;
  handoff_id?: string;
  /** How many were listed. */
  count?: number;
  duration_ms: number;
}

/** The requirement that every line is tagged with. */
const tag = 'REQ:[TAS-039]';

/** Lines about calls, one each. A line that cannot be written is lost; the call is not. */
export class ServiceLog {
  readonly #logger: HandOffLogger | undefined;

  private constructor(logger: HandOffLogger | undefined) {
    this.#logger = logger;
  }

  /**
   * Loads pino only where it is to write something.
   *
   * @throws HandoffError `invalid_input` for a level that there is not.
   */
  static async open({ logger, logLevel }: ServiceLogOptions): Promise<ServiceLog> {
    if (logger !== undefined) return new ServiceLog(logger);
    const level = assertLevel(logLevel ?? (process.env.BATON_LOG || 'info'));
    if (level === 'silent') return new ServiceLog(undefined);
    const { pino } = await import('pino');
    // Written at once: a process that ends in any way has logged what it did.
    return new ServiceLog(pino({ name: 'batonpass', level }, pino.destination({ fd: 2, sync: true })));
  }

  /** What changed something. */
  done(call: LoggedCall): void {
    this.#write('info', call, `${call.operation} is done`);
  }

  /** A call that changed nothing: polling would fill the log with it. */
  looked(call: LoggedCall): void {
    this.#write('debug', call, `${call.operation} is done`);
  }

  /** An expected failure is a warning; anything else is a defect. */
  failed(call: LoggedCall, error: unknown): void {
    const code = isHandoffError(error) ? error.code : undefined;
    if (code === undefined) this.#write('error', call, `${call.operation} failed`);
    else this.#write('warn', { ...call, code }, `${call.operation} was refused`);
  }

  #write(level: 'debug' | 'info' | 'warn' | 'error', facts: LoggedCall & { code?: string }, text: string): void {
    try {
      this.#logger?.[level]?.({ tag, ...facts }, text);
    } catch {
      // The call has taken effect already: failing it now would lose what it took.
    }
  }
}

function assertLevel(given: string): HandOffLogLevel {
  const level = levels.find((each) => each === given);
  if (level !== undefined) return level;
  throw new HandoffError('invalid_input', `There is no log level ${JSON.stringify(given)}.`, {
    details: { levels },
    alternatives: [`Set logLevel or BATON_LOG to one of: ${levels.join(', ')}`],
  });
}
