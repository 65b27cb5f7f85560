import { maskSecrets } from '../core/masking.ts';
import type { ClaudeCodeRow } from './claude-code-rows.ts';
import { createMask, maskCall, maskOutcome, type SecretCounts } from './mask-conversation.ts';

/** What a private key is replaced by; it stands first where a text begins within a key. */
const maskedKey = '[masked:private-key]';

const keyHead = '-----BEGIN PRIVATE KEY-----\n';

/**
 * The row with every secret masked, and the masks counted at the part they stand in: a row may turn out to be of a
 * branch that was left, and its secrets are then none of the conversation's.
 *
 * Rows of one answer become one text, joined by an empty line. Of all secrets only a private key can reach across such
 * a joint, so it alone is followed from row to row.
 *
 * @param isKeyOpen - whether the answer's row before this one broke off within a private key.
 */
export function maskRow(row: ClaudeCodeRow, isKeyOpen: boolean): ClaudeCodeRow {
  const { text, masked, key_open } = maskText(row.text, isKeyOpen);
  return {
    ...row,
    text,
    ...(masked && { masked }),
    ...(key_open && { key_open }),
    calls: row.calls.map(({ id, call }) => maskPart((mask) => ({ id, call: maskCall(call, mask) }))),
    results: row.results.map(({ id, outcome }) => maskPart((mask) => ({ id, outcome: maskOutcome(outcome, mask) }))),
  };
}

/** What a row says in places that masking does not reach: folder, branch, names and ids. */
export function listNames(row: ClaudeCodeRow): string[] {
  const { uuid, parent, session, cwd, branch, message_id } = row;
  const calls = row.calls.flatMap(({ id, call }) => [id, call.name]);
  const names = [uuid, parent, session, cwd, branch, message_id, ...calls, ...row.results.map(({ id }) => id)];
  return names.filter((name) => name !== undefined);
}

function maskText(text: string, isKeyOpen: boolean): Pick<ClaudeCodeRow, 'text' | 'masked' | 'key_open'> {
  if (text === '') return isKeyOpen ? { text, key_open: true } : { text };
  const masked: SecretCounts = {};
  const mask = createMask(masked);
  // Other secrets first: what may belong to the key must not take away the beginning by which they are known.
  const alone = mask(text);
  const shown = isKeyOpen ? maskSecrets(keyHead + alone).text : alone;
  const breaksOff = shown.endsWith(maskedKey) && (endsInKey(text) || (isKeyOpen && endsInKey(keyHead + alone)));
  return {
    text: isKeyOpen ? shown.slice(maskedKey.length).trimStart() : shown,
    ...countsOf(masked),
    ...(breaksOff && { key_open: true }),
  };
}

/** Whether what follows the text would be taken for a part of the key at its end. */
function endsInKey(text: string): boolean {
  return maskSecrets(`${text}\nA`).text === maskSecrets(text).text;
}

function maskPart<Part extends object>(
  build: (mask: (text: string) => string) => Part,
): Part & { masked?: SecretCounts } {
  const masked: SecretCounts = {};
  const part = build(createMask(masked));
  return { ...part, ...countsOf(masked) };
}

function countsOf(counts: SecretCounts): { masked?: SecretCounts } {
  const masked = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return Object.keys(masked).length === 0 ? {} : { masked };
}
