/**
 * Secrets are masked before anything is stored, shown or sent. Masking is pure and synchronous; its time grows
 * linearly with the text, since every pattern is bounded or can begin only at the start of a word.
 *
 * Known limit: a secret without a prefix, a name or a scheme around it looks like any other word and stays.
 */

export interface MaskedText {
  text: string;
  /** How many secrets of each kind were masked; empty where there were none. */
  found: Record<string, number>;
}

interface SecretPattern {
  kind: string;
  /** Where it has a group `secret`, only that group is masked. */
  pattern: RegExp;
  /** Refuses matches that only look like a secret. */
  accepts?: (secret: string) => boolean;
}

/**
 * A word's start. `+`, `/` and a backslash keep the patterns out of base64 images and paths; behind the `\n` of a quoted
 * text a word begins all the same.
 */
const start = '(?:(?<![A-Za-z0-9+/_\\\\])|(?<=\\\\[nrt]))';

const named = (kind: string, body: string): SecretPattern => ({ kind, pattern: new RegExp(start + body, 'dg') });

/** Names after which a value is a secret, as they end an identifier: `DB_PASSWORD`, `clientSecret`. */
const secretNames = 'passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|token';

/** In order: the particular before the general, so that a kind says as much as can be known. */
const patterns: readonly SecretPattern[] = [
  named('anthropic-key', 'sk-ant-[A-Za-z0-9_-]{16,}'),
  named('stripe-key', '(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}'),
  {
    ...named('openai-key', '(?:sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{20,})'),
    accepts: (secret) => /\d/.test(secret),
  },
  named('github-token', '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})'),
  named('gitlab-token', 'gl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_-]{18,}'),
  named('npm-token', 'npm_[A-Za-z0-9]{30,}'),
  named('slack-token', '(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}'),
  {
    kind: 'webhook',
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[A-Za-z0-9_/-]{20,200})/dg,
  },
  named('sendgrid-key', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}'),
  named('huggingface-token', 'hf_[A-Za-z0-9]{30,}'),
  named('pypi-token', 'pypi-AgE[A-Za-z0-9_-]{20,}'),
  named('digitalocean-token', 'do[opr]_v1_[a-f0-9]{64}'),
  named('telegram-token', '[0-9]{8,10}:AA[A-Za-z0-9_-]{32,35}(?![A-Za-z0-9_-])'),
  named('twilio-key', 'SK[0-9a-f]{32}(?![A-Za-z0-9])'),
  named('mailgun-key', 'key-[0-9a-f]{32}(?![A-Za-z0-9])'),
  named('vault-token', 'hv[sbr]\\.[A-Za-z0-9_-]{24,}'),
  named('age-key', 'AGE-SECRET-KEY-1[A-Z0-9]{50,}'),
  {
    kind: 'azure-key',
    pattern: /(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})/dg,
  },
  named('google-key', '(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_-]{20,})'),
  named('aws-access-key', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  {
    kind: 'aws-secret-key',
    pattern:
      /secret[_-]?access[_-]?key["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<secret>[A-Za-z0-9/+]{40}={0,2})(?![A-Za-z0-9/+])/dgi,
  },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/dg,
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:bearer|basic)[ \t]{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,}={0,2})/dgi,
    accepts: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret) && !isPath(secret),
  },
  {
    kind: 'url-password',
    pattern:
      // Only the end of the scheme: looking for its start at every letter would be half of the time that masking takes.
      /[A-Za-z0-9]:\/\/[^\s/:@'"`<>]{0,100}:(?<secret>[^\s/@'"`<>]{1,200})@/dg,
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'password',
    pattern: new RegExp(
      `(?:${secretNames})["']?[ \\t]{0,4}(?::|=)[ \\t]{0,4}["']?(?<secret>[^\\s"'\`,;()<>{}[\\]]{8,200})`,
      'dgi',
    ),
    accepts: isRandomLooking,
  },
];

/**
 * Replaces every secret by `[masked:kind]`. Commit hashes, checksums, UUIDs, ULIDs, paths, base64 images and code
 * stay as they are. Masking a masked text changes nothing.
 */
export function maskSecrets(text: string): MaskedText {
  const found: Record<string, number> = {};
  const count = (kind: string, times: number) => {
    if (times > 0) found[kind] = (found[kind] ?? 0) + times;
  };
  let masked = text;
  for (const entry of patterns) {
    const [next, times] = maskPattern(masked, entry);
    masked = next;
    count(entry.kind, times);
  }
  // Last: a key that breaks off would take the beginning of a token with it and leave its end.
  const [whole, keys] = maskPrivateKeys(masked);
  count('private-key', keys);
  return { text: whole, found };
}

function maskPattern(text: string, { kind, pattern, accepts }: SecretPattern): [text: string, times: number] {
  let masked = '';
  let end = 0;
  let times = 0;
  for (const match of text.matchAll(pattern)) {
    const [from, to] = match.indices?.groups?.secret ?? match.indices?.[0] ?? [0, 0];
    if (accepts !== undefined && !accepts(text.slice(from, to))) continue;
    masked += `${text.slice(end, from)}[masked:${kind}]`;
    end = to;
    times += 1;
  }
  return [masked + text.slice(end), times];
}

/** By search instead of a pattern: an opening line without an end must not cost a scan of the rest each time. */
function maskPrivateKeys(text: string): [text: string, times: number] {
  let masked = '';
  let end = 0;
  let times = 0;
  for (const match of text.matchAll(/-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g)) {
    if (match.index < end) continue;
    masked += `${text.slice(end, match.index)}[masked:private-key]`;
    end = findKeyEnd(text, match.index + match[0].length);
    times += 1;
  }
  return [masked + text.slice(end), times];
}

/** The end of a key's block; of a block that is cut off, the end of what can belong to a key. */
function findKeyEnd(text: string, from: number): number {
  // Piece by piece, because an expression that repeats over megabytes overflows the stack.
  const body =
    /(?:[A-Za-z0-9+/=\s\\:,-](?!----END )|(?:Proc-Type|DEK-Info)[^\n]{0,200}|\[masked:[a-z-]{1,30}\]){1,1000}/y;
  let bodyEnd = from;
  for (body.lastIndex = from; body.test(text); ) bodyEnd = body.lastIndex;
  const closing = /[\s\S]{0,2}-{0,5}END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
  closing.lastIndex = bodyEnd;
  return bodyEnd + (closing.exec(text)?.[0].length ?? 0);
}

function isPlaceholder(value: string): boolean {
  return /^(?:\$|%|\*+$|x+$|\.+$|\[|\{|your)/i.test(value);
}

/** Names with `/` between them that end in a file's extension; a token that looks so would be one in a million. */
function isPath(value: string): boolean {
  return /^(?:[\w.-]+\/)+[\w-]+\.[a-z]{1,5}$/i.test(value);
}

/** Whether a value after `password=` can be a secret: mixed characters, no code, no path, no id. */
function isRandomLooking(value: string): boolean {
  if (isPlaceholder(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return false;
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(value)) return false;
  // A name of code with a number behind it, as `createToken2`.
  if (/^[A-Za-z_$]+\d$/.test(value)) return false;
  // Paths, member access, versions and dates: their parts are words or numbers.
  if (/^[~.]?[/\\]|:\/\/|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[\w.-]+(?:\/[\w.-]+)+$|^[\d.:TZ+-]+$/.test(value))
    return false;
  return entropy(value) >= 2.5;
}

/** Shannon entropy in bits per character; ordinary words of this length stay near 2.5. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
