import { isAbsolute, relative } from 'node:path';
import { visible } from './view.ts';

/** A path as a person looks for it: from the present folder where it lies in there, else whole. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return visible(near === '' || near.startsWith('..') || isAbsolute(near) ? path : near);
}
