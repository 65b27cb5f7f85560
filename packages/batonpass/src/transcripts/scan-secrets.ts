import type { MaskedText } from '../core/masking.ts';

/**
 * A sure pre-test: where it does not match, no rule of the scanner does. It lets nearly every text pass without the
 * scanner, which takes a tenth of a second to load.
 */
const sieve = new RegExp(
  [
    '(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}',
    '(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)',
    'BEGIN\\s?(?:[A-Z]{2,7})?\\s?PRIVATE KEY',
    'x-oauth-basic@|_authToken=[^$]|npm_[A-Za-z0-9_]{36}',
    '(?:xox[bpaor]|xapp)-[A-Za-z0-9]',
    '[Hh][Oo][Oo][Kk][Ss]\\.[Ss][Ll][Aa][Cc][Kk]\\.[Cc][Oo][Mm]/',
    'T3BlbkFJ|sk-ant-api0|gsk_[A-Za-z0-9]{52}|hf_[A-Za-z]{34}|lin_api_[A-Za-z0-9_]{32}|ntn_[0-9]{11}',
    'SG\\.\\w{1,128}\\.\\w|shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32}|[sr]k_(?:live|test)_[A-Za-z0-9]{24}',
    'gh[pours]_[A-Za-z0-9_]{20}|github_pat_|glpat-|glc_[A-Za-z0-9+/]{32}|glsa_[A-Za-z0-9]{32}',
    'ops_ey|hv[sbr]\\.[A-Za-z0-9_-]{90}|vc[piark]_[A-Za-z0-9]{20}|dapi[A-Fa-f0-9]{32}|dckr_pat_|figd_',
    'cf(?:k|ut|at)_[A-Za-z0-9]{40}|tskey-',
  ].join('|'),
);

/** What the scanner calls differently from our own patterns; any other rule gives its own name. */
const kinds: Readonly<Record<string, string>> = {
  '1password': 'onepassword-token',
  anthropic: 'anthropic-key',
  aws: 'aws-access-key',
  gcp: 'google-key',
  github: 'github-token',
  gitlab: 'gitlab-token',
  groq: 'groq-key',
  'hashicorp-vault': 'vault-token',
  huggingface: 'huggingface-token',
  npm: 'npm-token',
  openai: 'openai-key',
  privatekey: 'private-key',
  sendgrid: 'sendgrid-key',
  slack: 'slack-token',
  stripe: 'stripe-key',
};

/** Left out: a text must not switch the others off, and passwords in addresses are ours, which know placeholders. */
const rulesLeftOut: ReadonlySet<string> = new Set(['filter-comments', 'basicauth', 'database-connection-string']);

/** Between two texts of one scan: no pattern reaches across it. */
const joint = '\n\u0000\n';

/** Texts of one scan: enough that the scanner's own costs do not count. */
const batchCharacters = 1024 * 1024;

/** Whether the scanner may find a secret in this text; in time linear in it. */
export function maySecretsBeFound(text: string): boolean {
  return sieve.test(text);
}

/**
 * Masks what the rules of secretlint find, in texts that our own patterns have masked already.
 *
 * @returns for each text, in order, what it became.
 */
export async function scanSecrets(texts: readonly string[]): Promise<MaskedText[]> {
  const masked: MaskedText[] = [];
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) masked.push(...(await scanBatch(batch)));
    batch = [];
    characters = 0;
  };
  for (const text of texts) {
    if (characters + text.length > batchCharacters) await flush();
    batch.push(text);
    characters += text.length;
  }
  await flush();
  return masked;
}

async function scanBatch(texts: readonly string[]): Promise<MaskedText[]> {
  const findings = await findSecrets(texts.join(joint));
  let offset = 0;
  let next = 0;
  return texts.map((text) => {
    const from = offset;
    offset += text.length + joint.length;
    const own: Finding[] = [];
    for (let finding = findings[next]; finding !== undefined && finding.start < offset; finding = findings[next]) {
      if (finding.end <= from + text.length)
        own.push({ ...finding, start: finding.start - from, end: finding.end - from });
      next += 1;
    }
    return replaceFindings(text, own);
  });
}

interface Finding {
  start: number;
  end: number;
  kind: string;
}

async function findSecrets(content: string): Promise<Finding[]> {
  // Loaded here: most transcripts never need it.
  const [{ lintSource }, preset] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  // Rule by rule: a preset runs the rules too that its configuration disables.
  const rules = preset.rules
    .filter(({ meta }) => !rulesLeftOut.has(ruleName(meta.id)))
    .map((rule) => ({ id: rule.meta.id, rule }));
  const { messages } = await lintSource({
    source: { content, filePath: 'transcript.txt', ext: '.txt', contentType: 'text' },
    options: { config: { rules }, noPhysicFilePath: true },
  });
  return messages
    .map(({ range: [start, end], ruleId }) => ({ start, end, kind: kindOf(ruleId) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

function ruleName(ruleId: string): string {
  return ruleId.slice(ruleId.lastIndexOf('secretlint-rule-') + 'secretlint-rule-'.length);
}

function kindOf(ruleId: string): string {
  const name = ruleName(ruleId);
  return kinds[name] ?? `${name}-token`;
}

/** Findings in order; what overlaps an earlier one, or what is masked already, is left. */
function replaceFindings(text: string, findings: readonly Finding[]): MaskedText {
  const found: Record<string, number> = {};
  let masked = '';
  let end = 0;
  for (const finding of findings) {
    const secret = text.slice(finding.start, finding.end);
    if (finding.start < end || secret.includes('[masked:') || isWithinPath(text, finding)) continue;
    masked += `${text.slice(end, finding.start)}[masked:${finding.kind}]`;
    end = finding.end;
    found[finding.kind] = (found[finding.kind] ?? 0) + 1;
  }
  return { text: masked + text.slice(end), found };
}

/** A name between two separators is a folder's, even if it looks like a secret. */
function isWithinPath(text: string, { start, end }: Finding): boolean {
  return /[/\\]/.test(text.charAt(start - 1)) && /[/\\.]/.test(text.charAt(end));
}
