import { showHidden } from './hidden-characters.ts';

/**
 * A value as every door answers it: `showHidden` for each string in it, names of members included. What JSON cannot hold
 * stays as it is, and so does a value without hidden characters: the same object is given back.
 */
export function showHiddenIn<T>(value: T): T {
  return show(value) as T;
}

function show(value: unknown): unknown {
  if (typeof value === 'string') return showHidden(value);
  if (Array.isArray(value)) {
    const shown = value.map(show);
    return shown.some((each, index) => each !== value[index]) ? shown : value;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([name, member]) => [showHidden(name), show(member)] as const);
  const isSame = shown.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(shown);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
