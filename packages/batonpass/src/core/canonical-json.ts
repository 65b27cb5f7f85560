import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { HandoffError } from './errors.ts';
import { limits } from './limits.ts';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The canonical JSON text of a value (RFC 8785): equal values have equal bytes on every machine.
 * Members that JSON cannot carry (`undefined`, functions) are left out, as `JSON.stringify` does.
 *
 * @throws HandoffError `invalid_input` for circular values, lone surrogates, NaN, infinities and big integers,
 * and `too_large` for nesting beyond `limits.json_depth_max`.
 */
export function encodeCanonicalJson(value: unknown): string {
  assertDepth(value);
  const text = attempt(value);
  if (text === undefined) {
    throw new HandoffError('invalid_input', 'The value has no JSON form: it is undefined, a function or a symbol.', {
      alternatives: ['Pass an object, array, string, number, boolean or null.'],
    });
  }
  return text;
}

/** The JSON part of a value, as a private copy, and its canonical text. @throws HandoffError as above. */
export function writeCanonicalJson(value: unknown): { value: Json; text: string } {
  const text = encodeCanonicalJson(value);
  return { value: JSON.parse(text) as Json, text };
}

/** A plain copy of a value, exactly as JSON represents it: own keys only, `__proto__` as an ordinary key. */
export function toJson(value: unknown): Json {
  return JSON.parse(encodeCanonicalJson(value)) as Json;
}

/** Lower-case hexadecimal SHA-256 of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  // Node's own takes a tenth of the time; a browser has none that answers at once.
  const native = globalThis.process?.getBuiltinModule?.('node:crypto');
  return native === undefined ? sha256HexOf(utf8ToBytes(text)) : native.hash('sha256', text);
}

/** Lower-case hexadecimal SHA-256 of bytes. */
export function sha256HexOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** SHA-256 of a value's canonical JSON: the identity of a content and of a request. */
export function hashJson(value: unknown): string {
  return sha256Hex(encodeCanonicalJson(value));
}

function attempt(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HandoffError('invalid_input', `The value cannot be written as JSON: ${reason}.`, {
      cause,
      alternatives: ['Remove circular references, lone surrogates, NaN, infinities and big integers.'],
    });
  }
}

/**
 * Walks without recursion; a circular value reaches the bound too, and is named as what it is.
 *
 * @throws HandoffError `too_large` for nesting beyond `limits.json_depth_max`.
 */
export function assertDepth(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  const seen = new Map<object, number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (value === null || typeof value !== 'object') continue;
    if ((seen.get(value) ?? -1) >= depth) continue;
    seen.set(value, depth);
    if (depth > limits.json_depth_max) {
      throw new HandoffError(
        'too_large',
        `The value is circular or nested deeper than ${limits.json_depth_max} levels.`,
        { alternatives: ['Flatten it, or store it in a file and reference the file.'] },
      );
    }
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
}
