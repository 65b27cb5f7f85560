import { showHidden } from './hidden-characters.ts';

/**
 * A value as every door answers it: `showHidden` for each string in it, names of members included. A value without
 * hidden characters stays as it is: the same object is given back.
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
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([name, member]) => [showHidden(name), show(member)] as const);
  const isSame = shown.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(shown);
}
