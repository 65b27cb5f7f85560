/** Where a text stops being JSON. */
export interface JsonFault {
  /** Characters before it. */
  position: number;
  /** First line is 1. */
  line: number;
  /** First column is 1. */
  column: number;
}

/** The place in a text that `JSON.parse` refused: engines report it for some errors only. */
export function findJsonFault(text: string): JsonFault {
  // The longest beginning that another end could still make whole.
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const before = text.slice(0, good).split('\n');
  return { position: good, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    const position = /position (\d+)/.exec(reason)?.[1];
    return position === undefined ? /end of JSON/.test(reason) : Number(position) >= text.length;
  }
}
