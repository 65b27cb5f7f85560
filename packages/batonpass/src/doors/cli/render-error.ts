import { type HandoffError, isHandoffError, ParseError } from '../../core/errors.ts';
import { showHiddenIn } from '../../core/shown-values.ts';
import { EXIT_DEFECT, exitCodes } from './exit-codes.ts';
import { type View, visible, wrapped } from './present/view.ts';

/** What a failure shows, and its exit code. */
export interface RenderedError {
  text: string;
  exitCode: number;
}

const prefix = 'baton:';

/**
 * An expected error as what happened, where, and the next step; anything else is a defect and shows its stack.
 * With `json` it is one JSON object of the same facts.
 */
export function renderError(error: unknown, view: View, json: boolean): RenderedError {
  if (!isHandoffError(error)) return renderDefect(error);
  const exitCode = exitCodes[error.code];
  if (json) return { text: JSON.stringify(showHiddenIn({ error: toPlain(error) })), exitCode };
  const place = placeOf(error);
  const steps = error.alternatives.map((step) => `  ${view.style('cyan', '→')} ${fitted(step, '    ', view)}`);
  const head = fitted(`${prefix} ${sentenceOf(error)}`, '  ', view).replace(
    prefix,
    view.style(['bold', 'red'], prefix),
  );
  return { text: [head, ...place, ...steps].join('\n'), exitCode };
}

/** Wrapped where the reader's width is known. A text with a command stays as it is: the terminal breaks it so that it can be copied. */
function fitted(text: string, indent: string, view: View): string {
  return view.isWidthKnown !== true || /\bbaton /.test(text) ? visible(text) : wrapped(text, view.width, indent);
}

/** The position in a text, unless the message has it: as `file:12:3`, or as `line 12`. */
function placeOf(error: HandoffError): string[] {
  if (!(error instanceof ParseError) || error.line === undefined) return [];
  const isSaid = new RegExp(`(?::|\\bline )${error.line}\\b`).test(error.message);
  return isSaid ? [] : [`  at line ${error.line}`];
}

/** The errors of plans keep apart what happened and to what, as their protocol does. */
function sentenceOf({ message, details }: HandoffError): string {
  return typeof details.details === 'string' ? `${message}: ${details.details}` : message;
}

function toPlain({ code, message, details, alternatives }: HandoffError) {
  return { code, message, details, alternatives };
}

function renderDefect(error: unknown): RenderedError {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = `baton: this is a defect in Baton, not in what you did. Please report it with these lines:\n${stack}`;
  return { text, exitCode: EXIT_DEFECT };
}
