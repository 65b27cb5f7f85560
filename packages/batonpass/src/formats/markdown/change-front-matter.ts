import { isMap, isScalar, type Pair, type ParsedNode } from 'yaml';
import { HandoffError, ParseError } from '../../core/errors.ts';
import { encodeFrontMatter, isSameValue } from './encode-front-matter.ts';
import type { FrontMatter } from './front-matter-value.ts';
import type { TextPlace } from './place.ts';
import { composeYaml, readWholeYaml } from './whole-yaml.ts';

/**
 * Front matter with some fields changed, and every other line as it was: comments, order, quotes and blank lines. A
 * field that has its value already is not touched; one that is not there yet comes last.
 *
 * @throws ParseError for front matter that cannot be read; HandoffError `invalid_structure` where a line cannot be
 * changed alone, as where all fields stand in `{}`, or others refer to its anchor.
 */
export function changeFrontMatter(matter: string, changes: FrontMatter, place: TextPlace): string {
  const before = readWholeYaml(matter, place);
  const wanted = Object.entries(changes).filter(([name, value]) => !isSameValue(before[name], value));
  const lineEnd = matter.includes('\r\n') ? '\r\n' : '\n';
  const pairs = pairsOf(matter, place);
  const edits = wanted.map(([name, value]) => {
    const text = encodeFrontMatter({ [name]: value }).replaceAll('\n', lineEnd);
    return { ...spanOf(matter, pairs.get(name)), text, isNew: !pairs.has(name) };
  });
  let changed = matter;
  for (const { start, end, text, isNew } of edits.sort((a, b) => b.start - a.start)) {
    changed = changed.slice(0, start) + (isNew ? text : text.slice(0, -lineEnd.length)) + changed.slice(end);
  }
  assertOutcome(changed, { ...before, ...changes }, place);
  return changed;
}

type FieldPair = Pair<ParsedNode, ParsedNode | null>;

function pairsOf(matter: string, place: TextPlace): Map<string, FieldPair> {
  const { contents } = composeYaml(matter, place);
  if (contents === null || !isMap(contents)) return new Map();
  if (contents.flow === true) throw notAlone(place);
  return new Map(
    contents.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair as FieldPair]] : [])),
  );
}

/** From the name of a field to the end of its value; a comment after it stays. A new field comes after all lines. */
function spanOf(matter: string, pair: FieldPair | undefined): { start: number; end: number } {
  if (pair === undefined) return { start: matter.length, end: matter.length };
  const start = pair.key.range[0];
  const colon = matter.indexOf(':', pair.key.range[1]) + 1;
  const end = Math.max(colon, pair.value?.range[1] ?? colon);
  return { start, end: start + matter.slice(start, end).trimEnd().length };
}

/** The changed text is parsed again, and returned only where it has the expected fields. */
function assertOutcome(changed: string, expected: FrontMatter, place: TextPlace): void {
  try {
    if (isSameValue(readWholeYaml(changed, place), expected)) return;
  } catch (error) {
    // It could be read before: another line depended on the one that was changed.
    if (!(error instanceof ParseError)) throw error;
  }
  throw notAlone(place);
}

function notAlone({ source }: TextPlace): HandoffError {
  return new HandoffError('invalid_structure', `The fields of ${source} cannot be changed line by line.`, {
    details: { source },
    alternatives: ['Write its front matter with one field a line, without anchors.', 'Write a new file instead.'],
  });
}
