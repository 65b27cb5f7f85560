/** Commands of several words belong to the group of the words before the last; each group has one line on the help page. */
export const groups: Readonly<Record<string, string>> = {
  store: 'Maintain the store: check, backup, restore, prune, migrate, copy, roles',
  token: 'Tokens for access over HTTP: create, list, revoke',
  file: 'Handoff files, versioned Markdown: next, write, read, list, check',
  'file store': 'Folders of JSON records with an index: create, list, show, acknowledge, check',
  plan: 'Plans of agents: the plan-files protocol, TOON on standard input or flags; a request in full: baton plan --help OPERATION',
};

/** The command of a group's word alone, where standard input is piped; at a terminal the word shows the group's help. */
export const groupDefaults: Readonly<Record<string, string>> = { plan: 'answer' };

/** The words of a command's name: its group, where it has one, and its own word. */
export function splitName(name: string): { group?: string; own: string } {
  const words = name.split(' ');
  const own = words.pop() ?? '';
  return words.length === 0 ? { own } : { group: words.join(' '), own };
}

/** What the first help page shows, in the order in which a person needs it; `baton help all` shows the rest. */
const firstPage: Readonly<Record<string, readonly string[]>> = {
  'Start:': ['status', 'demo', 'init', 'studio'],
  'Hand over:': ['sessions', 'import', 'create', 'review'],
  'Take over:': ['list', 'claim', 'ack', 'log'],
};

/** The heading under which the first help page shows a command; undefined for a command that it does not show. */
export function firstPageHeadingOf(name: string): string | undefined {
  return Object.keys(firstPage).find((heading) => firstPage[heading]?.includes(name));
}
