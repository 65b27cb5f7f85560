/** Code points that a rendered text never holds, listed here without the code under test. A line break is a separate case. */
const ranges: readonly [number, number][] = [
  [0x0000, 0x0009],
  [0x000b, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x200b, 0x200b],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];

/** Matches one of them; flags of England, Scotland and Wales and ideographic variants are tested apart. */
export const hiddenCharacters = new RegExp(
  `[${ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')}]`,
  'u',
);
