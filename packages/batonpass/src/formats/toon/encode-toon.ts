import { encode } from '@toon-format/toon';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { assertWithinBounds } from './bounds.ts';

/**
 * A value as TOON that the official decoder reads in strict mode, and that `decodeToon` reads back as the same value.
 * What JSON cannot carry is written as `JSON.stringify` would; half characters (lone surrogates), which no
 * text can carry, become U+FFFD.
 *
 * @throws HandoffError `too_large` beyond the bounds within which `decodeToon` reads.
 */
export function encodeToon(value: unknown): string {
  const text = encode(toWritable(value, 0));
  assertWithinBounds(text);
  return text;
}

/** A copy that can be written: own members only, texts and names well formed, and no deeper than can be read back. */
function toWritable(value: unknown, depth: number): unknown {
  if (depth > limits.toon_depth_max) {
    throw new HandoffError('too_large', `The value is nested deeper than ${limits.toon_depth_max} levels.`, {
      alternatives: ['Flatten it, or write the deep part as a text of JSON.'],
    });
  }
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => toWritable(entry, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return toWritable(value.toJSON(), depth + 1);
  const members = Object.entries(value).filter(([, member]) => isWritable(member));
  return Object.fromEntries(members.map(([name, member]) => [name.toWellFormed(), toWritable(member, depth + 1)]));
}

function isWritable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
