/**
 * Version numbers of handoff files (source 1): `001`, `001.1`, `002`, … `999`, `1000`.
 * They are texts, compared part by part as numbers: `002` < `010` < `1000`, `001` < `001.1` < `001.10` < `002`.
 */

const form = /^\d{3,15}(?:\.[1-9]\d{0,14})*$/;

/** Whether a text is a version number in its written form: three digits at least, then `.1`, `.2`, … */
export function isVersionNumber(text: string): boolean {
  return form.test(text);
}

/** Orders two version numbers: negative where `left` comes first, 0 where they are equal. */
export function compareVersionNumbers(left: string, right: string): number {
  const a = left.split('.').map(Number);
  const b = right.split('.').map(Number);
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    // An absent part comes before every present one.
    const difference = (a[index] ?? -1) - (b[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The next whole version after those that exist: `001` for none, `002` after `001` or `001.1`. */
export function nextVersionNumber(existing: readonly string[]): string {
  const majors = existing.filter(isVersionNumber).map((version) => Number(version.split('.')[0]));
  return String(Math.max(0, ...majors) + 1).padStart(3, '0');
}
