import { readFileSync } from 'node:fs';
import type { ContentInput } from '../../core/content.ts';
import { HandoffError, isHandoffError, ParseError } from '../../core/errors.ts';
import type { Given } from './command.ts';

/** A text that the command line names: a file, or `-` for standard input. */
export async function textFrom(name: string, given: Given): Promise<string> {
  if (name === '-') return given.readStandardInput();
  try {
    return decodeText(readFileSync(name), name);
  } catch (cause) {
    if (isHandoffError(cause)) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new HandoffError('file_not_found', `The file ${name} cannot be read: ${code}.`, {
      details: { path: name, code },
      cause,
      alternatives: ['Check the path, or give the text on standard input with "-".'],
    });
  }
}

/**
 * The text of bytes from outside.
 *
 * @throws HandoffError `parse_error` for what is no UTF-8 or contains NUL: guessing would change it silently.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const isBinary = bytes.includes(0);
  try {
    if (!isBinary) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder reports only that it failed; the error below names the source.
  }
  throw new ParseError(`${sourceNameOf(name)} is ${isBinary ? 'binary' : 'not UTF-8 text'}.`, {
    source: name,
    alternatives: ['Give UTF-8 text, e.g.: iconv -f latin1 -t utf-8 FILE | baton … -'],
  });
}

/**
 * A content from the text that an argument names: a JSON object is a content field by field, or contains one, as the
 * answers of `baton extract --json` (under `content`) and `baton show --json` (in `handoff`) do; any other text is a
 * document in Markdown.
 */
export async function contentFromText(given: Given, place = 0): Promise<ContentInput> {
  const name = given.arguments[place] ?? '-';
  const text = await textFrom(name, given);
  if (text.trim() === '') throw refusedContent(name, 'is empty');
  const value = text.trimStart().startsWith('{') ? parseJson(name, text, JSON_OR_MARKDOWN) : attemptJson(text);
  if (value === undefined) return { body: text };
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw refusedContent(name, 'is JSON, but not an object');
  const { content = value } = ('handoff' in value ? value.handoff : value) as { content?: unknown };
  return content as ContentInput;
}

function refusedContent(name: string, problem: string): HandoffError {
  return new HandoffError('invalid_input', `${sourceNameOf(name)} ${problem}.`, {
    alternatives: ['Give a JSON object, e.g. { "summary": "…" }, or a Markdown document.'],
  });
}

const JSON_OR_MARKDOWN = 'Correct the JSON, or begin a Markdown document with anything but "{".';

/** The value of a text that is JSON as a whole; undefined for every other text. */
function attemptJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Most documents are no JSON.
    return undefined;
  }
}

/**
 * The value of a JSON text.
 *
 * @param name - of the file, `-` for standard input, or the option that it was given with.
 * @throws ParseError that names it.
 */
export function parseJson(name: string, text: string, advice = 'Correct the JSON.'): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError(`${sourceNameOf(name)} is not JSON: ${(cause as Error).message}.`, {
      source: name,
      cause,
      alternatives: [advice],
    });
  }
}

function sourceNameOf(name: string): string {
  return name === '-' ? 'Standard input' : name;
}

/** An object without members that are undefined. */
export function dropUndefined(fields: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, never>;
}
