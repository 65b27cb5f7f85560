/** Lists of a request that hold texts and nothing else. */
const textLists: readonly string[] = ['checklist', 'acceptance_criteria', 'checklist_items'];

/**
 * An input in which entries as `- Add: tests` of a list of texts are texts. TOON reads such a line as an object of one member,
 * and no list of these fields can hold one. What is more than a text behind the colon stays, and is refused by the operation.
 *
 * @param note - is told each text that was made of a member.
 */
export function withTextEntries(input: unknown, note: (text: string) => void): unknown {
  if (Array.isArray(input)) return input.map((each) => withTextEntries(each, note));
  if (typeof input !== 'object' || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => {
    const isTexts = textLists.includes(name) && Array.isArray(value);
    return [name, isTexts ? value.map((entry) => asText(entry, note)) : withTextEntries(value, note)];
  });
  return Object.fromEntries(members);
}

function asText(entry: unknown, note: (text: string) => void): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const [[name, value] = [], ...others] = Object.entries(entry);
  if (name === undefined || typeof value !== 'string' || others.length > 0) return entry;
  const text = `${name}: ${value}`;
  note(text);
  return text;
}
