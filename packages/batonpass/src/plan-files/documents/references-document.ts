import { type DocumentLine, readLines } from './document-lines.ts';
import { entryEnd } from './list-changes.ts';
import { indentOf, readHeading, readLabel, readListItem, unwrapValue } from './markdown-line.ts';
import { readLink } from './markdown-link.ts';
import { findGroup, findSection, type ReferenceGroup, type ReferenceSection } from './reference-groups.ts';
import { type ReferenceFacts, readReference } from './reference-line.ts';

/** A reference in a document, with its place. */
export interface Reference extends ReferenceFacts {
  group: ReferenceGroup;
  /** Index of its line. */
  line: number;
}

/** A section or a label within one, and how far it reaches. */
export interface ReferencePlace {
  /** Index of its heading or label. */
  line: number;
  /** The line after its last entry, or after its heading. */
  end: number;
}

/** A `references.md` as it was read: its parts, and their places. Everything else stays in its lines. */
export interface ReferencesDocument {
  lines: readonly DocumentLine[];
  issue: { url: string; title: string } | null;
  branch: string | null;
  references: Reference[];
  sections: Map<ReferenceSection, ReferencePlace>;
  groups: Map<ReferenceGroup, ReferencePlace>;
}

interface Reading {
  document: ReferencesDocument;
  /** The line after the last entry and all that belongs to it. */
  behind: number;
  section: ReferenceSection | undefined;
  group: ReferenceGroup | undefined;
}

/** Reads a `references.md`. It takes any text: what is missing is absent. */
export function readReferences(text: string): ReferencesDocument {
  const document: ReferencesDocument = {
    lines: readLines(text),
    issue: null,
    branch: null,
    references: [],
    sections: new Map(),
    groups: new Map(),
  };
  const reading: Reading = { document, behind: 0, section: undefined, group: undefined };
  for (const [index, { text: line, is_structure }] of document.lines.entries()) {
    if (!is_structure || index < reading.behind) continue;
    const heading = readHeading(line);
    if (heading !== null && heading.level <= 2) openSection(reading, index, heading.text);
    else if (reading.section === 'issue') readIssueLine(document, line);
    else readSectionLine(reading, index, line);
  }
  return document;
}

function openSection(reading: Reading, index: number, title: string): void {
  const section = findSection(title);
  reading.section = section;
  reading.group = undefined;
  if (section === undefined || reading.document.sections.has(section)) return;
  reading.document.sections.set(section, { line: index, end: index + 1 });
}

function readSectionLine(reading: Reading, index: number, line: string): void {
  const { document, section } = reading;
  if (section === undefined) return;
  const title = labelOf(line);
  if (title !== null) {
    const group = findGroup(section, title);
    reading.group = group;
    if (group !== undefined && !document.groups.has(group)) document.groups.set(group, { line: index, end: index + 1 });
    extend(reading, index + 1);
    return;
  }
  const item = readListItem(line);
  // What is further right is a note to a reference, also where that one is gone.
  if (item === null || indentOf(line) >= 2) return;
  const group = reading.group ?? findGroup(section, '');
  if (group !== undefined) document.references.push({ ...readReference(group, item.text), group, line: index });
  reading.behind = entryEnd(document.lines, { line: index, start: item.start });
  extend(reading, reading.behind);
}

/** The next addition comes after the last entry and what belongs to it, not after the blank lines that follow it. */
function extend({ document, section, group }: Reading, end: number): void {
  const places = [section && document.sections.get(section), group && document.groups.get(group)];
  for (const place of places) if (place !== undefined && end > place.end) place.end = end;
}

/** A label on a line of its own, or a small heading. */
function labelOf(line: string): string | null {
  const heading = readHeading(line);
  if (heading !== null) return heading.text;
  const match = /^\*\*([^*]{1,200})\*\*:?$/.exec(line.trim());
  return match === null ? null : (match[1] ?? '').replace(/:$/, '').trim();
}

function readIssueLine(document: ReferencesDocument, line: string): void {
  const label = readLabel(line.slice(readListItem(line)?.start ?? 0));
  if (label === null || label.value === '') return;
  const name = label.name.toLowerCase();
  if (name === 'branch') document.branch ??= unwrapValue(label.value);
  if (!/^(?:github |gitlab )?issue$/.test(name) || label.value.toLowerCase() === 'none') return;
  const link = readLink(label.value);
  const title = (link?.text ?? unwrapValue(label.value)).replace(/^#\d{1,9}\s{0,9}[-:–]\s{0,9}/, '');
  const isUrl = link === null && /^https?:\/\/\S+$/.test(label.value);
  document.issue ??= { url: link?.target ?? (isUrl ? label.value : ''), title };
}
