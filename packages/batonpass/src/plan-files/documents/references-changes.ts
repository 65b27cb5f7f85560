import { HandoffError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import { editLines, isOpenEnded, type LineEdit } from './document-lines.ts';
import { inlineValue } from './inline-value.ts';
import { readListItem } from './markdown-line.ts';
import {
  chooseGroup,
  type ReferenceGroup,
  type ReferenceType,
  referenceGroups,
  referenceSections,
  sectionTitles,
} from './reference-groups.ts';
import { type ReferenceFacts, renderReference } from './reference-line.ts';
import { type Reference, type ReferencesDocument, readReferences } from './references-document.ts';

/** A change of one reference. */
export interface ReferenceChange {
  action: 'add' | 'update' | 'remove';
  type: ReferenceType;
  /** Its group, in the words of `reference-groups.ts`. Default: by its form. */
  kind?: string;
  identifier: string;
  title?: string;
  path?: string;
}

/** A document after a change. */
export interface ChangedReferences {
  text: string;
  /** What was done, in words; empty where nothing had to change. */
  changes: string[];
}

/**
 * Adds, updates or removes one reference; only its line changes. Adding what is there already changes nothing.
 *
 * @throws HandoffError `reference_not_found` for one to update or remove that is not there; `validation_failed` for one
 * to add that is there with another content, and for an identifier that several have.
 */
export function changeReferences(text: string, change: ReferenceChange): ChangedReferences {
  const document = readReferences(text);
  const found = findReference(document, change);
  if (change.action === 'add')
    return found === undefined ? addReference(text, document, change) : addAgain(text, found, change);
  if (found === undefined) throw notFound(change, document);
  const { line } = found;
  if (change.action === 'remove') {
    return {
      text: editLines(document.lines, [{ at: line, remove: 1, insert: [] }]),
      changes: [describe('Removed', found)],
    };
  }
  const facts = { ...factsOf(found), ...given(found.group, change) };
  const before = document.lines[line]?.text ?? '';
  const start = readListItem(before)?.start ?? 0;
  const after = before.slice(0, start) + renderReference(found.group, facts);
  if (isSame(factsOf(found), facts)) return { text, changes: [] };
  if (!saysAll(renderReference(found.group, factsOf(found)), before.slice(start))) throw saysMore(found);
  const changes = [describe('Updated', { ...facts, group: found.group })];
  return { text: editLines(document.lines, [{ at: line, remove: 1, insert: [after] }]), changes };
}

/** An identifier is compared whole, or with its note as the line has it; a file's name alone, or a dependency without its version, where only one has it. */
function findReference({ references }: ReferencesDocument, change: ReferenceChange): Reference | undefined {
  const { type, identifier, path } = change;
  const candidates = references.filter(({ group }) => referenceGroups[group].type === type);
  const wanted = [identifier, inlineValue(identifier), ...(type === 'file' && path !== undefined ? [path] : [])];
  const exact = candidates.filter((each) =>
    [each.identifier, renderReference(each.group, factsOf(each))].some((name) => wanted.includes(name)),
  );
  if (change.action === 'add') return exact[0];
  if (exact.length > 0) return onlyOne(exact, change);
  return onlyOne(
    candidates.filter((each) => shortNameOf(type, each.identifier) === shortNameOf(type, identifier)),
    change,
  );
}

/** What two identifiers of one thing have in common; NaN-like for types where that is the whole. */
function shortNameOf(type: ReferenceType, identifier: string): string | undefined {
  if (type === 'file') return identifier.slice(identifier.lastIndexOf('/') + 1);
  if (type !== 'dependency') return identifier;
  const version = Math.max(identifier.indexOf(':') === -1 ? -1 : lastPart(identifier, ':'), lastPart(identifier, '@'));
  return version <= 0 ? identifier : identifier.slice(0, version);
}

/** Where the version begins: after the second colon of `group:artifact:version`, or the last `@` that is not the first sign. */
function lastPart(identifier: string, sign: ':' | '@'): number {
  if (sign === '@') return identifier.lastIndexOf('@');
  const first = identifier.indexOf(':');
  return identifier.indexOf(':', first + 1);
}

function onlyOne(found: readonly Reference[], { identifier }: ReferenceChange): Reference | undefined {
  if (found.length < 2) return found[0];
  throw refuse(`${inlineValue(identifier)} is in references.md ${found.length} times`, [
    `Name it whole: ${found.map((each) => each.identifier).join(', ')}`,
    'Remove the others by hand',
  ]);
}

function addReference(text: string, document: ReferencesDocument, change: ReferenceChange): ChangedReferences {
  if (isOpenEnded(text)) throw openEnded();
  const group = chooseGroup(change.type, change.kind ?? '', change.path ?? change.identifier);
  const facts = { identifier: identifierOf(change), ...given(group, change) };
  const edit = placeOf(document, group, `- ${renderReference(group, facts)}`);
  return { text: editLines(document.lines, [edit]), changes: [describe('Added', { ...facts, group })] };
}

function addAgain(text: string, found: Reference, change: ReferenceChange): ChangedReferences {
  const facts = { ...factsOf(found), ...given(found.group, change) };
  if (isSame(factsOf(found), facts)) return { text, changes: [] };
  throw refuse(`${inlineValue(change.identifier)} is in references.md already, with another title or path`, [
    'Change it with action update',
  ]);
}

/** A file is named by its path. */
function identifierOf({ type, identifier, path }: ReferenceChange): string {
  return inlineValue(type === 'file' ? (path ?? identifier) : identifier);
}

/** The parts of a changed reference, as the document will have them. */
function given(
  group: ReferenceGroup,
  { identifier, title, path, kind = '' }: ReferenceChange,
): Partial<ReferenceFacts> {
  const relation = group === 'plan' && ['prerequisite', 'related'].includes(kind) ? kind : undefined;
  const note = relation ?? title;
  const { type } = referenceGroups[group];
  const isPlaced = type !== 'dependency' && path !== undefined;
  return {
    ...(note !== undefined && { title: inlineValue(note) }),
    ...(isPlaced && { path: inlineValue(path) }),
    ...(isPlaced && type === 'file' && { identifier: inlineValue(path) }),
    // Found without its version, it gets the new one.
    ...(type === 'dependency' && { identifier: inlineValue(identifier) }),
  };
}

function factsOf({ identifier, title, path, rest }: Reference): ReferenceFacts {
  return {
    identifier,
    ...(title !== undefined && { title }),
    ...(path !== undefined && { path }),
    ...(rest !== undefined && { rest }),
  };
}

/** Whether a rewritten line has every word of the one before. */
function saysAll(written: string, before: string): boolean {
  const words = new Set(written.match(/[\p{L}\p{N}]+/gu));
  return (before.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => words.has(word));
}

/** What a person added to a line is not deleted by a change of something else in it. */
function saysMore({ identifier, line }: Reference): HandoffError {
  return refuse(`The line of ${identifier} holds more than a reference`, [
    `Change line ${line + 1} of references.md by hand`,
  ]);
}

function isSame(left: ReferenceFacts, right: ReferenceFacts): boolean {
  return left.identifier === right.identifier && left.title === right.title && left.path === right.path;
}

/** After the last of its group; a group or section that is not there yet comes where the form has it. */
function placeOf(document: ReferencesDocument, group: ReferenceGroup, line: string): LineEdit {
  const { type, title } = referenceGroups[group];
  const block = title === undefined ? [line] : [`**${title}**:`, line];
  const place = document.groups.get(group);
  if (place !== undefined) return { at: place.end, remove: 0, insert: [line] };
  const section = document.sections.get(type);
  if (section !== undefined) {
    const isList = title === undefined && section.end > section.line + 1;
    return { at: section.end, remove: 0, insert: isList ? block : ['', ...block] };
  }
  const later = referenceSections.slice(referenceSections.indexOf(type) + 1);
  const next = later.map((each) => document.sections.get(each)).find((each) => each !== undefined);
  const heading = `## ${sectionTitles[type][0]}`;
  if (next !== undefined) return { at: next.line, remove: 0, insert: [heading, '', ...block, ''] };
  return { at: document.lines.length, remove: 0, insert: ['', heading, '', ...block] };
}

function describe(what: string, { group, identifier, title }: ReferenceFacts & { group: ReferenceGroup }): string {
  const { noun } = referenceGroups[group];
  if (noun !== '') return `${what} ${noun}: ${identifier}`;
  return title === undefined ? `${what} ${identifier}` : `${what} ${identifier}: ${title}`;
}

const typeNames: Readonly<Record<ReferenceType, string>> = {
  file: 'file',
  adr: 'ADR',
  interface: 'interface',
  external: 'external documentation',
  dependency: 'dependency',
};

function notFound({ type, identifier }: ReferenceChange, { references }: ReferencesDocument): HandoffError {
  const name = inlineValue(identifier);
  const known = references.filter(({ group }) => referenceGroups[group].type === type);
  return new HandoffError('reference_not_found', `Referenced ${typeNames[type]} not found`, {
    details: { details: `${name} does not exist in references.md` },
    alternatives: [
      ...didYouMean(
        name,
        known.map((each) => each.identifier),
      ),
      `Add ${name} with action add`,
      'See which there are with get-references',
    ],
  });
}

function openEnded(): HandoffError {
  return new HandoffError('invalid_structure', 'References file has invalid structure', {
    details: { details: 'references.md ends inside of a code fence or comment' },
    alternatives: ['Close it by hand, then try again'],
  });
}

function refuse(details: string, alternatives: readonly string[]): HandoffError {
  return new HandoffError('validation_failed', 'Reference does not fit', { details: { details }, alternatives });
}
