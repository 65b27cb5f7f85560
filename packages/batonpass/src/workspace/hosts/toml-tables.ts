/** A table of a TOML text, by the header that opens it. */
export interface TomlTable {
  /** The parts of its name. */
  name: string[];
  /** From the header to the next one. */
  start: number;
  end: number;
  /** Its members, as they are written, by their names. */
  members: Map<string, string>;
}

/**
 * The tables of a TOML text, in its order; the first has no name and contains what comes before every header.
 *
 * It looks only for headers and members, outside of strings and lists, and reads no value: the host reads its
 * own file whole.
 *
 * @returns nothing for a text that ends within a string or a list.
 */
export function listTomlTables(text: string): TomlTable[] | undefined {
  const tables: TomlTable[] = [{ name: [], start: 0, end: text.length, members: new Map() }];
  for (let at = 0; at < text.length; ) {
    const end = findLineEnd(text, at);
    if (end === undefined) return undefined;
    const line = text.slice(at, end);
    const name = /^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line.trimEnd())?.[1];
    const last = tables.at(-1);
    if (name !== undefined && last !== undefined) {
      last.end = at;
      tables.push({ name: splitName(name), start: at, end: text.length, members: new Map() });
    } else {
      const [, key, value = ''] = /^\s*([\w"'.\- ]+?)\s*=\s*([\s\S]*)$/.exec(line) ?? [];
      if (key !== undefined) last?.members.set(splitName(key).join('.'), value.trim());
    }
    at = end;
  }
  return tables;
}

/** The text of a string, or the texts of a list of strings; nothing for another value. */
export function readTomlTexts(value: string | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  const isList = value.startsWith('[');
  if (!isList && !/^["']/.test(value)) return undefined;
  const texts = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|#.*/g)];
  return texts.flatMap(([whole, basic, literal]) => {
    if (whole.startsWith('#')) return [];
    return [basic === undefined ? (literal ?? '') : readBasic(whole)];
  });
}

/** A text as TOML writes it. */
export function formatTomlText(text: string): string {
  return JSON.stringify(text);
}

/** Basic strings are written like JSON's, but for two escapes that no command needs. */
function readBasic(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

function splitName(name: string): string[] {
  return [...name.matchAll(/"([^"]*)"|'([^']*)'|[\w-]+/g)].map(([whole, basic, literal]) => basic ?? literal ?? whole);
}

/** The end of a line that is outside of strings and lists when it ends; nothing where the text ends before. */
function findLineEnd(text: string, from: number): number | undefined {
  let depth = 0;
  const token = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n|"|'/g;
  token.lastIndex = from;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    // A quote by itself opens a string that never ends.
    if (word === '"' || word === "'") return undefined;
    if (word === '[' || word === '{') depth += 1;
    if (word === ']' || word === '}') depth -= 1;
    if (word === '\n' && depth <= 0) return token.lastIndex;
  }
  return depth > 0 ? undefined : text.length;
}
