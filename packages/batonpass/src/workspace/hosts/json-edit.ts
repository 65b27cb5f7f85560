import { endOfComma, endOfRemark, type JsonNode } from './json-text.ts';

/** One new value, and its name where it is put into an object. */
export interface JsonAddition {
  value: unknown;
  key?: string;
}

/** How a text is laid out. */
interface Style {
  eol: string;
  /** One level of indentation. */
  unit: string;
  /** Everything on one line. */
  isMinified: boolean;
}

/** A text of one value, laid out over lines; the comments of a text without a value stay before it. */
export function createJsonText(text: string, value: unknown): string {
  const { eol } = styleOf(text, undefined);
  const before = text.trim() === '' ? '' : `${text.trimEnd()}${eol}`;
  return `${before}${formatValue(value, { eol, unit: '  ' }, '')}${eol}`;
}

/**
 * Puts a value at the end of an object or array. Every other character stays, comments and a trailing comma too; the new
 * lines get the indentation and line ends of those around them, and a text on one line stays on one.
 */
export function appendJson(text: string, container: JsonNode, addition: JsonAddition): string {
  const style = styleOf(text, container);
  const last = container.children?.at(-1);
  return last === undefined
    ? fillEmpty({ text, container, addition, style })
    : appendAfter({ text, container, addition, style, last });
}

/** Replaces a value by another one. */
export function replaceJson(text: string, node: JsonNode, value: unknown): string {
  const style = styleOf(text, node);
  const isInLine = style.isMinified || !text.slice(node.offset, endOf(node)).includes('\n');
  const formatted = isInLine ? formatInLine(value, style) : formatValue(value, style, indentAt(text, node.offset));
  return `${text.slice(0, node.offset)}${formatted}${text.slice(endOf(node))}`;
}

/**
 * Removes a member (its node of name and value) or an element, with its comma and the line that it leaves empty.
 * A comment on its line stays: somebody else wrote it.
 */
export function removeJson(text: string, node: JsonNode): string {
  const parent = node.parent;
  if (parent === undefined) throw new Error('The top level of a text cannot be taken out.');
  const comma = endOfComma(text, endOf(node));
  const [from, to] = widen(text, node.offset, { end: comma ?? endOf(node), hasNext: comma !== undefined });
  const siblings = parent.children ?? [];
  const previous = siblings[siblings.indexOf(node) - 1];
  const rest = `${text.slice(0, from)}${text.slice(to)}`;
  if (siblings.length === 1) return collapse(rest, parent, to - from);
  if (comma !== undefined || previous === undefined) return rest;
  const before = endOfComma(text, endOf(previous)) ?? endOf(previous) + 1;
  return `${rest.slice(0, before - 1)}${rest.slice(before)}`;
}

interface Placing {
  text: string;
  container: JsonNode;
  addition: JsonAddition;
  style: Style;
}

function fillEmpty({ text, container, addition, style }: Placing): string {
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const inner = text.slice(open, close);
  if (style.isMinified || isWithinLine(text, container))
    return insert(text, open + inner.trimEnd().length, formatMember(addition, style));
  const outer = indentAt(text, container.offset);
  const member = `${style.eol}${outer}${style.unit}${formatMember(addition, style, outer + style.unit)}`;
  if (inner.trim() === '') return `${text.slice(0, open)}${member}${style.eol}${outer}${text.slice(close)}`;
  const hasLineAfter = inner.slice(inner.trimEnd().length).includes('\n');
  return insert(text, open + inner.trimEnd().length, `${member}${hasLineAfter ? '' : style.eol + outer}`);
}

/** Whether the text around a container is on one line, so that its contents should be too. */
function isWithinLine(text: string, { parent }: JsonNode): boolean {
  const around = parent?.type === 'property' ? parent.parent : parent;
  return around !== undefined && !text.slice(around.offset, endOf(around)).includes('\n');
}

function appendAfter({ text, container, addition, style, last }: Placing & { last: JsonNode }): string {
  const comma = endOfComma(text, endOf(last));
  const [lead, trail] = comma === undefined ? [',', ''] : ['', ','];
  if (style.isMinified || !text.slice(container.offset, endOf(container)).includes('\n')) {
    const space = style.isMinified ? '' : ' ';
    return insert(text, comma ?? endOf(last), `${lead}${space}${formatMember(addition, style)}${trail}`);
  }
  const isOnOwnLine = /[\r\n][ \t]*$/.test(text.slice(0, last.offset));
  const indent = isOnOwnLine ? indentAt(text, last.offset) : indentAt(text, container.offset) + style.unit;
  const place = endOfRemark(text, comma ?? endOf(last));
  const added = insert(text, place, `${style.eol}${indent}${formatMember(addition, style, indent)}${trail}`);
  return insert(added, endOf(last), lead);
}

/** The range of a node to remove: its whole line where it is alone on one, else the space next to it. */
function widen(text: string, start: number, { end, hasNext }: { end: number; hasNext: boolean }): [number, number] {
  const before = text.slice(0, start).match(/(\r\n|\n|\r)?[ \t]*$/) ?? ['', undefined];
  const after = text.slice(end).match(/^[ \t]*(?=[\r\n]|$)/);
  if (before[1] !== undefined && after !== null) return [start - before[0].length, end + after[0].length];
  if (hasNext) return [start, end + (text.slice(end).match(/^[ \t]*/)?.[0].length ?? 0)];
  return [start - (before[1] === undefined ? before[0].length : 0), end];
}

/** Closes up an object or array in which nothing is left. */
function collapse(text: string, { offset, length }: JsonNode, removed: number): string {
  const close = offset + length - 1 - removed;
  return text.slice(offset + 1, close).trim() === '' ? text.slice(0, offset + 1) + text.slice(close) : text;
}

function styleOf(text: string, node: JsonNode | undefined): Style {
  let root = node;
  while (root?.parent !== undefined) root = root.parent;
  const [first] = root?.children ?? [];
  const outer = root === undefined ? '' : indentAt(text, root.offset);
  const inner = first === undefined ? '' : indentAt(text, first.offset);
  const unit = inner.length > outer.length && inner.startsWith(outer) ? inner.slice(outer.length) : '  ';
  return {
    eol: text.match(/\r\n|\n/)?.[0] ?? '\n',
    unit,
    isMinified: first !== undefined && !text.trim().includes('\n'),
  };
}

/** The space that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return text.slice(start, offset).match(/^[ \t]*/)?.[0] ?? '';
}

function formatMember({ key, value }: JsonAddition, style: Style, indent?: string): string {
  const text = indent === undefined ? formatInLine(value, style) : formatValue(value, style, indent);
  return key === undefined ? text : `${JSON.stringify(key)}:${style.isMinified ? '' : ' '}${text}`;
}

/** JSON over lines; arrays of plain values stay on one, as people write them. */
function formatValue(value: unknown, style: Pick<Style, 'eol' | 'unit'>, indent: string): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + style.unit;
  const isList = Array.isArray(value);
  if (isList && value.every((each) => each === null || typeof each !== 'object')) {
    return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  }
  const lines = isList
    ? value.map((each) => formatValue(each, style, inner))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${formatValue(each, style, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (lines.length === 0) return `${open}${close}`;
  return `${open}${style.eol}${lines.map((line) => inner + line).join(`,${style.eol}`)}${style.eol}${indent}${close}`;
}

function formatInLine(value: unknown, { isMinified }: Style): string {
  if (isMinified) return JSON.stringify(value);
  // Within strings a line break is escaped: those that are left are layout.
  return formatValue(value, { eol: '\n', unit: '' }, '').replaceAll('\n', ' ');
}

function insert(text: string, offset: number, addition: string): string {
  return `${text.slice(0, offset)}${addition}${text.slice(offset)}`;
}

function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}
