/** A part of a comparison of two texts: in both, or in only one of them. */
export interface TextPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Cells of the comparison table; a larger comparison reports the whole as removed and added. */
const CELLS_MAX = 4_000_000;

/** The difference between two texts, line by line. */
export function diffLines(before: string, after: string): TextPart[] {
  const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));
  return diff(linesOf(before), linesOf(after), '\n');
}

/** The difference between two sentences, word by word, spaces kept. */
export function diffWords(before: string, after: string): TextPart[] {
  return diff(before.split(/(?<=\s)(?=\S)/u), after.split(/(?<=\s)(?=\S)/u), '');
}

/** The share of the longer text's letters that both must have to count as one sentence. */
const SAME_SHARE_MIN = 0.3;

/** Whether one sentence is a rewording of another, and not a different one. */
export function isReworded(before: string, after: string): boolean {
  const same = diffWords(before, after).filter(({ kind }) => kind === 'same');
  const length = same.reduce((sum, { text }) => sum + text.length, 0);
  return length >= SAME_SHARE_MIN * Math.max(before.length, after.length);
}

/** The longest common subsequence stays; between its pieces, removed ones come before added ones. */
function diff(before: readonly string[], after: readonly string[], joiner: string): TextPart[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const parts = new Parts(joiner);
  for (const piece of before.slice(0, start)) parts.add('same', piece);
  between(before.slice(start, before.length - end), after.slice(start, after.length - end), parts);
  for (const piece of before.slice(before.length - end)) parts.add('same', piece);
  return parts.list;
}

function between(before: readonly string[], after: readonly string[], parts: Parts): void {
  const columns = after.length + 1;
  const isTooMuch = (before.length + 1) * columns > CELLS_MAX;
  // The length of the common subsequence from each pair of positions on.
  const lengths = new Uint32Array(isTooMuch ? 0 : (before.length + 1) * columns);
  const at = (row: number, column: number) => lengths[row * columns + column] ?? 0;
  for (let row = isTooMuch ? -1 : before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * columns + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, young] = [before[row], after[column]];
    if (old !== undefined && old === young && !isTooMuch) {
      parts.add('same', old);
      [row, column] = [row + 1, column + 1];
    } else if (old !== undefined && (young === undefined || at(row + 1, column) >= at(row, column + 1))) {
      parts.add('removed', old);
      row += 1;
    } else {
      parts.add('added', young ?? '');
      column += 1;
    }
  }
}

/** Adjacent parts of one kind become one part. */
class Parts {
  readonly list: TextPart[] = [];
  readonly #joiner: string;

  constructor(joiner: string) {
    this.#joiner = joiner;
  }

  add(kind: TextPart['kind'], text: string): void {
    const last = this.list.at(-1);
    if (last?.kind === kind) last.text += this.#joiner + text;
    else this.list.push({ kind, text });
  }
}
