/** A line that begins an item, a heading, a quote or the row of a table: no screen broke the line above it. */
const opensLine = /^(?:(?:[-*•>]|#{1,6}|\d{1,3}[.)])\s|[|│┌├└╭╰])/;

/**
 * The text of lines as they were before a terminal broke them: a line was broken where the next word had no room in it.
 *
 * @param room - how many characters a line has room for.
 * @param indent - how many blanks the terminal puts before a further line; text without them has items and tables, whose lines
 * are kept.
 */
export function joinBroken(lines: readonly string[], room: number, indent = 0): string {
  const whole: string[] = [];
  let before = '';
  for (const line of lines) {
    const text = line.slice(Math.min(line.search(/\S|$/), indent));
    const word = /^ ?(?<word>\S+)/.exec(text)?.groups?.word ?? '';
    const isBroken = word !== '' && before !== '' && before.length + 1 + word.length >= room;
    const isText = indent > 0 || !(opensLine.test(text) || /[|│┐┤┘╮╯]$/.test(before));
    if (isBroken && isText) {
      // Only a word that is longer than a line is broken itself.
      const last = before.length - before.lastIndexOf(' ') - 1;
      const isWithin = before.length >= room - 3 && last + word.length > room - 10 && !text.startsWith(' ');
      whole.push(`${whole.pop()}${isWithin ? '' : ' '}${text.trim()}`);
    } else whole.push(text);
    before = line.trimEnd();
  }
  return whole.join('\n').trim();
}
