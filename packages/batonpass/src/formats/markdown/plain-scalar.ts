/**
 * What an unquoted scalar of front matter is: null, true, false, or a number where the number is written exactly as a
 * program would write it. Everything else keeps its text: `001`, `02`, `001.1`, `1e3`, `1.10`, `0x1F`, `no`, `.inf`,
 * `2026-01-24T15:30:00Z`. So the text of what is typed can always be had back from its value.
 */
export function resolvePlainScalar(text: string): string | number | boolean | null {
  const first = text.charCodeAt(0);
  // Most texts begin with a letter that begins none of these words.
  if ((first >= zero && first <= nine) || first === minus) return resolveNumber(text);
  switch (text) {
    case '':
    case '~':
    case 'null':
      return null;
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      return text;
  }
}

const zero = 48;
const nine = 57;
const minus = 45;

/** A longer one is no number that a program would write like that. */
const number_characters_max = 32;

function resolveNumber(text: string): string | number {
  if (text.length > number_characters_max || !/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const number = Number(text);
  return String(number) === text ? number : text;
}
