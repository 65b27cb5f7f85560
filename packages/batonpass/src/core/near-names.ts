/** How many names are proposed for a wrong one. */
const NAMES_MAX = 3;

/** Beyond so many characters two names are compared no further. */
const COMPARED_MAX = 100;

/** The names that a wrong one was most likely meant for, the nearest first; empty where none is like it. */
export function nearNames(wrong: string, names: readonly string[]): string[] {
  const wanted = plain(wrong);
  return [...new Set(names)]
    .map((name) => ({ name, steps: stepsTo(plain(name), wanted) }))
    .filter(({ name, steps }) => steps <= Math.ceil(Math.min(wanted.length, name.length) / 3))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, NAMES_MAX)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .slice(0, COMPARED_MAX);
}

/** How many letters must be added, removed or changed; a part of the other name is one step away. */
function stepsTo(name: string, wanted: string): number {
  const [short, long] = name.length < wanted.length ? [name, wanted] : [wanted, name];
  if (short.length >= 3 && long.includes(short)) return name === wanted ? 0 : 1;
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...name].entries()) {
    const next = [index + 1];
    for (const [place, other] of [...wanted].entries()) {
      const changed = (row[place] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** One alternative that lists the similar names; none where there is none. */
export function didYouMean(wrong: string, names: readonly string[]): string[] {
  const near = nearNames(wrong, names);
  return near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`];
}
