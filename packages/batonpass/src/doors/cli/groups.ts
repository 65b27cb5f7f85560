/** Commands of two words stand under the first of them; what it is for, in one line of the help page. */
export const groups: Readonly<Record<string, string>> = {
  store: 'Look after the store: check, backup, restore, prune, migrate, copy',
};

/** The words of a command's name: its group, where it has one, and its own. */
export function splitName(name: string): { group?: string; own: string } {
  const [first = '', second] = name.split(' ');
  return second === undefined ? { own: first } : { group: first, own: second };
}
