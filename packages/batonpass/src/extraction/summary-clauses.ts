/** The clauses of a summary that rules made: what it says of an item is in the item's own words. */

const sentenceCharactersMax = 240;

/** An item as a summary says it: without its full stop, cut where it is long. */
export function clauseOf(statement: string): string {
  return cutSentence(statement).replace(/[.。｡\s]+$/, '');
}

/** A sentence, cut at a word where it is long. */
export function cutSentence(text: string): string {
  if (text.length <= sentenceCharactersMax) return text;
  const head = text.slice(0, sentenceCharactersMax - 1).toWellFormed();
  return `${head.slice(0, Math.max(head.lastIndexOf(' '), sentenceCharactersMax / 2))}…`;
}

/**
 * A summary after one of its items was removed or reworded: its clause changes with it. A summary that says it in other
 * words stays as it is.
 *
 * @param present - the item's new words; absent where it was removed.
 */
export function followEdit(summary: string, former: string, present?: string): string {
  const clause = quoted(clauseOf(former));
  if (clause === '') return summary;
  const told = new RegExp(`(Decided: |Next: |; )${clause}(?=[;.])`, 'g');
  if (present !== undefined) return summary.replace(told, (_, before: string) => `${before}${clauseOf(present)}`);
  return summary
    .replace(new RegExp(`\\s*(?:Decided|Next): ${clause}\\.`, 'g'), '')
    .replace(new RegExp(`(Decided: )${clause}; `), '$1')
    .replace(new RegExp(`; ${clause}(?=[;.])`), '')
    .trim();
}

/** A summary without an item: its clause is gone, and so is each sentence that has the item's own words. */
export function withoutItem(summary: string, former: string): string {
  const words = comparable(clauseOf(former));
  const sentences = followEdit(summary, former).split(/(?<=[.!?。！？])\s+/);
  return sentences.filter((sentence) => words === '' || comparable(clauseOf(sentence)) !== words).join(' ');
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
