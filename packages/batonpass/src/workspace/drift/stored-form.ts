import { hashBlob, type ObjectFormat } from './file.ts';

/** What is kept of a file's bytes once they are hashed. */
export interface Fingerprint {
  /** The id of the bytes as they are. */
  raw: string;
  /** The id of the bytes with CRLF as LF; the same as `raw` where there is no CRLF. */
  with_lf: string;
  /** Whether git would take the file for text, where it has to guess; null where only git itself can decide. */
  looks_like_text: boolean | null;
}

/** Hashes a file's bytes in both forms that git may store. */
export function takeFingerprint(bytes: Buffer, format: ObjectFormat): Fingerprint {
  const raw = hashBlob(bytes, format);
  if (!bytes.includes('\r\n')) return { raw, with_lf: raw, looks_like_text: null };
  return { raw, with_lf: hashBlob(withLineFeeds(bytes), format), looks_like_text: guessText(bytes) };
}

/** Bytes with CRLF as LF; lone carriage returns stay. */
export function withLineFeeds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Git takes NUL and lone carriage returns for signs of a binary file, and weighs other controls against the rest. */
function guessText(bytes: Buffer): boolean | null {
  const text = bytes.toString('latin1');
  if (/\0|\r(?!\n)/.test(text)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
  return /[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(text) ? null : true;
}

/** The attributes of a path, by name; a name that is unspecified is absent. */
export type Attributes = ReadonlyMap<string, string>;

/** The attributes that decide how git stores a file. */
export const storingAttributes = ['filter', 'ident', 'working-tree-encoding', 'text', 'crlf', 'eol'] as const;

/** What git reads in addition to a file's bytes to decide how it stores them. */
export interface StoringFacts {
  attributes: Attributes;
  /** Read only where it counts. */
  autocrlf: () => string;
  /** What the index has at the path: where git guesses, a file that was stored with CRLF keeps it. */
  indexed: Buffer | undefined;
}

/** The id under which git would store a file; null where a program or a table of its own decides, which is not run. */
export function storedId(print: Fingerprint, { attributes, autocrlf, indexed }: StoringFacts): string | null {
  for (const name of ['filter', 'ident', 'working-tree-encoding']) {
    const value = attributes.get(name);
    if (value !== undefined && value !== 'unset') return null;
  }
  if (print.with_lf === print.raw) return print.raw;
  const mode = lineEndingMode(attributes, autocrlf);
  if (mode === 'keep' || (mode === 'guess' && indexed?.includes('\r\n') === true)) return print.raw;
  if (mode === 'convert' || print.looks_like_text === true) return print.with_lf;
  return print.looks_like_text === false ? print.raw : null;
}

/** As git reads its attributes: `text` before the older `crlf`, `eol` alone means text, then the configuration. */
function lineEndingMode(attributes: Attributes, autocrlf: () => string): 'keep' | 'convert' | 'guess' {
  const text = attributes.get('text') ?? attributes.get('crlf');
  if (text === 'unset') return 'keep';
  if (text === 'auto') return 'guess';
  if (text !== undefined || attributes.has('eol')) return 'convert';
  return /^(?:true|yes|on|1|input|)$/i.test(autocrlf()) ? 'guess' : 'keep';
}
