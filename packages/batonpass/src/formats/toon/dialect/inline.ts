import { formatHeader, isPlaceholder } from './header.ts';
import { noteCount, type OpenList, type Rewriting, refuse } from './rewriting.ts';
import { splitUnquoted } from './unquoted.ts';

/**
 * Reads a list whose values follow the colon.
 *
 * @throws ParseError where fields are named and values follow, or a template has no values yet.
 */
export function readInline(rewriting: Rewriting, list: OpenList): void {
  const { header, line, depth } = list;
  if (header.fields !== undefined || header.keyed) {
    throw refuse(line, 'a header with fields has values behind its colon.', 'Put each row on a line of its own.');
  }
  const values = header.rest === '[]' ? [] : splitUnquoted(header.rest, header.delimiter);
  if (values.length === 1 && isPlaceholder(header.rest)) {
    throw refuse(line, `"${header.rest}" is a place in a template and no value.`, 'Put the values there.');
  }
  noteCount(rewriting, list, values.length);
  if (/^\d+$/.test(header.count) && values.length > Number(header.count)) {
    const what = `${header.name} declares ${header.count} entries, and ${values.length} are there`;
    rewriting.repairs.lose(line.number, `${what}: put a text that holds a comma into double quotes`);
  }
  const content =
    values.length === 0 ? formatHeader(header, 0) : `${formatHeader(header, values.length)} ${header.rest}`;
  rewriting.strict.write(depth, content, line.number);
}
