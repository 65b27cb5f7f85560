import { HandoffError } from '../core/errors.ts';

/**
 * Refuses a payload that would come back as something else, because JSON leaves out or empties what it cannot carry: a
 * Map becomes `{}`, a function nothing, a hole of an array null. A member that is undefined is absent on both sides, and
 * what has a `toJSON` (a Date) says itself what it is in JSON. Depth, circles and numbers have been checked.
 *
 * @throws HandoffError `invalid_input` with the place of the first such part.
 */
export function assertLossless(value: unknown, place = 'payload'): void {
  if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) throw lossy(place, typeof value);
  if (value === null || typeof value !== 'object') return;
  if ('toJSON' in value && typeof value.toJSON === 'function') return;
  if (Array.isArray(value)) {
    // Not forEach, which skips holes.
    for (const [index, element] of value.entries()) assertLossless(element, `${place}[${index}]`);
    return;
  }
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind !== 'Object') throw lossy(place, kind);
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) assertLossless(member, `${place}.${name}`);
  }
}

function lossy(place: string, kind: string): HandoffError {
  return new HandoffError('invalid_input', `The payload is no JSON: ${place.slice(0, 200)} is ${kind}.`, {
    details: { place: place.slice(0, 200), kind },
    alternatives: ['Give objects, arrays, texts, finite numbers, booleans and null.'],
  });
}
