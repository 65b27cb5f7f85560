import type { ModelMessage } from 'ai';
import type { Json } from '../../core/canonical-json.ts';
import { limits } from '../../core/limits.ts';
import { maskField, maskSecrets } from '../../core/masking.ts';

const encoder = new TextEncoder();

/** The length of a value as JSON. */
export const bytesOf = (value: Json): number => encoder.encode(JSON.stringify(value)).byteLength;

/** A text of a model as it is stored: whole characters, secrets masked, cut at so many bytes of JSON. */
export function keptText(text: string, bytes_max: number): string {
  // Masking a text that is cut anyhow only costs time.
  const { text: masked } = maskSecrets(text.slice(0, bytes_max * 2).toWellFormed());
  if (bytesOf(masked) <= bytes_max) return masked;
  let length = Math.min(masked.length, bytes_max);
  const cut = () => `${masked.slice(0, length).toWellFormed()}…`;
  while (length > 0 && bytesOf(cut()) > bytes_max) length = Math.floor(length * 0.8);
  return cut();
}

/** The input or result of a tool as it is stored: JSON, secrets masked; above so many bytes, its beginning and its size. */
export function keptValue(value: unknown, bytes_max: number): Json {
  const plain = toPlain(value, 0);
  const bytes = bytesOf(plain);
  if (bytes <= bytes_max) return plain;
  // The rest is for the two names next to it.
  return { bytes, beginning: keptText(JSON.stringify(plain), bytes_max - 64) };
}

/**
 * Any value, in the form of JSON: what JSON cannot hold is left out, what is nested too deep is cut.
 *
 * @param asItIs - the name of members that are JSON already and keep every letter.
 * @param field - the name of the member that has the value.
 */
function toPlain(
  value: unknown,
  depth: number,
  { asItIs, field = '' }: { asItIs?: string; field?: string } = {},
): Json {
  if (typeof value === 'string') return maskField(field, value.toWellFormed()).text;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || depth > limits.json_depth_max) return null;
  if (Array.isArray(value)) return value.map((entry) => toPlain(entry, depth + 1, { asItIs, field }));
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.map(([name, member]) => [
      name.toWellFormed(),
      name === asItIs ? (member as Json) : toPlain(member, depth + 1, { asItIs, field: name }),
    ]),
  );
}

/** Messages of a model as they are stored: JSON, secrets masked, except for what only its provider can read. */
export function keptMessages(messages: readonly ModelMessage[]): Json {
  return toPlain(JSON.parse(JSON.stringify(messages)), 0, { asItIs: 'providerOptions' });
}
