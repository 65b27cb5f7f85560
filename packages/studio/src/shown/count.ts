/** A count with its noun, as `1 file` and `1,200 files`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : `${noun}s`}`;
}

/** How much a content has of each kind, as `3 decisions`; kinds without any are left out. */
export function countKinds(sizes: { decisions: number; files: number; risks: number }): string[] {
  const kinds = [
    [sizes.decisions, 'decision'],
    [sizes.files, 'file'],
    [sizes.risks, 'risk'],
  ] as const;
  return kinds.flatMap(([size, noun]) => (size === 0 ? [] : [count(size, noun)]));
}
