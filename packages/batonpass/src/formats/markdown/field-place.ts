import { isMap, isScalar } from 'yaml';
import type { ParseError } from '../../core/errors.ts';
import { faultIn, type TextPlace } from './place.ts';
import { composeYaml } from './whole-yaml.ts';

/** The error for a field whose value is not what it must be, at its name; for a field that is missing, at the first line. */
export function faultInField(
  matter: string,
  place: TextPlace,
  { field, reason }: { field: string; reason: string },
): ParseError {
  const offset = offsetOfField(matter, place, field);
  return faultIn(matter, place, {
    problem: `The field ${field} ${reason}`,
    offset,
    field,
    alternatives: [`Correct the field ${field}: it ${reason}.`],
  });
}

function offsetOfField(matter: string, place: TextPlace, field: string): number {
  const { contents } = composeYaml(matter, place);
  if (contents === null || !isMap(contents)) return 0;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === field);
  return pair?.key.range[0] ?? 0;
}
