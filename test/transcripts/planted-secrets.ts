/**
 * Secrets for tests, generated at run time from a seed: no scanner finds one in this file, and none was ever real.
 */
const alphabets = {
  mixed: 'aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs6GtE4u',
  upper: 'A7KQ9MTX3LP2RVB5NWC8YDF4HJS6GEU2',
  hex: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  digits: '7301948265',
  letters: 'abQRstUVwxYZkLmNopHIjKDeFg',
} as const;

function random(seed: number, length: number, alphabet: keyof typeof alphabets = 'mixed'): string {
  const letters = alphabets[alphabet];
  let state = (seed + 1) * 2_654_435_761;
  return Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223) >>> 0;
    return letters.charAt(state % letters.length);
  }).join('');
}

const joined = (...parts: string[]) => parts.join('');

/** A secret, and the text around it by which a reader would know it. */
export interface PlantedSecret {
  kind: string;
  secret: string;
  /** The secret in its surroundings. */
  text: string;
}

const alone = (secret: string) => ({ secret, text: `Here: ${secret} and on.` });
const assigned = (name: string, secret: string) => ({ secret, text: `${name}${secret}` });
const block = (name: string, seed: number, lines: number) => {
  const body = Array.from({ length: lines }, (_, index) => random(seed + index, 64)).join('\n');
  const secret = joined(
    '-----BEGIN ',
    name,
    'PRIVATE ',
    'KEY-----\n',
    body,
    '\n-----END ',
    name,
    'PRIVATE ',
    'KEY-----',
  );
  return { secret: body, text: secret };
};

const makers: Record<string, ((seed: number) => Omit<PlantedSecret, 'kind'>)[]> = {
  'aws-access-key': [(seed) => alone(joined('AK', 'IA', random(seed, 16, 'upper')))],
  'aws-secret-key': [
    (seed) => assigned('aws_secret_access_key = ', random(seed, 40)),
    (seed) => assigned('export AWS_SECRET_ACCESS_KEY=', random(seed, 40)),
  ],
  'github-token': [
    (seed) => alone(joined('gh', 'p_', random(seed, 36))),
    (seed) => alone(joined('github', '_pat_', random(seed, 82))),
  ],
  'gitlab-token': [(seed) => alone(joined('gl', 'pat-', random(seed, 20)))],
  'npm-token': [
    (seed) => alone(joined('np', 'm_', random(seed, 36))),
    (seed) => assigned('//registry.npmjs.org/:_authToken=', random(seed, 36)),
  ],
  'slack-token': [(seed) => alone(joined('xo', 'xb-', random(seed, 12, 'digits'), '-', random(seed + 1, 24)))],
  'stripe-key': [(seed) => alone(joined('sk', '_live_', random(seed, 24)))],
  'openai-key': [
    (seed) => alone(joined('sk', '-proj-', random(seed, 120))),
    (seed) => alone(joined('sk', '-', random(seed, 48))),
  ],
  'anthropic-key': [(seed) => alone(joined('sk', '-ant-', 'api03-', random(seed, 93), 'AA'))],
  'google-key': [(seed) => alone(joined('AI', 'za', random(seed, 35)))],
  'private-key': [
    (seed) => block('', seed, 1),
    (seed) => block('RSA ', seed, 12),
    (seed) => block('OPENSSH ', seed, 6),
  ],
  jwt: [(seed) => alone(joined('ey', 'J', random(seed, 20), '.ey', 'J', random(seed, 60), '.', random(seed, 43)))],
  'bearer-token': [(seed) => assigned('Authorization: Bearer ', random(seed, 40))],
  'url-password': [
    (seed) => ({ secret: random(seed, 14), text: `postgres://sam:${random(seed, 14)}@db.example.org/tide` }),
  ],
  password: [
    (seed) => assigned('DB_PASSWORD=', random(seed, 18)),
    (seed) => ({ secret: random(seed, 24), text: `"clientSecret": "${random(seed, 24)}",` }),
  ],
  'sendgrid-key': [(seed) => alone(joined('S', 'G.', random(seed, 22), '.', random(seed + 1, 43)))],
  webhook: [
    (seed) => {
      const secret = `T${random(seed, 8, 'upper')}/B${random(seed, 8, 'upper')}/${random(seed, 24)}`;
      return { secret, text: joined('https://hooks.', 'slack.com/services/', secret) };
    },
  ],
  'telegram-token': [
    (seed) => alone(joined(random(seed, 9, 'digits').replace(/^0/, '1'), ':A', 'A', random(seed, 33))),
  ],
  'azure-key': [(seed) => assigned('AccountName=tide;AccountKey=', `${random(seed, 86)}==`)],
  'huggingface-token': [(seed) => alone(joined('h', 'f_', random(seed, 34, 'letters')))],
};

/** The scanner has names for these; our own patterns know them without one. */
const scannerMakers: Record<string, ((seed: number) => Omit<PlantedSecret, 'kind'>)[]> = {
  'groq-key': [(seed) => alone(joined('gs', 'k_', random(seed, 52)))],
  'linear-token': [(seed) => alone(joined('lin', '_api_', random(seed, 40)))],
  'notion-token': [(seed) => alone(joined('nt', 'n_', random(seed, 11, 'digits'), random(seed, 35)))],
  'shopify-token': [(seed) => alone(joined('shp', 'at_', random(seed, 32, 'hex')))],
  'grafana-token': [(seed) => alone(joined('gl', 'sa_', random(seed, 32), '_', random(seed, 8, 'hex')))],
  'databricks-token': [(seed) => alone(joined('da', 'pi', random(seed, 32, 'hex')))],
  'docker-token': [(seed) => alone(joined('dckr', '_pat_', random(seed, 27)))],
  'figma-token': [(seed) => alone(joined('fi', 'gd_', random(seed, 43)))],
};

const plant = (kinds: typeof makers, rounds: number): PlantedSecret[] =>
  Array.from({ length: rounds }).flatMap((_, round) =>
    Object.entries(kinds).flatMap(([kind, writers], index) =>
      writers.map((write, nth) => ({ kind, ...write(round * 1_000 + index * 17 + nth + 1) })),
    ),
  );

/** 52 secrets of 20 kinds. */
export const plantedSecrets = plant(makers, 2);

/** Secrets of kinds for which the scanner has a name. */
export const scannedSecrets = plant(scannerMakers, 2);

/** 1,000 lines in which nothing is a secret, though much looks random. */
export function ordinaryLines(): string[] {
  return Array.from({ length: 1_000 }, (_, line) => {
    const hex = (length: number) => random(line, length, 'hex');
    const uuid = `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
    const writers = [
      `commit ${hex(40)} (HEAD -> main): read the tables once a day`,
      `sha256:${hex(64)}  dist/library/index.mjs`,
      `session ${uuid}, request_id=${uuid}`,
      `![map](data:image/png;base64,iVBORw0KGgo${random(line, 180)}/${random(line + 1, 160)}+${random(line, 20)}==)`,
      `  const token = await createToken${line}(session.user, { expires: ${line}_000 });`,
      `export function hashPassword(password: string, salt = randomBytes(${line})): Promise<string> {`,
      `src/auth/token-store${line}.ts:${line}: if (secret === undefined) throw new Error('no secret');`,
      `"integrity": "sha512-${random(line, 86)}==",`,
      `C:\\code\\tide\\npm_modules\\sk-table-${line}\\index${line}.js and /var/lib/key-store/${hex(32)}/data.bin`,
      `process.env.API_KEY ?? config.apiKey; password: z.string().min(${line}), token: string;`,
      `https://example.org:8443/tables/${uuid}?page=${line}#row-${line}`,
      `const url = 'postgres://user:\${DB_PASSWORD}@localhost:5432/tide_${line}'; // handoff 01J8Z3K4M5N6P7Q8R9S0T1V2W${line % 10}`,
      `diff --git a/src/keys/${hex(7)}.ts b/src/keys/${hex(7)}.ts index ${hex(7)}..${hex(7)} 100644`,
      `api_key: $API_KEY_${line}, bearer token, basic src/auth/basic-auth${line}.ts`,
    ];
    return writers[line % writers.length] ?? '';
  });
}
