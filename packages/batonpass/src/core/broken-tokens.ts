import { patterns } from './secret-patterns.ts';
import { isEmptySetting } from './secret-values.ts';
import { namesSecret } from './spoken-secrets.ts';

/** The prefixes of tokens of known issuers. */
const beginning =
  /sk-|sk_(?:live|test)_|rk_(?:live|test)_|whsec_|gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt|cbt|ft|soat|c|sa)[-_]|npm_|xox[abeoprs]-|xapp-|SG\.|hf_|pypi-|do[opr]_v1_|hv[sbr]\.|AIza|GOCSPX-|ya29\.|1\/\/0|AKIA|ASIA|eyJ|gsk_|lin_api_|ntn_|dckr_pat_|figd_|dapi|xai-|r8_|ATATT3x/g;

/** The rest of a token, where the line ends after it. */
const head = /[A-Za-z0-9_./=+-]{0,400}(?=["']?[ \t]{0,4}[\\+]?[ \t]{0,4}(?:\r?\n|\\n))/y;
const next = /["']?[ \t]{0,4}[\\+]?[ \t]{0,4}(?:\r?\n|\\n)[ \t>|]{0,20}["']?(?<piece>[A-Za-z0-9_./=+-]{2,400})/dy;

const PIECES_MAX = 8;

/** Tokens of issuers that give each the same length: nothing on the next line belongs to such a one. */
const complete =
  /^(?:gh[pousr]_[A-Za-z0-9]{36}|npm_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20}|hf_[A-Za-z0-9]{34}|gsk_[A-Za-z0-9]{52}|lin_api_[A-Za-z0-9]{40}|AIza[A-Za-z0-9_-]{35}|sk-[A-Za-z0-9]{48}|sk-ant-[a-z]{3}\d\d-[A-Za-z0-9_-]{95})$/;

/** Tokens that line breaks cut into pieces, as a terminal or a mail does. */
export function findBrokenTokens(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  if (!text.includes('\n') && !text.includes('\\n')) return found;
  for (const { index } of text.matchAll(beginning)) {
    if (index < (found.at(-1)?.to ?? 0) || /[A-Za-z0-9+/_-]/.test(text.charAt(index - 1))) continue;
    head.lastIndex = index;
    const first = head.exec(text)?.[0];
    const to = first === undefined ? undefined : findEnd(text, index, first);
    if (to !== undefined) found.push({ from: index, to });
  }
  return found;
}

/** The end of the pieces that are one token together, where that is longer than its first line. */
function findEnd(text: string, from: number, first: string): number | undefined {
  if (complete.test(first)) return undefined;
  const pieces = [{ from, text: first }];
  for (let at = from + first.length; pieces.length < PIECES_MAX; ) {
    next.lastIndex = at;
    const match = next.exec(text);
    const piece = match?.groups?.piece?.replace(/[.]+$/, '');
    const [begin] = match?.indices?.groups?.piece ?? [];
    if (piece === undefined || begin === undefined || !isPiece(piece)) break;
    at = begin + piece.length;
    if (isName(piece, text.slice(at, at + 24))) break;
    pieces.push({ from: begin, text: piece });
  }
  if (pieces.length === 1) return undefined;
  let left = tokenLength(pieces.map((piece) => piece.text).join(''));
  if (left <= first.length) return undefined;
  for (const piece of pieces) {
    if (left <= piece.text.length) return piece.from + left;
    left -= piece.text.length;
  }
  return undefined;
}

/** A part of a random text, no word and no hash. */
function isPiece(piece: string): boolean {
  if (/^[0-9a-f]{7,10}$|^[0-9a-f]{40}$/.test(piece)) return false;
  return (/\d/.test(piece) && /[A-Za-z]/.test(piece)) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(piece);
}

/** Whether the next line begins with the name of its own value, which may be a secret, too: `DB1_PASSWORD=`. */
function isName(piece: string, after: string): boolean {
  if (/=[^=]/.test(piece) || isEmptySetting(piece) || namesSecret(piece)) return true;
  if (/^["'`\])]{0,2}[ \t]{0,20}=/.test(after)) return true;
  return hasWords(piece) && (/^-/.test(piece) || /^["'`\])]{0,2}[ \t]{0,20}(?:[:：＝|→]|->)/.test(after));
}

/** Runs of letters as long as a name's; those of a random text have one or two. */
function hasWords(piece: string): boolean {
  return piece.length >= 2.5 * (piece.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)?.length ?? 1);
}

const tokens = patterns.map(
  ({ pattern }) => new RegExp(pattern.source, pattern.flags.replace(/[dg]/g, '').concat('y')),
);

/** How much of the text, from its start, is one token. */
function tokenLength(text: string): number {
  let longest = 0;
  for (const token of tokens) {
    token.lastIndex = 0;
    if (token.test(text)) longest = Math.max(longest, token.lastIndex);
  }
  return longest;
}
