import { readFileSync } from 'node:fs';
import type { ContentInput } from '../../core/content.ts';
import { HandoffError, ParseError } from '../../core/errors.ts';
import type { Given } from './command.ts';

/** A text that the command line names: a file, or `-` for standard input. */
async function textFrom(name: string, given: Given): Promise<string> {
  if (name === '-') return given.readStandardInput();
  try {
    return readFileSync(name, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new HandoffError('file_not_found', `The file ${name} cannot be read: ${code}.`, {
      details: { path: name, code },
      cause,
      alternatives: ['Check the path, or give the text on standard input with "-".'],
    });
  }
}

/**
 * A content from the text that an argument names: a JSON object is a content field by field, anything else a
 * document in Markdown.
 */
export async function contentFromText(given: Given, place = 0): Promise<ContentInput> {
  const name = given.arguments[place] ?? '-';
  const text = await textFrom(name, given);
  if (text.trim() === '') {
    throw new HandoffError('invalid_input', `${name === '-' ? 'Standard input' : name} is empty.`, {
      alternatives: ['Give a JSON object, as { "summary": "…" }, or a Markdown document.'],
    });
  }
  return text.trimStart().startsWith('{') ? parseContent(name, text) : { body: text };
}

function parseContent(name: string, text: string): ContentInput {
  try {
    return JSON.parse(text) as ContentInput;
  } catch (cause) {
    throw new ParseError(`${name === '-' ? 'Standard input' : name} is not JSON: ${(cause as Error).message}.`, {
      source: name,
      cause,
      alternatives: ['Correct the JSON, or begin a Markdown document with anything but "{".'],
    });
  }
}

/** An object without members that are undefined. */
export function dropUndefined(fields: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, never>;
}
