/** Commands of several words stand under those before the last; what these are for, in one line of the help page. */
export const groups: Readonly<Record<string, string>> = {
  store: 'Look after the store: check, backup, restore, prune, migrate, copy, roles',
  token: 'Who may come in over HTTP: create, list, revoke',
  file: 'Handoff files, versioned Markdown: next, write, read, list, check',
  'file store': 'Folders of JSON records with an index: create, list, show, acknowledge, check',
  plan: 'Plans of agents: the plan-files protocol, TOON on standard input or flags; a request in full: baton plan --help OPERATION',
};

/** What a group's word alone means, where something comes on standard input; at the keyboard it shows the group's help. */
export const groupDefaults: Readonly<Record<string, string>> = { plan: 'answer' };

/** The words of a command's name: its group, where it has one, and its own. */
export function splitName(name: string): { group?: string; own: string } {
  const words = name.split(' ');
  const own = words.pop() ?? '';
  return words.length === 0 ? { own } : { group: words.join(' '), own };
}

/** What the first help page shows, in the order in which a person comes to it; all else stands in `baton help all`. */
const firstPage: Readonly<Record<string, readonly string[]>> = {
  'Start:': ['status', 'demo', 'init', 'studio'],
  'Hand over:': ['sessions', 'import', 'create', 'review'],
  'Take over:': ['list', 'claim', 'ack', 'log'],
};

/** The heading under which the first help page shows a command; undefined where it does not. */
export function firstPageHeadingOf(name: string): string | undefined {
  return Object.keys(firstPage).find((heading) => firstPage[heading]?.includes(name));
}
