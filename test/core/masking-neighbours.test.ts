import { describe, expect } from 'vitest';
import { maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import { verifies } from '../verifies.ts';

/** Joined at run time, so that no scanner finds a token in this file. */
const tokens = [
  ['gh', 'p_', 'abcdefghijklmnopqrstuvwxyz0123456789'],
  ['gh', 's_', 'aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs6GtE4uXy'],
  ['github', '_pat_', '11ABCDEFG0aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs6GtE4u'],
  ['sk', '_live_', '51H8abcdefghijkLMNOP'],
  ['sk', '-proj-', 'abcdEFGH1234ijklMNOP5678'],
  ['sk', '-ant-', 'api03-Kq9mTx7Lp2RvB5nWc8YdF1hJs6GtE4u'],
  ['np', 'm_', 'aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs6GtE4uXy'],
  ['gl', 'pat-', 'Kq9mTx7Lp2RvB5nWc8Yd'],
  ['xo', 'xb-', '730194826573-Kq9mTx7Lp2RvB5nWc8YdF1hJ'],
].map((parts) => parts.join(''));

const names = [
  'PASSWORD=',
  'DB1_PASSWORD=',
  'MYSQL_PWD=',
  'S3_ACCESS_KEY=',
  'db1Password: ',
  'db1Password = ',
  '"db1Password": ',
  'Passwort2: ',
  'oauth2Secret => ',
  'token9\t=\t',
  'passwd2 | ',
  '--password2 ',
  'Password1 is ',
];
const breaks = ['\n', '\r\n', '\\n', '\n> ', '\n    ', '\n| '];

describe('what is next to a masked token', () => {
  verifies(['SECRET.next'], 'keeps its name and is masked, however the two lines are joined', () => {
    for (const token of tokens)
      for (const joint of breaks)
        for (const name of names) {
          const secret = 'Hunter2xx9';
          const text = `GITHUB_TOKEN=${token}${joint}${name}${secret}`;
          const { text: masked } = maskSecrets(text);
          expect(masked, text).not.toContain(secret);
          expect(masked, text).not.toContain(token.slice(-12));
          expect(masked, text).toContain(joint + name);
        }
  });

  verifies(['SECRET.next', 'MASK.ordinary'], 'is left where it is an ordinary line', () => {
    const lines = ['PORT2=5432', 'NODE1: up', 'npm run build', 'Node18 | ok', '3f78685 Fix it', 'DB1_HOST='];
    for (const token of tokens)
      for (const line of lines) expect(maskSecrets(`TOKEN=${token}\n${line}\n`).text).toContain(`]\n${line}\n`);
  });
});
