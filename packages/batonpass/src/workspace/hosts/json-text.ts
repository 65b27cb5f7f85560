import { createScanner, type Node, parseTree, printParseErrorCode, type ParseError as SyntaxFault } from 'jsonc-parser';
import { HandoffError, ParseError } from '../../core/errors.ts';

/** A value in a JSON text, with its place. */
export type JsonNode = Node;

/** A place in a text; the first line and the first column are 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/**
 * Reads a settings file whose top level must be an object. Comments and trailing commas are allowed, as hosts allow them.
 *
 * @returns null for a text with nothing but space and comments.
 * @throws ParseError with line and column; HandoffError `invalid_structure` for another top level or endless nesting.
 */
export function parseJsonObject(text: string, path: string): JsonNode | null {
  const faults: SyntaxFault[] = [];
  const root = parseDeep(text, faults, path);
  const [fault] = faults;
  if (fault !== undefined) throw notJson({ text, path, fault });
  if (root === undefined) return null;
  if (root.type === 'object') return root;
  throw wrongStructure({ text, path, node: root, problem: `holds ${article(root.type)} where an object is needed` });
}

function parseDeep(text: string, faults: SyntaxFault[], path: string): JsonNode | undefined {
  try {
    return parseTree(text, faults, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new HandoffError('invalid_structure', `${path} is nested too deeply to be read.`, {
      cause,
      details: { path },
      alternatives: ['Look at the file: settings are a few levels deep.'],
    });
  }
}

/** The value of a member; of two with one name the last, as every JSON reader has it. */
export function memberOf(object: JsonNode | undefined | null, key: string): JsonNode | undefined {
  return propertiesOf(object).findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** An object's members as nodes with a name and a value as children; none for anything else. */
export function propertiesOf(object: JsonNode | undefined | null): readonly JsonNode[] {
  return object?.type === 'object' ? (object.children ?? []).filter(({ children }) => children?.length === 2) : [];
}

/** An array's elements; none for anything else. */
export function elementsOf(array: JsonNode | undefined): readonly JsonNode[] {
  return array?.type === 'array' ? (array.children ?? []) : [];
}

/** The place of an offset in a text. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The error for a text that is not of the required form. */
export function wrongStructure(found: { text: string; path: string; node: JsonNode; problem: string }): HandoffError {
  const place = placeOf(found.text, found.node.offset);
  return new HandoffError(
    'invalid_structure',
    `${found.path}:${place.line}:${place.column} ${found.problem}. Nothing was written.`,
    {
      details: { path: found.path, ...place },
      alternatives: ['Correct the file, then run the command again.', 'Or leave it out: --only mcp, hooks or docs.'],
    },
  );
}

/** A kind of JSON value with its article, as "an array". */
export function article(type: JsonNode['type']): string {
  return type === 'null' ? 'null' : `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`;
}

function notJson({ text, path, fault }: { text: string; path: string; fault: SyntaxFault }): ParseError {
  const place = placeOf(text, fault.offset);
  const what = printParseErrorCode(fault.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return new ParseError(`${path}:${place.line}:${place.column} cannot be read as JSON: ${what}. Nothing was written.`, {
    source: path,
    ...place,
    alternatives: ['Correct the file, then run the command again.', 'Or leave it out: --only mcp, hooks or docs.'],
  });
}

/** Where the comma after a value ends; undefined where none follows. Comments before it are skipped. */
export function endOfComma(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const start = scanner.getTokenOffset();
  return text.slice(start, start + scanner.getTokenLength()) === ',' ? start + 1 : undefined;
}

/** Where the comments after a value on its line end: they belong to it. */
export function endOfRemark(text: string, from: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end = from;
  for (;;) {
    scanner.scan();
    const token = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (token.startsWith('//') || token.startsWith('/*')) end = scanner.getTokenOffset() + token.length;
    else if (!/^[ \t]+$/.test(token)) return end;
  }
}
