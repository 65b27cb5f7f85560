import { codeValue, inlineValue } from './inline-value.ts';
import { readCode, readLink, renderLink } from './markdown-link.ts';
import { type ReferenceGroup, referenceGroups } from './reference-groups.ts';

/** The parts of one reference. */
export interface ReferenceFacts {
  /** `ADR-015`, the path of a file, the title of a link, `group:artifact:version`. */
  identifier: string;
  /** For a file or dependency: the note after it. */
  title?: string;
  /** Its location; for a file, the identifier itself. */
  path?: string;
  /** A person's text after the link of a record. */
  rest?: string;
}

/** Reads the text of a list item of a group. */
export function readReference(group: ReferenceGroup, text: string): ReferenceFacts {
  const { type } = referenceGroups[group];
  if (type === 'adr' || type === 'interface') return readRecord(text);
  const link = readLink(text);
  if (type === 'external') {
    const [name = '', ...note] = text.split(' - ');
    if (link === null) return { identifier: name, ...noted(note.join(' - ')) };
    return { identifier: link.text, ...noted(link.rest.replace(/^\s*[-–:]\s+/, '')), path: link.target };
  }
  const { code = withoutNote(text), rest = text.slice(code.length) } = readCode(text) ?? {};
  if (link !== null) return { identifier: link.target, ...noted(unbracket(link.rest)), path: link.target };
  const facts = { identifier: code, ...noted(unbracket(rest)) };
  return type === 'file' ? { ...facts, path: code } : facts;
}

/** The text of a list item of a group. */
export function renderReference(
  group: ReferenceGroup,
  { identifier, title = '', path, rest = '' }: ReferenceFacts,
): string {
  const { type } = referenceGroups[group];
  if (type === 'adr' || type === 'interface') {
    const name = title === '' ? identifier : `${identifier}: ${title}`;
    return path === undefined ? inlineValue(name) : renderLink(name, path) + rest;
  }
  if (type === 'external') {
    const name = path === undefined ? inlineValue(identifier) : renderLink(identifier, path);
    return title === '' ? name : `${name} - ${inlineValue(title)}`;
  }
  const note = inlineValue(title);
  return note === '' ? codeValue(identifier) : `${codeValue(identifier)} (${note})`;
}

/** `[ADR-015: Title](path)`, or the same without a link. */
function readRecord(text: string): ReferenceFacts {
  const link = readLink(text);
  const name = link?.text ?? text;
  const colon = name.indexOf(':');
  const identifier = (colon === -1 ? name : name.slice(0, colon)).trim();
  const title = colon === -1 ? '' : name.slice(colon + 1).trim();
  return { identifier, ...noted(title), ...(link && { path: link.target, rest: link.rest }) };
}

function noted(text: string): { title?: string } {
  const title = text.trim();
  return title === '' ? {} : { title };
}

/** A path without marks, up to the note in brackets after it. */
function withoutNote(text: string): string {
  const start = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  return start === -1 ? text : text.slice(0, start).trimEnd();
}

function unbracket(text: string): string {
  const note = text.trim();
  return note.startsWith('(') && note.endsWith(')') ? note.slice(1, -1) : note.replace(/^[-–:]\s+/, '');
}
