/** A source of chance that gives the same numbers for the same seed. */
export function createChance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const inserted = [
  '- ',
  ':',
  '|',
  '"',
  '[3]',
  '{a,b}:',
  '\t',
  '  ',
  '\n',
  '\r',
  '#',
  '```',
  '---',
  ',',
  '__proto__: 1\n',
  'constructor:\n  prototype: 1\n',
  '\u0000',
  '\u2028',
  '\\',
  '| x | y |\n',
  '## Phase: x (pending)\n',
  '### Task 3: y\n',
  '- [x] z\n',
  '**Phase**: verify\n',
  '../',
  'x'.repeat(600),
];

/** A text with some small wounds: characters and lines inserted, taken away, doubled, moved, indented. */
export function mutate(text: string, chance: (below: number) => number): string {
  let mutated = text;
  for (let wound = 0; wound <= chance(3); wound += 1)
    mutated = wounds[chance(wounds.length)]?.(mutated, chance) ?? mutated;
  return mutated;
}

type Wound = (text: string, chance: (below: number) => number) => string;

function atLine(change: (lines: string[], line: number, chance: (below: number) => number) => void): Wound {
  return (text, chance) => {
    const lines = text.split('\n');
    change(lines, chance(lines.length), chance);
    return lines.join('\n');
  };
}

const wounds: readonly Wound[] = [
  (text, chance) => {
    const place = chance(text.length + 1);
    return text.slice(0, place) + (inserted[chance(inserted.length)] ?? '') + text.slice(place);
  },
  (text, chance) => {
    const place = chance(text.length + 1);
    return text.slice(0, place) + text.slice(place + 1 + chance(8));
  },
  atLine((lines, line) => lines.splice(line, 1)),
  atLine((lines, line) => lines.splice(line, 0, lines[line] ?? '')),
  atLine((lines, line, chance) => lines.splice(chance(lines.length), 0, ...lines.splice(line, 1))),
  atLine((lines, line, chance) => {
    lines[line] = `${' '.repeat(1 + chance(5))}${lines[line] ?? ''}`;
  }),
  atLine((lines, line) => {
    lines[line] = (lines[line] ?? '').trimStart();
  }),
  (text, chance) => text.slice(0, chance(text.length + 1)),
];
