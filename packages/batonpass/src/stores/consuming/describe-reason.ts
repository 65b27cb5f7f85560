import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';

/** What a handler threw, as the history keeps it: bounded, and with its secrets masked. */
export function describeReason(error: unknown): string {
  const { text } = maskSecrets(wordsOf(error) || 'It failed without a reason.');
  return text.slice(0, limits.entry_characters_max).toWellFormed();
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.message || error.name}` : String(error);
  } catch {
    // What cannot be made a text has nothing to say; the failure is told all the same.
    return '';
  }
}
