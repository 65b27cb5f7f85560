import { assertDepth } from '../../core/canonical-json.ts';
import { HandoffError, isHandoffError, ParseError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type DecodedToon, decodeToon } from '../../formats/toon/decode-toon.ts';
import { splitUnquoted } from '../../formats/toon/dialect/unquoted.ts';
import { encodeToon } from '../../formats/toon/encode-toon.ts';
import { formatErrorMessage } from './error-message.ts';
import { answerHandoffId, isWriting, type MessageOperation } from './message-operations.ts';
import { ANSWERER, type Correspondence, readCorrespondence, readRequest } from './read-request.ts';

/** How a message is answered. */
export interface AnswerOptions {
  /** Runs an operation of the protocol; its answer's members are in the answering message. */
  run: (operation: MessageOperation, input: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** How the message is written, and the answer too. Default: `toon`. */
  format?: MessageFormat;
  /** The operation that was called, where the caller gives it in addition to the message. Default: the message names it. */
  operation?: MessageOperation;
}

/** The answer to a message. */
export interface PlanAnswer {
  status: 'success' | 'failed';
  message: Record<string, unknown>;
  /** The message, written. */
  text: string;
  /** What of the request had to be read otherwise than it was written. */
  repairs: string[];
}

/**
 * Answers one message of the protocol. A message that cannot be read, or requests what is not possible, is answered by an
 * error message; then nothing was written.
 *
 * @throws what is no HandoffError: a defect.
 */
export async function answerPlanMessage(text: string, options: AnswerOptions): Promise<PlanAnswer> {
  const { format = 'toon' } = options;
  let correspondence: Correspondence = guessCorrespondence(text);
  let repairs: string[] = [];
  const close = (status: PlanAnswer['status'], message: Record<string, unknown>): PlanAnswer => ({
    status,
    message,
    text: encodeMessage(message, format),
    repairs,
  });
  try {
    const decoded = decodeMessage(text, format);
    repairs = decoded.repairs;
    correspondence = readCorrespondence(decoded.value);
    const { operation, input } = readRequest(decoded.value, options.operation);
    if (isWriting(operation)) assertWhole(decoded.losses);
    const texts = withTextEntries(input, (repair) => repairs.push(repair));
    const result = await options.run(operation, texts as Record<string, unknown>);
    return close('success', formatAnswer(result, correspondence, operation));
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return close('failed', formatErrorMessage(error, correspondence));
  }
}

/** A message that was cut, or has entries as comments, would write a part of what is meant. */
function assertWhole([first, ...others]: readonly string[] = []): void {
  if (first === undefined) return;
  const [, line = '1', what = first] = /^line (\d+): (.*)$/.exec(first) ?? [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new ParseError(`Line ${line}: ${what}${more}. Nothing was written.`, {
    line: Number(line),
    column: 1,
    details: { losses: [first, ...others] },
    alternatives: ['Send the whole message again', 'Correct the count of the list, or take the comment out of it'],
  });
}

function formatAnswer(
  result: Record<string, unknown>,
  { from, handoff_id }: Correspondence,
  operation: MessageOperation,
): Record<string, unknown> {
  const id = answerHandoffId(handoff_id ?? operation);
  return { from: ANSWERER, to: from, handoff_id: id, status: 'success', ...result };
}

/** The sender of a text that cannot be read: its first line `from: name`. */
function guessCorrespondence(text: string): Correspondence {
  const from = /^"?from"?: *"?([\w-]{1,100})"?,? *\r?$/m.exec(text.slice(0, 1_000))?.[1];
  return { from: from ?? 'caller' };
}

/** Lists of a request that hold texts, or entries with a text. */
const textLists: readonly string[] = ['checklist', 'acceptance_criteria', 'checklist_items'];
/** Every list of single values. */
const valueLists: readonly string[] = [...textLists, 'phases', 'files_created'];

/**
 * An input in which entries as `- Add: tests` of a list of texts are texts: TOON reads such a line as an object of one member.
 * A text in brackets where a list is meant, as `checklist_items: [0, 1]`, is that list. What is more than a text behind the
 * colon stays, and is refused by the operation.
 *
 * @param note - is given a sentence for each value that was read otherwise than it was written.
 */
function withTextEntries(input: unknown, note: (repair: string) => void): unknown {
  if (Array.isArray(input)) return input.map((each) => withTextEntries(each, note));
  if (typeof input !== 'object' || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => {
    if (name === 'task_id' && typeof value === 'number') return [name, `task-${value}`];
    const list = valueLists.includes(name) ? fromBrackets(name, value, note) : value;
    const isTexts = textLists.includes(name) && Array.isArray(list);
    return [name, isTexts ? list.map((entry) => asText(entry, note)) : withTextEntries(list, note)];
  });
  return Object.fromEntries(members);
}

function fromBrackets(name: string, value: unknown, note: (repair: string) => void): unknown {
  if (typeof value !== 'string' || !/^\[[\s\S]*\]$/.test(value.trim())) return value;
  const inner = value.trim().slice(1, -1).trim();
  const parts = inner === '' ? [] : splitUnquoted(inner, ',');
  note(`read ${name} "${value}" as a list of ${parts.length}`);
  return parts.map((part) => {
    if (name === 'checklist_items' && /^\d{1,9}$/.test(part)) return Number(part);
    return /^"[^"]*"$/.test(part) ? part.slice(1, -1) : part;
  });
}

function asText(entry: unknown, note: (repair: string) => void): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const [[name, value] = [], ...others] = Object.entries(entry);
  if (name === undefined || name === 'text' || typeof value !== 'string' || others.length > 0) return entry;
  const text = `${name}: ${value}`;
  note(`read "${text}" as a text, not as a member`);
  return text;
}

/** How messages are written: TOON, or the same members as JSON. */
type MessageFormat = 'toon' | 'json';

/**
 * Reads one message.
 *
 * @throws HandoffError `too_large` before anything is decoded; ParseError with line and column, also where the text
 * holds a request and its answer, divided by comments.
 */
export function decodeMessage(text: string, format: MessageFormat): DecodedToon {
  if (format === 'json') return { value: decodeJson(text), repairs: [] };
  assertOneMessage(text);
  return decodeToon(text);
}

/**
 * Writes one message; TOON in the strict form.
 *
 * @throws HandoffError `too_large` beyond the bounds of `formats/toon`.
 */
function encodeMessage(message: object, format: MessageFormat): string {
  return format === 'json' ? JSON.stringify(message, null, 2) : encodeToon(message);
}

const heading = /^# *(?:(?<request>input|request)|output|response|answer)[ :]*\r?$/gim;

/** Specifications show a request and its answer in one block. To the decoder they would be one message with both's members. */
function assertOneMessage(text: string): void {
  if (text.length > limits.toon_bytes_max) return;
  const headings = [...text.matchAll(heading)];
  const request = headings.find(({ groups }) => groups?.request !== undefined);
  const answer = headings.find(({ groups }) => groups?.request === undefined);
  if (request === undefined || answer === undefined) return;
  const line = text.slice(0, Math.max(request.index, answer.index)).split('\n').length;
  throw new ParseError(`Line ${line}: a second message begins here, after "${headings[0]?.[0].trim()}".`, {
    line,
    column: 1,
    alternatives: ['Send the request alone.'],
  });
}

function decodeJson(text: string): unknown {
  const { toon_bytes_max } = limits;
  if (text.length > toon_bytes_max) {
    throw new HandoffError('too_large', `The text has more than ${toon_bytes_max.toLocaleString('en-US')} bytes.`, {
      alternatives: ['Send it in parts, or put the bulk into a file and name the file.'],
    });
  }
  const value = parseJson(text);
  assertDepth(value);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const position = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    const before = text.slice(0, position).split('\n');
    throw new ParseError(`The message is not JSON: ${reason}.`, {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      cause,
      alternatives: ['Send one JSON object, or TOON without --json.'],
    });
  }
}
