import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import { connectToCommand } from '../doors/mcp-client.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, toolResult, toolUse, userRow } from './rows.ts';
import { added, developed, type SpokenSecret, sealed, settings } from './spoken-secrets.ts';

const planted = [...developed, ...sealed, ...added, ...settings];

let stage: Stage;

afterEach(() => stage?.close());

/** Every secret of which something is left in a text. */
function findLeft(text: string, secrets: readonly SpokenSecret[] = planted): string[] {
  return secrets.flatMap((each) => each.secrets.filter((secret) => text.includes(secret))).sort();
}

/** A session in which each secret is said, run and answered. */
function writeTranscript(path: string): void {
  const rows = planted.flatMap(({ text }, index) => [
    userRow(`We will use this from now on. ${text}`, { uuid: `said-${index}` }),
    assistantRow([toolUse(`call-${index}`, 'Bash', { command: `echo begin\n${text}` })]),
    userRow(toolResult(`call-${index}`, text, true)),
    assistantRow(`Done. Next I will check this: ${text}`),
  ]);
  writeFileSync(path, rows.join('\n'));
}

/** All bytes below some folders, as text. */
function readAll(...folders: string[]): string {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

const spoken = planted.map(({ text }) => text);

/** A content with the secrets in each kind of text. */
const content = {
  summary: spoken.join('\n\n'),
  body: spoken.join('\n\n'),
  decisions: spoken.map((text) => ({ content: text })),
  risks: spoken.map((text) => ({ description: text })),
  next_steps: spoken,
  open_questions: spoken,
  tried: spoken.map((text) => ({ what: text, outcome: text })),
  payload: { notes: spoken },
};

describe('spoken secrets', () => {
  verifies(['SECRET.spoken'], 'of 35 kinds leave nothing of themselves, and masking them again changes nothing', () => {
    expect(planted.length).toBeGreaterThanOrEqual(80);
    expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(35);
    for (const each of planted) {
      const { text } = maskSecrets(each.text);
      expect(findLeft(text, [each]), each.text).toEqual([]);
      expect(maskSecrets(text)).toEqual({ text, found: {} });
    }
  });

  verifies(['SECRET.spoken'], 'are seen between sentences that hold words and signs of programs', () => {
    const before = [
      'We will use this from now on. ',
      'If it fails, try this new one: ',
      'I return soon (call me); ',
      'Run open() first. ',
    ];
    const marks = ['- ', '> ', '* ', '# ', 'export ', '"'];
    const after = [
      '\n',
      ',',
      ')',
      ' and then restart',
      ' (for now)',
      '. Then run open() and return it.',
      '\n\nif (x) {',
    ];
    const texts = ({ text, where }: SpokenSecret) => [
      ...[...before, ...marks].map((prefix) => prefix + text),
      // The rest of a broken value is alone on its line; a full stop is there once.
      ...(where === 'broken' ? [] : after.map((suffix) => text.replace(/[.\n]+$/, '') + suffix)),
    ];
    // A line of a file of passwords has no sentence next to it.
    for (const each of planted.filter(({ kind }) => kind !== 'pgpass'))
      for (const text of texts(each)) expect(findLeft(maskSecrets(text).text, [each]), text).toEqual([]);
    expect(maskSecrets('We use this: db.example.org:5432:shop:app:pgW0rd').text).not.toContain('pgW0rd');
  });

  verifies(['SECRET.spoken'], 'reach neither database, log nor text by an import, nor by a hook', async () => {
    stage = openStage({ git: true });
    const { folder } = stage;
    const transcript = join(folder, 'session.jsonl');
    writeTranscript(transcript);
    const imported = await stage.baton(['import', transcript, '--json']);
    expect(imported.code).toBe(0);
    const { handoff } = JSON.parse(imported.stdout) as { handoff: { id: string } };
    const shown = await stage.baton(['show', handoff.id]);
    const rendered = await stage.baton(['render', handoff.id]);
    const event = { session_id: 'session-2', transcript_path: transcript, cwd: folder, hook_event_name: 'SessionEnd' };
    const input = JSON.stringify({ ...event, reason: 'other', last_assistant_message: spoken.join('\n\n') });
    const ended = await stage.baton(['hook', 'SessionEnd'], { input });
    const worked = await stage.baton(['hook', 'work']);
    const listed = await stage.baton(['list', '--all', '--json']);
    const texts = [imported, shown, rendered, ended, worked, listed].map((run) => run.stdout + run.stderr).join('\n');
    expect(texts).toContain('[masked:');
    expect(findLeft(texts)).toEqual([]);
    expect(findLeft(readAll(join(folder, '.git/baton')))).toEqual([]);
  });

  verifies(['SECRET.spoken'], 'reach neither database, answer nor error by the command line, nor by MCP', async () => {
    stage = openStage({ git: true });
    const created = await stage.baton(['create', '-', '--json'], { input: JSON.stringify(content) });
    const refused = await stage.baton(['create', '-', '--json'], {
      input: JSON.stringify({ ...content, kind: 'no kind', risks: [{ description: spoken[0], severity: spoken[1] }] }),
    });
    expect([created.code, refused.code === 0], created.stderr).toEqual([0, false]);
    const mcp = await connectToCommand(stage, '2025-11-25');
    try {
      const made = await mcp.call('handoff_create', { content: { ...content, title: spoken[0] } });
      const read = await mcp.call('handoff_create', { content: { ...content, kind: spoken[1] } });
      const title = `${spoken[1]} ${'x'.repeat(300)}`;
      const wrong = await mcp.call('handoff_create', { content: { ...content, title } });
      const claimed = await mcp.call('handoff_claim', {});
      expect([made.isError ?? false, wrong.isError, claimed.isError ?? false]).toEqual([false, true, false]);
      expect(findLeft(JSON.stringify([made, read, wrong, claimed]))).toEqual([]);
    } finally {
      await mcp.close();
    }
    expect(findLeft([created, refused].map((run) => run.stdout + run.stderr).join('\n'))).toEqual([]);
    expect(findLeft(readAll(join(stage.folder, '.git/baton')))).toEqual([]);
  });

  verifies(['SECRET.spoken'], 'are masked alone where invisible or wide characters are around them', () => {
    const text = 'ｗｉｄｅ ✔\uFE0F and so\u00ADft, pass\u00ADword: Chicoree1122, then \u200Bmore.';
    const { text: masked } = maskSecrets(text);
    expect(masked).toBe(text.replace('Chicoree1122', '[masked:password]'));
  });

  verifies(['SECRET.ordinary'], 'are no ordinary sentence about a password, in any language', () => {
    const texts = [
      'A second pass for linting: eslint9 is slow. The password for users: required.',
      'Password reset for admins: see docs/reset2.md',
      'La parola chiave è obbligatoria. A senha do usuário: obrigatória. O campo senha é inválido.',
      'Het wachtwoord is ongeldig. Hasło jest za krótkie. Пароль должен быть длинным. Пароль от базы неверный.',
      'パスワードは必須です。パスワードを変更する場合は config2.ts を見る。비밀번호는 필수입니다. 암호화: aes256gcm',
      'const senha = form.senha; wachtwoord: string; hasło: z.string().min(8)',
      'The password is "required". The passphrase is "config.load(path, key)". The password was "a 1".',
      '\uFEFF✔\uFE0F Soft\u00ADhyphens and ｗｉｄｅ１２３ letters are text.',
    ];
    for (const text of texts) expect(maskSecrets(text)).toEqual({ text, found: {} });
  });

  verifies(['SECRET.ordinary'], 'are no setting of anything else, in any of its forms', () => {
    const texts = [
      'compass: north2; bypass=cache2x; BYPASS=cache2x; firstpass: x2y1z; lowpass=12hz; surpass: a1b2c',
      'CACHE_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0\nPUBLIC_KEY=abcdef1234567890abcdef\nREDIS_KEY=user2x',
      'The GRID_KEY is row12col7. Grid: GRID_key = k9f8e7d6c5b4; GRID_Key: k9f8e7d6c5b4',
      'http://localhost:5173/@fs/home/x2 https://host:8080/users/@me https://unpkg.com:443/x@1.2.3/y2',
      'postgres://localhost:5432/db?user=a@b.example amqp://localhost:5672/%2f and mail@x.org',
      'Set the ENV DB_PASSWORD before starting; the ENV DB_PASSWORD is missing.',
      '{"name":"password","type":"string","value":"string"} {"name":"password","required":true}',
      '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-secret2\n      key: password2',
      'env:\n  - name: DB_PASSWORD\n    value: $(DB_PASS1)\n{ key: "token", value: session.token2 }',
      'password: |\n  The password of the account, see the docs.',
      'new X { Password=password, Name=name1 };\nPassword=user.password1;\npassword=userPass1;\nif (Password==x1y2) {',
      'config.set("token", value2)\ngit config set core.editor vim2\nsetx PATH C2x',
      'sk-learn-model-2026-11-26-experiment-final sk-cube-grid1',
      '//registry.npmjs.org/:_authToken=$NPM_TOKEN\nTOKEN=$(uuidgen)\nSESSION_TOKEN=7c0b8a52-4f1e-4d0b-9a53-2f6f7a8e1c94',
    ];
    for (const text of texts) expect(maskSecrets(text)).toEqual({ text, found: {} });
  });

  verifies(['SECRET.code'], 'are no file that is named after the word', () => {
    const text = 'It models credential audits and artifacts (`specs/001-tables/data-model.md:3`).';
    expect(maskSecrets(text).text).toBe(text);
  });

  verifies(['SECRET.code'], 'are seen in at most three of 1,000 ordinary lines of code', () => {
    const root = join(import.meta.dirname, '../..');
    const folders = [
      ['packages/batonpass/src', 60],
      ['packages/studio/src', 30],
      ['node_modules/hono/dist', 60],
      ['node_modules/pg/lib', 30],
      ['node_modules/commander', 10],
      ['node_modules/graphile-worker/sql', 20],
      ['node_modules/playwright-core/bin', 10],
      ['docs', 30],
    ] as const;
    const files = folders.flatMap(([folder, most]) => {
      const all = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:[jt]sx?|mjs|css|sql|sh|md|json|ya?ml)$/.test(entry.name))
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort();
      return all.filter((_, index) => index % Math.max(1, Math.floor(all.length / most)) === 0);
    });
    const lines = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== ''),
    );
    const masked = lines.filter((line) => maskSecrets(line).text !== line);
    expect(lines.length).toBeGreaterThan(10_000);
    expect((masked.length / lines.length) * 1_000, masked.join('\n')).toBeLessThanOrEqual(3);
  });

  verifies(
    ['MASK.linear'],
    'are looked for in lines of 200,000 characters in linear time',
    () => {
      const pieces = [
        'pass: ',
        'password is ',
        'curl -u a:',
        'sk-aB1\n',
        '密码',
        'a is the ',
        'what is the password? ',
        '"name":"password",',
        `name: password${' '.repeat(60)}`,
        `${'value: "'.repeat(20)}name: password `,
        'ENV PASSWORD ',
        'set -a -b -c PASSWORD ',
        'postgres://a:b/',
        'Password=a1b2c;',
        'password: |\n',
        'A_KEY=',
        'PASS',
        'sk-a-b-c-',
      ];
      const long = pieces.map((piece) => piece.repeat(Math.ceil(200_000 / piece.length)));
      // What grows with the square of the length needs minutes for these; the test's own time limit ends it.
      for (const text of long) expect(maskSecrets(text).text.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
