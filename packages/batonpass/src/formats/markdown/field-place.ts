import { isMap, isScalar } from 'yaml';
import type { ParseError } from '../../core/errors.ts';
import { faultIn, type TextPlace } from './place.ts';
import { composeYaml } from './whole-yaml.ts';

/** The error for a field whose value is not what it must be, at its name; for a field that is missing, at the first line. */
export function faultInField(
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
