import type { Handoff } from '../../core/handoff.ts';
import type { Baton } from '../../operations/baton.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../operations/catalogue.ts';
import type { View } from './present/view.ts';

/** One option of a command, in commander's spelling of flags. */
export interface CommandOption {
  flags: string;
  description: string;
  /** Can be given several times; the values become a list. */
  many?: boolean;
  /** What an option's text becomes; throws `invalid_input`. */
  parse?: (text: string) => unknown;
}

/** What stands on the command line. */
export interface Given {
  arguments: readonly (string | undefined)[];
  options: Readonly<Record<string, unknown>>;
  /** All of standard input, read once. */
  readStandardInput: () => Promise<string>;
}

/** How a command that changes what is not Baton's own is agreed to: on a terminal its plan is shown first, and asked about. */
export interface Confirmation<Name extends OperationName> {
  /** Whether these words leave something to ask. */
  isWanted: (given: Given) => boolean;
  /** The input that plans and changes nothing. */
  rehearse: (input: OperationInput<Name>) => OperationInput<Name>;
  /** The input that carries out exactly this plan; null where it holds nothing to do. */
  agree: (input: OperationInput<Name>, plan: OperationOutput<Name>) => OperationInput<Name> | null;
  question: string;
  /** A choice that is offered once the answer is yes; no leaves everything as it is. */
  offer?: {
    isWanted: (given: Given, plan: OperationOutput<Name>) => boolean;
    question: string;
    accept: (input: OperationInput<Name>) => OperationInput<Name>;
  };
  /** What is said where the answer is no. */
  refused: string;
}

/**
 * One command of the command line: how its words become an operation's input, and how the answer is shown.
 * It holds no rule about handoffs.
 */
export interface Command<Name extends OperationName = OperationName> {
  /** One word, or several: then it stands under those before the last, a group of `groups.ts`. */
  name: string;
  /** Commander's spelling, as `[transcript]`. */
  arguments?: readonly { flags: string; description: string }[];
  summary: string;
  options?: readonly CommandOption[];
  examples: readonly { line: string; what: string }[];
  operation: Name;
  toInput: (given: Given) => OperationInput<Name> | Promise<OperationInput<Name>>;
  /** Another command, where the words leave to standard input what to do. */
  instead?: (given: Given) => Command | undefined;
  /** How a person at a terminal agrees before anything happens; absent where the words alone are enough. */
  confirm?: Confirmation<Name>;
  /** The text for people, on standard output. */
  present: (output: OperationOutput<Name>, view: View) => string;
  /** What is printed with `--json`; default: the whole answer. */
  toJson?: (output: OperationOutput<Name>) => unknown;
  /** A folder whose changes make the command answer anew, until it is stopped. */
  follows?: (given: Given, context: Baton['context']) => string;
  /** Remarks for people, on standard error: what to do next, what was left out. */
  remark?: (output: OperationOutput<Name>, view: View) => string;
  /** What a wait is shown as while it lasts, on a terminal; default: the summary. */
  progress?: (given: Given) => string | undefined;
  /** Whether each step of a long operation is told by a line of its own, on standard error, that stays. */
  tellsEach?: true;
  /** The id of a handoff whose present state the remark tells besides the answer: the view's `about`. */
  toAbout?: (output: OperationOutput<Name>, given: Given) => string | undefined;
  /** The handoff that the answer gives to this caller: its token is kept for later commands at the same terminal. */
  claimed?: (output: OperationOutput<Name>) => Handoff | null;
  /** Whether the answer is "no", which is exit code 1. */
  isNo?: (output: OperationOutput<Name>) => boolean;
}

/** What `--json` prints where an operation answers a handoff alone: a handoff is under the same key in every command. */
export function underItsKey(handoff: Handoff): { handoff: Handoff } {
  return { handoff };
}

/** Declares a command; the types of its input and output follow from its operation. */
export function defineCommand<Name extends OperationName>(command: Command<Name>): Command<Name> {
  return command;
}
