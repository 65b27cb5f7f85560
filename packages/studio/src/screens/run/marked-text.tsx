/** So many places are marked: who finds more looks for longer words. */
const MARKS_MAX = 1_000;

/** A text in which every place that says something is marked, whatever the case. */
export function MarkedText({ text, wanted }: { text: string; wanted: string }) {
  const words = wanted.trim();
  if (words === '') return text;
  const pattern = new RegExp(`(${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'giu');
  const pieces = text.split(pattern, MARKS_MAX * 2);
  const rest = text.slice(pieces.reduce((length, piece) => length + piece.length, 0));
  // Split by a group, every other piece is what was found.
  return [...pieces.map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece)), rest];
}
