import { isAbsolute, relative } from 'node:path';
import { visible } from './view.ts';

/** A path for a person: relative to the present folder where it is inside it, else whole. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return visible(near === '' || near.startsWith('..') || isAbsolute(near) ? path : near);
}
