import { isMixed, isPlaceholder, isPlainWord, isRandomLooking } from './secret-values.ts';

/** A form of secrets that can be known without a word before it. */
export interface SecretPattern {
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

const urlName = '[^\\s/:@\'"`<>]{0,100}';
const urlPassword = '[^\\s/\'"`<>]{1,200}';
/** With a slash, or an apostrophe between two letters. */
const urlPasswordTyped = "(?:[^\\s'\"`<>]|(?<=\\w)'(?=\\w)){1,200}";
const hostName = '[\\w.-]{1,253}(?::\\d{1,5})?(?:[/?#,;\\s"\'`)\\]}]|\\.?$)|\\[';
/** In the addresses of these nothing but a password has an `@` after it. */
const databases =
  'postgres|postgresql|mysqlx?|mariadb|mongodb(?:\\+srv)?|rediss?|valkey|amqps?|mssql|sqlserver|clickhouse|cockroachdb|oracle|ldaps?|smtps?|imaps?|s?ftp|mqtts?|kafka|nats|couchbase|neo4j|bolt|(?:postgresql|mysql|mssql)\\+\\w{1,20}';

/** Tokens known by how they begin, with their kinds. */
const vendors: readonly (readonly [kind: string, form: string])[] = [
  ['groq-key', 'gsk_[A-Za-z0-9]{40,}'],
  ['linear-token', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'],
  ['notion-token', 'ntn_[A-Za-z0-9]{40,}'],
  ['notion-token', 'secret_[A-Za-z0-9]{40,}'],
  ['shopify-token', 'shp(?:pa|ca|at|ss)_[A-Fa-f0-9]{32}'],
  ['grafana-token', 'gl(?:c|sa)_[A-Za-z0-9+/_=]{32,}'],
  ['databricks-token', 'dapi[a-f0-9]{32}'],
  ['docker-token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}'],
  ['figma-token', 'figd_[A-Za-z0-9_-]{30,}'],
  ['tailscale-key', 'tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}'],
  ['vercel-token', 'vc[piark]_[A-Za-z0-9]{20,}'],
  ['cloudflare-token', 'cf(?:k|ut|at)_[A-Za-z0-9]{40,}'],
  ['onepassword-token', 'ops_ey[A-Za-z0-9_-]{40,}'],
  ['xai-key', 'xai-[A-Za-z0-9]{40,}'],
  ['perplexity-key', 'pplx-[A-Za-z0-9]{32,}'],
  ['replicate-token', 'r8_[A-Za-z0-9]{32,}'],
  ['atlassian-token', 'AT(?:ATT|CTT)3x[A-Za-z0-9_=-]{40,}'],
  ['postman-key', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  ['new-relic-key', 'NRAK-[A-Z0-9]{27}'],
  ['rubygems-key', 'rubygems_[a-f0-9]{48}'],
  ['sentry-token', 'sntr(?:ys|yu)_[A-Za-z0-9+/=_-]{32,}'],
  ['supabase-token', 'sbp_[a-f0-9]{40}'],
  ['supabase-token', 'sb_secret_[A-Za-z0-9_-]{20,}'],
  ['planetscale-token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_-]{32,}'],
  ['doppler-token', 'dp\\.(?:pt|st|sa|ct)\\.[A-Za-z0-9_.-]{40,}'],
  ['pulumi-token', 'pul-[a-f0-9]{40}'],
  ['facebook-token', 'EAA[A-Za-z0-9]{60,}'],
  ['square-token', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}'],
  ['shippo-token', 'shippo_(?:live|test)_[a-f0-9]{40}'],
  ['posthog-key', 'ph[cx]_[A-Za-z0-9]{40,}'],
  ['datadog-key', 'dd(?:api|app)_[A-Za-z0-9]{30,}'],
  ['fly-token', 'fm[12]_[A-Za-z0-9+/=_-]{60,}'],
  ['netlify-token', 'nfp_[A-Za-z0-9]{36,}'],
  ['contentful-token', 'CFPAT-[A-Za-z0-9_-]{40,}'],
  ['airtable-token', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  ['azure-client-secret', '[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}'],
  ['discord-token', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])'],
  ['openssh-key', 'b3BlbnNzaC1rZXkt[A-Za-z0-9+/=]{40,}'],
];

/** In order: the specific before the general, so that a kind is as exact as possible. */
export const patterns: readonly SecretPattern[] = [
  named('anthropic-key', 'sk-ant-[A-Za-z0-9_-]{16,}'),
  named('stripe-key', '(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}'),
  {
    ...named('openai-key', '(?:sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{20,})'),
    accepts: hasDigit,
  },
  {
    // Makers that put their name after `sk-`.
    ...named(
      'api-key',
      'sk-(?:[A-Za-z0-9]{1,12}-){1,3}(?:[A-Za-z0-9_]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
    ),
    accepts: (secret) => /\d/.test(secret.slice(-24)) && /[A-Za-z]/.test(secret.slice(-24)),
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
  {
    kind: 'telegram-token',
    // In an address it is a part of the path.
    pattern: /(?<![A-Za-z0-9+_])(?:(?<=\/)bot|(?<!\/)(?:bot)?)\d{6,12}:AA[A-Za-z0-9_-]{32,35}(?![A-Za-z0-9_-])/dg,
  },
  named('twilio-key', 'SK[0-9a-f]{32}(?![A-Za-z0-9])'),
  named('mailgun-key', 'key-[0-9a-f]{32}(?![A-Za-z0-9])'),
  named('vault-token', 'hv[sbr]\\.[A-Za-z0-9_-]{24,}'),
  named('age-key', 'AGE-SECRET-KEY-1[A-Z0-9]{50,}'),
  {
    kind: 'azure-key',
    pattern: /(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})/dg,
  },
  named(
    'google-key',
    '(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_.-]{20,}|1//0[A-Za-z0-9_-]{20,})',
  ),
  ...vendors.map(([kind, form]) => ({ ...named(kind, form), accepts: hasDigit })),
  named('aws-access-key', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  {
    kind: 'aws-secret-key',
    pattern:
      /(?:aws|secret|access[ _-]?key|(?:AKIA|ASIA|aws-access-key))[^\n]{0,60}?(?:\r?\n[^\n]{0,60}?)?(?<![A-Za-z0-9/+])(?<secret>[A-Za-z0-9/+]{40}={0,2})(?![A-Za-z0-9/+=])/dgi,
    accepts: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret) && !isPath(secret),
  },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/dg,
  },
  {
    kind: 'basic-auth',
    pattern:
      /(?:\bbasic[ \t]{1,4}|"auth"[ \t]{0,4}:[ \t]{0,4}"|\b_auth[ \t]{0,4}=[ \t]{0,4}"?)(?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/dgi,
    accepts: isNameAndPassword,
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:bearer|basic)[ \t]{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,}={0,2})/dgi,
    accepts: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret) && !isPath(secret),
  },
  {
    kind: 'url-password',
    // Left as it was typed, without an escape: a slash in a password ends it only where a port would be before it.
    pattern: new RegExp(
      `://(?<=\\b(?:${databases})://)${urlName}:(?<secret>(?!\\d{1,5}/)${urlPasswordTyped})@(?=${hostName})`,
      'dgi',
    ),
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'url-password',
    // Only the end of the scheme: looking for its start at every letter would be half of the time that masking takes.
    pattern: new RegExp(`[A-Za-z0-9]://${urlName}:(?<secret>${urlPassword})@`, 'dg'),
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'url-password',
    pattern: /[A-Za-z0-9]:\/\/(?<secret>[A-Za-z0-9_-]{20,200})@/dg,
    accepts: isRandomLooking,
  },
  {
    kind: 'url-password',
    pattern: /jdbc:oracle:\w{1,10}:[^\s/:@'"`<>]{1,100}\/(?<secret>[^\s/'"`<>]{1,200})@/dg,
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'recovery-phrase',
    // Wallets give 12 to 24 words of three to eight letters; no sentence has so many together.
    pattern:
      /(?:mnemonic|(?:seed|recovery|backup)[ _-]?(?:phrase|words))[^a-z\n]{1,12}(?:(?:is|are)[^a-z\n]{1,4})?(?<secret>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})(?![A-Za-z])/dgi,
    accepts: (secret) => secret === secret.toLowerCase(),
  },
  {
    kind: 'private-key',
    // The secret member of a JSON Web Key.
    pattern: /"(?:d|k)\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"(?<secret>[A-Za-z0-9_-]{42,1400})(?=\\{0,7}")/dg,
    accepts: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret),
  },
  {
    kind: 'otp-secret',
    pattern: /otpauth:\/\/[^\s?]{1,200}\?(?:[^\s&]{1,100}&){0,6}secret=(?<secret>[A-Za-z2-7=]{8,200})/dg,
  },
  {
    kind: 'password-hash',
    pattern:
      /(?<secret>\$(?:apr1|[1567y]|2[abxy]|gy|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,10})\$[./A-Za-z0-9$=,+-]{20,300})|(?<=:)\{S?SHA\d{0,3}\}[A-Za-z0-9+/]{20,200}={0,2}/dg,
  },
  {
    kind: 'pgpass',
    pattern: /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?<secret>[^\s:]{4,200})$/dgm,
  },
  {
    kind: 'pgpass',
    // In the middle of a line a word could be anything.
    pattern:
      /(?<=[\s"'`])[\w.*-]{1,100}:(?:\d{2,5}|\*):[A-Za-z_*][\w.*-]{0,63}:[A-Za-z_*][\w.*@-]{0,63}:(?<secret>[^\s:"'`]{4,200})(?=$|[\s"'`])/dgm,
    accepts: (secret) => isMixed(secret.replace(/[.,;)]+$/, '')),
  },
  {
    kind: 'netrc',
    pattern: /\blogin[ \t\r\n]{1,20}\S{1,100}[ \t\r\n]{1,20}password[ \t\r\n]{1,20}(?<secret>\S{3,200})/dg,
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'password',
    pattern:
      /<(?<tag>[\w:.-]{0,40}(?:passw(?:or)?d|passphrase|pwd|secret|token|api-?_?key)[\w:.-]{0,20})(?:\s[^<>]{0,100})?>\s{0,20}(?<secret>[^<>\s]{4,200})\s{0,20}<\/\k<tag>>/dgi,
    accepts: (secret) => !isPlaceholder(secret) && (isMixed(secret) || isPlainWord(secret)),
  },
  {
    // A value with letters, digits and a sign: as the argument -p, or in a line that names a password or an account.
    kind: 'password',
    pattern: /(?<=[`\s("']-p)(?<secret>[^\s`"'(){}<>/\\:;,=|]{8,40})(?=[`\s).,"']|$)/dgm,
    accepts: hasPasswordSign,
  },
  {
    kind: 'password',
    pattern:
      /(?<![\p{L}\d]|\[masked:)(?:pass(?:word|wort|phrase)|contraseña|senha|mot de passe|пароль?|wachtwoord|parola|şifre|hasło|root|user(?:name)?|utente|usuario|login)(?![\p{L}\d]{3})[^\n]{0,60}?(?<=[`\s(:"'](?:-p)?)(?<secret>[^\s`"'(){}<>/\\:;,=|]{8,40})(?=[`\s).,"']|$)/dgimu,
    accepts: hasPasswordSign,
  },
  {
    kind: 'session-cookie',
    pattern:
      /(?:(?:set-)?cookie["']?:[ \t]{0,4}["']?|(?:-b|--cookie)[ =]["']?|;[ \t]{0,2}(?=[\w.-]{0,40}(?:sess|sid|auth|token|jwt|remember)))(?:[^\s;=]{1,60}=[^\s;]{0,11};[ \t]?){0,6}[\w.-]{1,60}=(?<secret>[A-Za-z0-9%._~+/=|-]{12,1000})/dgi,
    accepts: (secret) => isRandomLooking(secret),
  },
];

/** Whether a value has letters, digits and a sign, and is no address, issue number or variable. */
function hasPasswordSign(secret: string): boolean {
  // The marks of emphasis around a word are no sign of it.
  const value = secret.replace(/^\*{1,3}|\*{1,3}$/g, '');
  const isAddress = /@[\w-]+\.\w|^[$%@#]|[#@]\d+$/.test(value);
  return !isAddress && /[A-Za-z]/.test(value) && /\d/.test(value) && /[!@#$%^*]/.test(value);
}

function hasDigit(secret: string): boolean {
  return /\d/.test(secret);
}

/** Names with `/` between them that end in a file's extension; a token that looks so would be one in a million. */
function isPath(value: string): boolean {
  return /^(?:[\w.-]+\/)+[\w-]+\.[a-z]{1,5}$/i.test(value);
}

/** Whether base64 decodes to `name:password`. */
function isNameAndPassword(value: string): boolean {
  try {
    return /^[ -~]{0,100}:[ -~]{1,300}$/.test(atob(value));
  } catch {
    // Not base64, so no name and password.
    return false;
  }
}
