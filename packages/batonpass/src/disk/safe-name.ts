import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** Devices of Windows: with any extension, in either case. `¹²³` count as digits there. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Control, format (direction, zero width), line and paragraph separators: what a person does not see. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const rules: readonly (readonly [isBroken: (name: string) => boolean, reason: string])[] = [
  [(name) => name === '', 'is empty'],
  [(name) => name.includes('\0'), 'contains a NUL'],
  [(name) => /[/\\]/.test(name), 'contains a path separator'],
  [(name) => /^\.+$/.test(name), 'is "." or ".."'],
  [(name) => name.startsWith('.'), 'begins with a dot'],
  [(name) => !name.isWellFormed(), 'contains a lone surrogate'],
  [(name) => unseen.test(name), 'contains an invisible character'],
  [(name) => /[<>:"|?*]/.test(name), 'contains one of < > : " | ? *, which Windows does not allow'],
  [(name) => /^ |[. ]$/.test(name), 'begins with a space, or ends with a space or a dot'],
  [(name) => device.test(name), 'is the name of a device on Windows'],
  [
    (name) => new TextEncoder().encode(name).length > limits.file_name_bytes_max,
    `is longer than ${limits.file_name_bytes_max} bytes`,
  ],
];

/**
 * Why a text from outside is no name of one file or folder on every system; null where it is one. A name that passes,
 * joined to a folder, is a place in that very folder.
 */
export function faultOfName(name: string): string | null {
  return rules.find(([isBroken]) => isBroken(name))?.[1] ?? null;
}

/**
 * The name itself, where it is a safe part of a path.
 *
 * @param what - the thing's name in the message, as "version".
 * @throws HandoffError `invalid_input` that names the fault.
 */
export function assertSafeName(name: string, what: string): string {
  const reason = faultOfName(name);
  if (reason === null) return name;
  throw new HandoffError('invalid_input', `The ${what} ${JSON.stringify(name.slice(0, 80))} ${reason}.`, {
    details: { field: what, reason },
    alternatives: ['Use letters, digits, "-" and "_", with at most dots in between.'],
  });
}
