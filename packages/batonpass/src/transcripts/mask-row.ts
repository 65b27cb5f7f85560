import { maskSecrets } from '../core/masking.ts';
import type { ClaudeCodeRow } from './claude-code-rows.ts';
import { addCounts, createMask, maskCall, maskOutcome, type SecretCounts } from './mask-conversation.ts';
import type { SecretSweep } from './secret-sweep.ts';

/** The replacement of a private key; it comes first where a text begins within a key. */
const maskedKey = '[masked:private-key]';

/** What the rows before one say about it. */
interface RowBefore {
  /** Whether the answer's row before broke off within a private key. Default: no. */
  isKeyOpen?: boolean;
  /** What a row of the user's answers. Default: nothing. */
  question?: string;
}

const keyHead = '-----BEGIN PRIVATE KEY-----\n';

/**
 * The row with every secret masked, and the masks counted at the part that contains them: a row may turn out to be of a
 * branch that was left, and its secrets are then none of the conversation's.
 *
 * Rows of one answer become one text, joined by an empty line. Of all secrets only a private key can reach across such
 * a joint, so it alone is followed from row to row.
 *
 * @param before - default: nothing.
 */
export function maskRow(row: ClaudeCodeRow, before: RowBefore = {}): ClaudeCodeRow {
  const { text, masked, key_open } = maskText(row.text, before);
  return {
    ...row,
    text,
    ...(masked && { masked }),
    ...(key_open && { key_open }),
    ...(row.title && { title: { ...row.title, text: maskSecrets(row.title.text).text } }),
    calls: mapParts(row.calls, (part) => maskPart((mask) => ({ ...part, call: maskCall(part.call, mask) }))),
    results: mapParts(row.results, (part) =>
      maskPart((mask) => ({ ...part, outcome: maskOutcome(part.outcome, mask) })),
    ),
  };
}

/** One list for all rows that have none: of a long transcript's memory lists of nothing would be a tenth. */
const noParts: never[] = [];

function mapParts<Part>(parts: readonly Part[], map: (part: Part) => Part): Part[] {
  return parts.length === 0 ? noParts : parts.map(map);
}

/** Gives what a row's own masks left to the second scan, which changes the row itself. */
export function sweepRow(row: ClaudeCodeRow, sweep: SecretSweep): void {
  sweep.watch(row.text, (text, found) => {
    row.text = text;
    countIn(row, found);
  });
  for (const part of row.calls) {
    sweep.watch(part.call.command, (command, found) => {
      part.call.command = command;
      countIn(part, found);
    });
  }
  for (const part of row.results) sweep.watchOutcome(part.outcome, (found) => countIn(part, found));
}

function countIn(part: { masked?: SecretCounts }, found: SecretCounts): void {
  if (Object.keys(found).length === 0) return;
  const masked = { ...part.masked };
  addCounts(masked, found);
  part.masked = masked;
}

/** The texts of a row in places that masking does not reach: folder, branch, names and ids. */
export function listNames(row: ClaudeCodeRow): string[] {
  const { uuid, parent, session, cwd, branch, message_id, side } = row;
  const calls = row.calls.flatMap(({ id, call, agent, waits_for }) => [id, call.name, agent, waits_for]);
  const results = row.results.flatMap(({ id, agent, ended, outcome }) => [id, agent, ended, outcome.background]);
  const names = [uuid, parent, session, cwd, branch, message_id, side, ...calls, ...results];
  return names.filter((name) => name !== undefined);
}

function maskText(
  text: string,
  { isKeyOpen = false, question }: RowBefore,
): Pick<ClaudeCodeRow, 'text' | 'masked' | 'key_open'> {
  if (text === '') return isKeyOpen ? { text, key_open: true } : { text };
  const masked: SecretCounts = {};
  const mask = createMask(masked, question);
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
