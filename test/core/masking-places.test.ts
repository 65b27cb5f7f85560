import { expect } from 'vitest';
import { maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import { verifies } from '../verifies.ts';

/** Joined at run time, so that no scanner finds a secret in this file. */
const secret = ['Tr0ub4', 'dor3x'].join('');
const random = ['jpsQnnGQmL-YBIffH1136csp', 'YG6-0iY7X1fCE9-E9LI'].join('');
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

verifies(['SECRET.recall'], 'a name that overlaps another name of a secret hides none', () => {
  for (const name of ['storePassword', 'keyPassword', 'keyPass', 'keypass', 'KEYPASSWORD', 'storepassword'])
    for (const form of [`${name}=${secret}`, `${name}: "${secret}"`, `x\n  ${name} = '${secret}'\ny`])
      expect(maskSecrets(form).text, form).not.toContain(secret);
  expect(maskSecrets(`keytool -storepass ${secret} -keypass ${secret} -list`).found).toEqual({ password: 2 });
});

verifies(['SECRET.recall'], 'a secret is masked as a default, in a nested text, and where a program takes it', () => {
  const nested = JSON.stringify({ log: JSON.stringify({ body: JSON.stringify({ password: secret }) }) });
  const forms = [
    nested,
    `const password = process.env.DB_PASSWORD || "${secret}"`,
    `password: process.env.DB_PASSWORD ?? '${secret}',`,
    `os.environ.get("DB_PASSWORD") or "${secret}"`,
    `password: \${DB_PASSWORD:${secret}}`,
    `password = """${secret}"""`,
    `password = '''${secret}'''`,
    `#define WIFI_PASSWORD "${secret}"`,
    `//files/share /mnt cifs username=sam,password=${secret},uid=1000 0 0`,
    `gh secret set NAME --body ${secret}`,
    `gh secret set NAME --repo a/b --body="${secret}"`,
    `ssh-keygen -t ed25519 -N '${secret}' -f id`,
    `az login --service-principal -u app -p ${secret} --tenant t`,
    `ConvertTo-SecureString "${secret}" -AsPlainText -Force`,
    `await page.fill("#password", "${secret}")`,
    `page.getByLabel('Password').fill('${secret}')`,
    `cy.get('input[name=password]').type('${secret}')`,
    `driver.find_element(By.ID, "password").send_keys("${secret}")`,
  ];
  for (const form of forms) {
    const { text, found } = maskSecrets(form);
    expect(text, form).not.toContain(secret);
    expect(found, form).toEqual({ password: 1 });
    expect(maskSecrets(text).text).toBe(text);
  }
});

verifies(['SECRET.recall'], 'an argument is masked after any space, and on the next line of its command alone', () => {
  for (const space of ['', ' ', '\t', ' '.repeat(30), '\\\n', ' \\\n  ', ' \\\r\n\t'])
    for (const quote of ['', "'", '"']) {
      const form = `sshpass ${space}-p${space}${quote}${secret}${quote} ssh host`;
      expect(maskSecrets(form)).toEqual({
        text: form.replace(secret, '[masked:password]'),
        found: { password: 1 },
      });
    }
  const others = [`sshpass -p\n${secret} ssh host`, `sshpass -p \\\n\n${secret} ssh host`];
  for (const form of [...others, 'sshpass -p x7 ssh host', 'sshpass -p --help'])
    expect(maskSecrets(form).text).toBe(form);
  expect(maskSecrets('sshpass -p x7Q ssh host').text).toBe('sshpass -p [masked:password] ssh host');
});

verifies(['MASK.kinds', 'SECRET.recall'], 'the words of a wallet and the key of a JSON Web Key are masked', () => {
  for (const form of [`MNEMONIC="${phrase}"`, `Seed phrase: ${phrase}`, `the recovery phrase is "${phrase}".`])
    expect(maskSecrets(form).text, form).not.toContain('winner');
  const x = 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU';
  const key = JSON.stringify({ kty: 'EC', crv: 'P-256', x, d: random });
  for (const form of [key, JSON.stringify({ key })]) {
    expect(maskSecrets(form).text).not.toContain(random);
    expect(maskSecrets(form).text).toContain(x);
  }
});

verifies(['MASK.ordinary', 'SECRET.ordinary'], 'what only looks like one of these stays', () => {
  const ordinary = [
    'image: x\npassword: $' + '{DB_PASSWORD:?DB_PASSWORD must be set}',
    'const label = token || "none";',
    'const t = options.token || "";',
    'if (!password || "string" === typeof password) {',
    'await page.fill("#password", password)',
    "page.getByLabel('Password').fill(user.password)",
    "page.getByLabel('Password').click()",
    '#define PASSWORD_LENGTH 64',
    'gh secret set NAME --body "$VALUE"',
    'ssh-keygen -t ed25519 -N "" -f key',
    'az login --use-device-code',
    'connect(user=user1, password=pw2)',
    'storePassed=12, keyPassRate=0.8, monkeypass = 12',
    'The seed phrase should be twelve words long and never be stored on any disk or cloud.',
    `{"d":"${'a1b2c3d4'.repeat(8)}"}`,
    'password = """\n',
  ];
  for (const text of ordinary) expect(maskSecrets(text).text).toBe(text);
});
