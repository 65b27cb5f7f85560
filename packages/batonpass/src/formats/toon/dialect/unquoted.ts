/** The index of a character outside of double quotes; -1 where it is not there. */
export function findUnquoted(text: string, character: string, from = 0): number {
  let inQuotes = false;
  for (let index = from; index < text.length; index++) {
    const each = text[index];
    if (inQuotes && each === '\\') index++;
    else if (each === '"') inQuotes = !inQuotes;
    else if (!inQuotes && each === character) return index;
  }
  return -1;
}

/** The parts of a text between the places of a character outside of quotes, without the spaces around them. */
export function splitUnquoted(text: string, character: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let end = findUnquoted(text, character); end !== -1; end = findUnquoted(text, character, start)) {
    parts.push(trimSpaces(text.slice(start, end)));
    start = end + 1;
  }
  return [...parts, trimSpaces(text.slice(start))];
}

/** Without the spaces around it; other white space is part of a value. */
export function trimSpaces(text: string): string {
  let start = 0;
  while (text[start] === ' ') start += 1;
  return trimEndSpaces(text.slice(start));
}

/** Without the spaces at its end. An expression would scan every run of spaces in it. */
export function trimEndSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
