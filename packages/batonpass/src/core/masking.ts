import { asksForSecret, findAnswered, findInReply } from './asked-secrets.ts';
import { findBrokenTokens } from './broken-tokens.ts';
import { findInCommands } from './command-secrets.ts';
import { findPrivateKeys, type Range } from './private-keys.ts';
import { patterns, type SecretPattern } from './secret-patterns.ts';
import { findSpoken, isSecretOfField } from './spoken-secrets.ts';

/**
 * Secrets are masked before anything is stored, shown or sent. Masking is pure and synchronous; its time grows
 * linearly with the text, since every pattern is bounded or can begin only at the start of a word.
 *
 * A secret is known by its own form (`secret-patterns.ts`), by the command that takes it (`command-secrets.ts`), by
 * the words that announce it (`spoken-secrets.ts`) or by the question that it answers (`asked-secrets.ts`). Known limit: a secret without any of these looks like any other word
 * and stays unmasked.
 */

export interface MaskedText {
  text: string;
  /** How many secrets of each kind were masked; empty where there were none. */
  found: Record<string, number>;
}

/**
 * Replaces every secret by `[masked:kind]`. Commit hashes, checksums, UUIDs, ULIDs, paths, base64 images and code
 * stay as they are. Masking a masked text changes nothing.
 */
export function maskSecrets(text: string): MaskedText {
  return maskText(text, false);
}

/** The same for the value of a field: where the field's name is that of a secret, the whole value is one. */
export function maskField(field: string, value: string): MaskedText {
  const masked = maskSecrets(value);
  if (masked.text !== value || !isSecretOfField(field, value)) return masked;
  return { text: '[masked:password]', found: { password: 1 } };
}

/** The same for an answer: after a question for a secret its bare word is one, too. */
export function maskReply(question: string, reply: string): MaskedText {
  // Of the question only its end counts: a long one must not be spelt again for each of many replies.
  return maskText(reply, asksForSecret(spellPlainly(question.slice(-QUESTION_CHARACTERS_MAX)).text));
}

/** The end of a question, as it is given: with as many invisible characters in it as visible ones. */
const QUESTION_CHARACTERS_MAX = 1_200;

function maskText(text: string, isReplyToAsked: boolean): MaskedText {
  const found: Record<string, number> = {};
  let masked = text;
  let plain = spellPlainly(text);
  const hide = (kind: string, find: (plainText: string) => readonly Range[]) => {
    const [next, times] = replaceRanges(masked, kind, find(plain.text).map(plain.place));
    if (times === 0) return;
    masked = next;
    plain = spellPlainly(masked);
    found[kind] = (found[kind] ?? 0) + times;
  };
  hide('broken-token', findBrokenTokens);
  for (const entry of patterns) hide(entry.kind, (plainText) => findPattern(plainText, entry));
  // After the specific ones, so that a kind is as exact as possible.
  hide('kubernetes-secret', findInKubernetesSecrets);
  hide('password', findInCommands);
  hide('password', findSpoken);
  hide('password', findAnswered);
  if (isReplyToAsked) hide('password', findInReply);
  // Last: a key that breaks off would take the beginning of a token with it and leave its end.
  hide('private-key', findPrivateKeys);
  return { text: masked, found };
}

/** A text as it is searched, and where a range of it is in the text that it came from. */
interface PlainText {
  text: string;
  place: (range: Range) => Range;
}

/** Characters without a glyph, as a soft hyphen, and full-width letters and digits. */
const disguise = /\p{Default_Ignorable_Code_Point}|(?<wide>[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A])/gu;
const FULL_WIDTH_OFFSET = 0xfee0;

/** A name or a token is the same one with an invisible character in it, or in full width. */
function spellPlainly(given: string): PlainText {
  if (given.search(disguise) === -1) return { text: given, place: (range) => range };
  const offsets: number[] = [];
  let text = '';
  let end = 0;
  const keepTo = (to: number) => {
    text += given.slice(end, to);
    for (; end < to; end += 1) offsets.push(end);
  };
  for (const { 0: character, index, groups } of given.matchAll(disguise)) {
    keepTo(index);
    if (groups?.wide !== undefined) {
      text += String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET);
      offsets.push(index);
    }
    end = index + character.length;
  }
  keepTo(given.length);
  const place = ({ from, to }: Range) => ({ from: offsets[from] ?? 0, to: (offsets[to - 1] ?? -1) + 1 });
  return { text, place };
}

/** The text with a mask for each range, and how many there were; of ranges that overlap the first counts. */
function replaceRanges(text: string, kind: string, ranges: readonly Range[]): [text: string, times: number] {
  let masked = '';
  let end = 0;
  let times = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from < end) continue;
    masked += `${text.slice(end, from)}[masked:${kind}]`;
    end = to;
    times += 1;
  }
  return [masked + text.slice(end), times];
}

function findPattern(text: string, { pattern, accepts }: SecretPattern): Range[] {
  const ranges: Range[] = [];
  // `matchAll` copies the pattern, and most texts hold none: a fifth of the time that a transcript of 100 MB takes.
  if (text.search(pattern) === -1) return ranges;
  for (const match of text.matchAll(pattern)) {
    const [from, to] = match.indices?.groups?.secret ?? match.indices?.[0] ?? [0, 0];
    if (accepts === undefined || accepts(text.slice(from, to))) ranges.push({ from, to });
  }
  return ranges;
}

/** Values of a Kubernetes secret, whose names may be any. */
function findInKubernetesSecrets(text: string): Range[] {
  if (!/^[ \t]*"?kind"?:[ \t]*"?Secret\b/m.test(text)) return [];
  const ranges: Range[] = [];
  for (const block of text.matchAll(
    /^([ \t]{0,20})(?:data|stringData):[ \t]*\r?\n((?:\1[ \t]{1,20}[^\n]*(?:\n|$)){1,200})/gm,
  )) {
    const begin = block.index + block[0].length - (block[2] ?? '').length;
    for (const entry of (block[2] ?? '').matchAll(/^[ \t]+[\w.-]{1,100}:[ \t]*["']?(?<secret>[^\s"'|>[][^\n"']*)/dgm)) {
      const [from, to] = entry.indices?.groups?.secret ?? [0, 0];
      ranges.push({ from: begin + from, to: begin + to });
    }
  }
  return ranges;
}
