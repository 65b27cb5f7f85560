import { splitUnquoted } from '../../formats/toon/dialect/unquoted.ts';

/** Lists of a request that hold texts, or entries with a text. */
const textLists: readonly string[] = ['checklist', 'acceptance_criteria', 'checklist_items'];
/** Every list of single values. */
const valueLists: readonly string[] = [...textLists, 'phases', 'files_created'];

/**
 * An input in which entries as `- Add: tests` of a list of texts are texts: TOON reads such a line as an object of one member.
 * A text in brackets where a list is meant, as `checklist_items: [0, 1]`, is that list. What is more than a text behind the
 * colon stays, and is refused by the operation.
 *
 * @param note - is given a sentence for each value that was read otherwise than it was written.
 */
export function withTextEntries(input: unknown, note: (repair: string) => void): unknown {
  if (Array.isArray(input)) return input.map((each) => withTextEntries(each, note));
  if (typeof input !== 'object' || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => {
    if (name === 'task_id' && typeof value === 'number') return [name, `task-${value}`];
    const list = valueLists.includes(name) ? fromBrackets(name, value, note) : value;
    const isTexts = textLists.includes(name) && Array.isArray(list);
    return [name, isTexts ? list.map((entry) => asText(entry, note)) : withTextEntries(list, note)];
  });
  return Object.fromEntries(members);
}

function fromBrackets(name: string, value: unknown, note: (repair: string) => void): unknown {
  if (typeof value !== 'string' || !/^\[[\s\S]*\]$/.test(value.trim())) return value;
  const inner = value.trim().slice(1, -1).trim();
  const parts = inner === '' ? [] : splitUnquoted(inner, ',');
  note(`read ${name} "${value}" as a list of ${parts.length}`);
  return parts.map((part) => {
    if (name === 'checklist_items' && /^\d{1,9}$/.test(part)) return Number(part);
    return /^"[^"]*"$/.test(part) ? part.slice(1, -1) : part;
  });
}

function asText(entry: unknown, note: (repair: string) => void): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const [[name, value] = [], ...others] = Object.entries(entry);
  if (name === undefined || name === 'text' || typeof value !== 'string' || others.length > 0) return entry;
  const text = `${name}: ${value}`;
  note(`read "${text}" as a text, not as a member`);
  return text;
}
