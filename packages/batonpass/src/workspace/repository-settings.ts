import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HandoffError, ParseError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** The name of the file by which a repository brings settings. */
export const repositoryFileName = 'baton.config.json';

/** Settings as a file has them, not yet checked. */
export type RawSettings = Record<string, unknown>;

/**
 * Reads the settings in the top folder of a project. Only an ordinary file is read, and no link is followed:
 * the repository's authors may have put anything in this place.
 *
 * @returns null where there is no such file.
 * @throws ParseError for a file that is not JSON; HandoffError `invalid_structure` for one that is no object or no
 * ordinary file, `too_large`, `unavailable` for one that cannot be read.
 */
export function readRepositorySettings(root: string): RawSettings | null {
  const path = join(root, repositoryFileName);
  const text = readOrdinaryFile(path);
  return text === null ? null : parseSettings(path, text);
}

/** @throws ParseError, or HandoffError `invalid_structure` where the text is no JSON object. */
export function parseSettings(path: string, text: string): RawSettings {
  const value = attemptParse(path, text);
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as RawSettings;
  throw new HandoffError('invalid_structure', `The configuration ${path} is not a JSON object.`, {
    alternatives: ['Write it as { "review": "extracted" }.'],
  });
}

function readOrdinaryFile(path: string): string | null {
  const handle = openUnfollowed(path);
  if (handle === null) return null;
  try {
    const { size } = fstatSync(handle);
    if (!fstatSync(handle).isFile()) throw noFile(path);
    if (size > limits.configuration_bytes_max) {
      throw new HandoffError('too_large', `The configuration ${path} has ${size} bytes.`, {
        details: { bytes: size, bytes_max: limits.configuration_bytes_max },
        alternatives: [`Keep it below ${limits.configuration_bytes_max} bytes.`],
      });
    }
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Without `O_NONBLOCK` a named pipe would hold every command up. */
function openUnfollowed(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'ELOOP' || code === 'EISDIR') throw noFile(path);
    throw new HandoffError('unavailable', `The configuration ${path} cannot be read: ${message}.`, {
      cause,
      alternatives: ['Correct its permissions, or move it away to use the defaults.'],
    });
  }
}

function noFile(path: string): HandoffError {
  return new HandoffError('invalid_structure', `The configuration ${path} is not a regular file.`, {
    alternatives: ['Put a file in its place: links are not followed.'],
  });
}

function attemptParse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError(`The configuration ${path} is not JSON: ${(cause as Error).message}.`, {
      source: path,
      cause,
      alternatives: ['Correct the file, or move it away to use the defaults.'],
    });
  }
}
