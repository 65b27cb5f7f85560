import { basename } from 'node:path';
import { isMap, isScalar } from 'yaml';
import type { z } from 'zod';
import type { ParseError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { readRegularFile } from '../disk/safe-path.ts';
import { noFrontMatter, parseDocument, placeOfMatter } from '../formats/markdown/document.ts';
import { countStrayBytes, decodeDocument } from '../formats/markdown/document-bytes.ts';
import type { FrontMatter } from '../formats/markdown/front-matter-value.ts';
import { faultIn, type TextPlace } from '../formats/markdown/place.ts';
import type { DocumentParts } from '../formats/markdown/split-document.ts';
import { composeYaml } from '../formats/markdown/whole-yaml.ts';
import { type AnyFrontmatter, type HandoffFile, handoffTypes, isHandoffType, readSchemas } from './frontmatter.ts';
import { repairFields } from './repair.ts';

/**
 * Reads a handoff file. Reading is lenient: a fault that has one meaning only is repaired and listed in `repairs`; fields that
 * the kind does not name are kept. Nothing in the file is executed, and two reads share no object.
 *
 * @typeParam T - the front matter of the kind, as `FindingsFrontmatter`. Default: any kind, recognized by `type`.
 * @throws ParseError with line, column and field for front matter that is absent, not closed, no YAML or of a wrong
 * type; HandoffError `file_not_found`, `too_large`, `invalid_input` (a folder, a pipe), `unavailable`.
 */
export async function parseHandoffFile<T = AnyFrontmatter>(path: string): Promise<HandoffFile<T>> {
  const { parts: _parts, ...file } = parseHandoffDocument(readDocumentText(path), path);
  return file as unknown as HandoffFile<T>;
}

/** The text of a file that is to be read as a document. @throws as `parseHandoffFile`. */
export function readDocumentText(path: string): string {
  return decodeDocument(readRegularFile(path, { bytes_max: limits.document_bytes_max }), path);
}

/** A handoff file with the text that it was read from, stray bytes of its body among it. */
export interface HandoffDocument extends HandoffFile<FrontMatter> {
  parts: DocumentParts & { matter: string };
}

/** A handoff file from its text. @param source - its path. @throws as `parseHandoffFile`. */
export function parseHandoffDocument(text: string, source: string): HandoffDocument {
  const { fields: given, ...split } = parseDocument(text, source, { skipsBlankLines: true });
  const { matter, opening, body } = split;
  if (given === null || matter === null) throw noFrontMatter(source);
  const parts = { ...split, matter };
  const { fields, repairs } = repairFields(given, basename(source));
  const issue = issueOf(fields);
  if (issue !== undefined) throw faultInField(matter, placeOfMatter(parts, source), issue);
  const all = [...repairsOfOpening(opening), ...repairs, ...repairsOfBody(body)];
  return { frontmatter: fields, body: body.toWellFormed(), ...(all.length > 0 && { repairs: all }), parts };
}

function repairsOfOpening(opening: string): string[] {
  return opening.trimStart() === opening.replace('\ufeff', '')
    ? []
    : ['blank lines before the front matter were skipped'];
}

function repairsOfBody(body: string): string[] {
  const count = countStrayBytes(body);
  return count === 0 ? [] : [`the body contains bytes that are not UTF-8 (${count}); each reads as \ufffd`];
}

interface Issue {
  field: string;
  reason: string;
  alternatives?: readonly string[];
}

/** The first fault of repaired front matter; undefined where it is valid for its kind. */
function issueOf(fields: FrontMatter): Issue | undefined {
  const { type } = fields;
  if (!isHandoffType(type)) {
    return {
      field: 'type',
      reason: `${type === undefined ? 'is missing: it ' : ''}must be one of: ${handoffTypes.join(', ')}`,
      alternatives: ['Read a document of another kind as it is: baton file read --any FILE'],
    };
  }
  const answer = readSchemas[type].safeParse(fields);
  const [first] = answer.error?.issues ?? [];
  return first === undefined ? undefined : toIssue(first);
}

function toIssue({ path, message }: z.core.$ZodIssue): Issue {
  const field = String(path[0]);
  const place = path.slice(1).map((part) => ` (entry ${Number(part) + 1})`);
  return { field, reason: `${message}${place.join('')}` };
}

/** The error for a field whose value is not what it must be, at its name; for a field that is missing, at the first line. */
function faultInField(
  matter: string,
  place: TextPlace,
  { field, reason, alternatives = [] }: { field: string; reason: string; alternatives?: readonly string[] },
): ParseError {
  const offset = offsetOfField(matter, place, field);
  return faultIn(matter, place, {
    problem: `The field ${field} ${reason}`,
    offset: offset ?? 0,
    field,
    alternatives: [offset === undefined ? `Add the field ${field}.` : `Correct the field ${field}.`, ...alternatives],
  });
}

/** The place of a field's name; undefined where there is no such field. */
function offsetOfField(matter: string, place: TextPlace, field: string): number | undefined {
  const { contents } = composeYaml(matter, place);
  if (contents === null || !isMap(contents)) return undefined;
  return contents.items.find(({ key }) => isScalar(key) && key.value === field)?.key.range[0];
}
