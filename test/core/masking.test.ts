import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import { verifies } from '../verifies.ts';

/** Letters and digits as a secret has them; built at run time, so that no scanner finds a secret in this file. */
function random(length: number, seed: number, alphabet = 'aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs6GtE4u'): string {
  return Array.from({ length }, (_, index) =>
    alphabet.charAt((index * 7 + seed * 5 + ((index * seed) % 11)) % alphabet.length),
  ).join('');
}

const upper = 'A7KQ9MTX3LP2RVB5NWC8YDF4HJS6GEU';
const privateKey = (name: string, body: string) =>
  `-----BEGIN ${name}PRIVATE ${'KEY'}-----\n${body}\n-----END ${name}PRIVATE ${'KEY'}-----`;

/** For each kind, spellings of such a secret. */
const planted: Record<string, ((seed: number) => string)[]> = {
  'aws-access-key': [(seed) => `AK${'IA'}${random(16, seed, upper)}`, (seed) => `AS${'IA'}${random(16, seed, upper)}`],
  'aws-secret-key': [
    (seed) => `aws_secret_access_key = ${random(40, seed)}`,
    (seed) => `"SecretAccessKey": "${random(40, seed)}"`,
  ],
  'github-token': [
    (seed) => `gh${'p_'}${random(36, seed)}`,
    (seed) => `gh${'o_'}${random(36, seed)}`,
    (seed) => `github${'_pat_'}${random(60, seed)}`,
  ],
  'gitlab-token': [(seed) => `gl${'pat-'}${random(20, seed)}`],
  'npm-token': [(seed) => `np${'m_'}${random(36, seed)}`],
  'slack-token': [(seed) => `xo${'xb-'}${random(12, seed, '0123456789')}-${random(24, seed)}`],
  'stripe-key': [(seed) => `sk${'_live_'}${random(24, seed)}`, (seed) => `rk${'_test_'}${random(24, seed)}`],
  'openai-key': [(seed) => `sk${'-'}${random(48, seed)}`, (seed) => `sk${'-proj-'}${random(60, seed)}`],
  'anthropic-key': [(seed) => `sk${'-ant-'}api03-${random(80, seed)}`],
  'google-key': [(seed) => `AI${'za'}${random(35, seed)}`],
  'private-key': [
    () => privateKey('', 'MIIEvQIBADANBgkq'),
    () => privateKey('RSA ', `MIIE${random(64, 3)}\n${random(64, 4)}`),
    () => privateKey('OPENSSH ', 'b3BlbnNza'),
  ],
  jwt: [(seed) => `ey${'J'}${random(20, seed)}.ey${'J'}${random(40, seed)}.${random(43, seed)}`],
  'bearer-token': [(seed) => `Authorization: Bearer ${random(32, seed)}`],
  'url-password': [(seed) => `postgres://sam:${random(12, seed)}@db.example.org:5432/tides`],
  password: [
    (seed) => `DB_PASSWORD=${random(16, seed)}`,
    (seed) => `"apiKey": "${random(24, seed)}"`,
    (seed) => `client_secret: '${random(20, seed)}'`,
    // The shortest random value that a slash does not make a path.
    (seed) => `"apiKey": "${random(16, seed)}/${random(15, seed)}"`,
    (seed) => `Password root: \`${random(16, seed)}!\``,
    (seed) => `- user app: \`app\` / \`${random(16, seed)}!\``,
    (seed) => `with -p${random(16, seed)}! it began`,
    (seed) => `the RESEND_KEY is ${random(24, seed)}`,
  ],
};

const ordinary = [
  'commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 is the sum',
  'session 7c0b8a52-4f1e-4d0b-9a53-2f6f7a8e1c94',
  'token: 7c0b8a52-4f1e-4d0b-9a53-2f6f7a8e1c94',
  'handoff 01J8Z3K4M5N6P7Q8R9S0T1V2W3 was claimed',
  'token: src/auth/PasswordResets/NewTokenStore2.ts',
  'token: services/authentication/sessions2/refresh',
  'token: SERVICES/AUTHENTICATION/SESSIONS2/REFRESH',
  'src/auth/password-reset/token-store2.ts and /usr/lib/node_modules/npm/bin/npm-cli.js',
  `![image](data:image/png;base64,iVBORw0KGgo${random(400, 2)}${random(400, 9)}==)`,
  'const token = createToken2(user); const secret = config.secrets.primary2;',
  'password: string; apiKey?: string; token = process.env.GITHUB_TOKEN2',
  `password=$DB_PASSWORD_1 postgres://user:${'$'}{DB_PASS1}@localhost/app`,
  'The password must have 12 characters, and the token: it expires after 15 minutes.',
  'sk-learn-like-names and risk-assessment-of-the-whole-project-2026',
  'https://example.org:8080/a/b?c=d#e and git@github.com:sam/tidepool.git',
  'the user opened parser#1234 for a login of sam2@example.org with $HOME_DIR1, -p3306:3306 and -pthread1',
  '| user-satisfaction-survey (SC-004) | yes | **T044** | added |',
  'if (secret === undefined) throw new Error("no secret");',
  'Bearer tokens are described in authentication-and-authorisation',
  'apiKey: [masked:password] and Kq9#Tx7L after it',
  'login `.login-btn` → `height: 92rpx`, `width: 120.5px`; 「退出账号」`.logout-btn` → `height: 92rpx`',
  'JWT_KEY is read in src/lib/Mailer2.ts since 0f3a9bc1d2e4f5a6b7c8. CACHE_KEY is aB3xQ9zR7tLmN2pK4vWc',
];

describe('masking of secrets', () => {
  for (const [kind, writers] of Object.entries(planted)) {
    verifies(['MASK.kinds'], `masks every ${kind}, at any position, and counts it`, () => {
      for (const write of writers) {
        for (const seed of [1, 2, 3]) {
          const secret = write(seed);
          const { text, found } = maskSecrets(`before ${secret} after\n${secret}`);
          expect(found, secret).toEqual({ [kind]: 2 });
          expect(text.split(`[masked:${kind}]`)).toHaveLength(3);
          expect(text).toMatch(/^before .* after/s);
          for (const part of secret.match(/[A-Za-z0-9]{12,}/g) ?? [])
            if (/\d/.test(part)) expect(text).not.toContain(part);
        }
      }
    });
  }

  verifies(['MASK.kinds'], 'masks a token after a key that breaks off, whole', () => {
    const token = `gh${'p_'}${random(36, 3)}`;
    const opening = `-----BEGIN RSA PRIVATE ${'KEY'}-----`;
    for (const between of [' MIIEow The token is ', '\nMIIEow\n', ' ']) {
      const { text } = maskSecrets(`${opening}${between}${token} and more`);
      expect(text).not.toContain(token.slice(-12));
    }
  });

  verifies(['MASK.kinds'], 'masks a private key that is cut off or written on one line', () => {
    const [open] = privateKey('EC ', '').split('\n');
    expect(maskSecrets(`${open}\nMHcCAQEEIBkg`).text).toBe('[masked:private-key]');
    const oneLine = JSON.stringify(privateKey('', 'MIIEvQIBADANBgkq'));
    expect(maskSecrets(oneLine).text).toBe('"[masked:private-key]"');
  });

  verifies(
    ['MASK.kinds'],
    'masks after names of secrets and of programs, with and without their optional letters',
    () => {
      const secret = `Tangerine${19}`;
      for (const before of [
        'mot de passe : ',
        'senha: ',
        'senhas: ',
        'http -a sam:',
        'https -a sam:',
        '7z x -p',
        '7za x -p',
      ])
        expect(maskSecrets(before + secret)).toEqual({ text: `${before}[masked:password]`, found: { password: 1 } });
    },
  );

  verifies(['MASK.ordinary'], 'leaves hashes, identifiers, paths, images and code as they are', () => {
    for (const text of ordinary) expect(maskSecrets(text)).toEqual({ text, found: {} });
  });

  verifies(['MASK.idempotent'], 'changes nothing in a masked text', () => {
    const secrets = Object.values(planted).flatMap((writers) => writers.map((write) => write(4)));
    const piece = fc.oneof(fc.constantFrom(...secrets, ...ordinary), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = maskSecrets(pieces.join(' ')).text;
        expect(maskSecrets(once)).toEqual({ text: once, found: {} });
      }),
    );
  });

  verifies(['MASK.linear'], 'takes no more than linear time on texts that begin like secrets without end', () => {
    const beginnings = [
      'eyJ',
      'sk-',
      'a://',
      'password=',
      'bearer ',
      privateKey('', '').split('\n')[0] ?? '',
      'password=      ',
      'x:y@',
      '-----',
      'eyJaaaaaaaa.',
    ];
    // A quadratic pattern needs minutes for these; the test's own time limit ends it.
    for (const beginning of beginnings) expect(maskSecrets(beginning.repeat(40_000)).text).not.toBe('');
  });
});
