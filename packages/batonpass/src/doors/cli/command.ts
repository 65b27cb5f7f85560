import type { Handoff } from '../../core/handoff.ts';
import type { Baton } from '../../operations/baton.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../operations/catalogue.ts';
import type { View } from './present/view.ts';

/** One option of a command, in commander's spelling of flags. */
export interface CommandOption {
  flags: string;
  description: string;
  /** The field of the operation that it gives, where an error would not know it by its name. */
  field?: string;
  /** Can be given several times; the values become a list. */
  many?: boolean;
  /** Parses an option's text into its value; throws `invalid_input`. */
  parse?: (text: string) => unknown;
}

/** What the command line gives. */
export interface Given {
  arguments: readonly (string | undefined)[];
  options: Readonly<Record<string, unknown>>;
  /** All of standard input, read once. */
  readStandardInput: () => Promise<string>;
}

/** How a person agrees to changes outside of Baton: on a terminal the command shows its plan first, and asks. */
export interface Confirmation<Name extends OperationName> {
  /** Whether these words need a question. */
  isWanted: (given: Given) => boolean;
  /** The input that plans and changes nothing. */
  rehearse: (input: OperationInput<Name>) => OperationInput<Name>;
  /** The input that carries out exactly this plan; null where the plan has nothing to do. */
  agree: (input: OperationInput<Name>, plan: OperationOutput<Name>) => OperationInput<Name> | null;
  question: string;
  /** A choice that is offered after the answer yes; no leaves everything as it is. */
  offer?: {
    isWanted: (plan: OperationOutput<Name>) => boolean;
    question: string;
    accept: (input: OperationInput<Name>) => OperationInput<Name>;
  };
  /** The text that is shown where the answer is no. */
  refused: string;
}

/**
 * One command of the command line: how its words become an operation's input, and how the answer is shown.
 * It holds no rule about handoffs.
 */
export interface Command<Name extends OperationName = OperationName> {
  /** One word, or several: then the words before the last name its group, see `groups.ts`. */
  name: string;
  /** Commander's spelling, as `[transcript]`. */
  arguments?: readonly { flags: string; description: string }[];
  summary: string;
  options?: readonly CommandOption[];
  examples: readonly { line: string; what: string }[];
  operation: Name;
  toInput: (given: Given) => OperationInput<Name> | Promise<OperationInput<Name>>;
  /** Another command, where the words leave the action to standard input. */
  instead?: (given: Given) => Command | undefined;
  /** How a person at a terminal agrees before anything happens; absent where the words alone are enough. */
  confirm?: Confirmation<Name>;
  /** The text for people, on standard output. */
  present: (output: OperationOutput<Name>, view: View) => string;
  /** What is printed with `--json`; default: the whole answer. */
  toJson?: (output: OperationOutput<Name>) => unknown;
  /** A folder whose changes make the command answer again, until it is stopped. */
  follows?: (given: Given, context: Baton['context']) => string;
  /** Remarks for people, on standard error: the next step, what was left out. */
  remark?: (output: OperationOutput<Name>, view: View) => string;
  /** The text of a wait in progress, on a terminal; default: the summary. */
  progress?: (given: Given) => string | undefined;
  /** Whether each step of a long operation is printed on a line of its own, on standard error, that stays. */
  tellsEach?: true;
  /** The id of a handoff whose present state the remark also shows: the view's `about`. */
  toAbout?: (output: OperationOutput<Name>, given: Given) => string | undefined;
  /** The handoff that the answer gives to this caller: its token is kept for later commands at the same terminal. */
  claimed?: (output: OperationOutput<Name>) => Handoff | null;
  /** Whether the answer is "no", which gives exit code 1. */
  isNo?: (output: OperationOutput<Name>) => boolean;
}

/** What `--json` prints where an operation answers with one handoff: every command has it under the same key. */
export function underItsKey(handoff: Handoff): { handoff: Handoff } {
  return { handoff };
}

/** Declares a command; the types of its input and output follow from its operation. */
export function defineCommand<Name extends OperationName>(command: Command<Name>): Command<Name> {
  return command;
}
