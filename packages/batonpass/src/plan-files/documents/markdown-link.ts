import { inlineValue } from './inline-value.ts';

/** A link, as `[ADR-015: Tokens](doc/adr-015.md)`. */
export interface MarkdownLink {
  text: string;
  target: string;
  /** The rest of the line after it. */
  rest: string;
}

/** The link that a text begins with; null without one. Brackets may be nested and escaped. */
export function readLink(text: string): MarkdownLink | null {
  if (text[0] !== '[') return null;
  const close = matchingEnd(text, 0, '[', ']');
  if (text[close + 1] !== '(') return null;
  const label = undoEscapes(text.slice(1, close));
  const start = close + 2;
  if (text[start] === '<') {
    const end = matchingEnd(text, start, '<', '>');
    if (text[end + 1] !== ')') return null;
    return { text: label, target: undoEscapes(text.slice(start + 1, end)), rest: text.slice(end + 2) };
  }
  const end = matchingEnd(text, close + 1, '(', ')');
  if (end === -1) return null;
  return { text: label, target: undoEscapes(text.slice(start, end).trim()), rest: text.slice(end + 1) };
}

/** A link; a target with spaces or brackets is in angle brackets. */
export function renderLink(text: string, target: string): string {
  const label = inlineValue(text).replace(/[\\[\]]/g, '\\$&');
  const place = inlineValue(target);
  const isPlain = !/[\s()<>\\]/.test(place);
  return `[${label}](${isPlain ? place : `<${place.replace(/[\\<>]/g, '\\$&')}>`})`;
}

/** Code at the beginning of a text, and the text after it; null where it begins otherwise. */
export function readCode(text: string): { code: string; rest: string } | null {
  let length = 0;
  while (text[length] === '`') length += 1;
  if (length === 0) return null;
  const marks = '`'.repeat(length);
  let end = text.indexOf(marks, length);
  // A longer run of marks does not close a shorter one.
  while (end !== -1 && (text[end + length] === '`' || text[end - 1] === '`')) end = text.indexOf(marks, end + 1);
  if (end === -1) return null;
  const inner = text.slice(length, end);
  const isSpaced = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '';
  return { code: isSpaced ? inner.slice(1, -1) : inner, rest: text.slice(end + length) };
}

function matchingEnd(text: string, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === open) depth += 1;
    else if (text[at] === close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function undoEscapes(text: string): string {
  return text.replace(/\\([\\[\]()<>])/g, '$1');
}
