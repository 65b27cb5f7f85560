import { describe, expect } from 'vitest';
import { maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import { verifies } from '../verifies.ts';

/** Joined at run time, so that no scanner finds a key in this file. */
const mark = (edge: string, kind: string, dashes = '-----') => `${dashes}${edge} ${kind}PRIVATE ${'KEY'}${dashes}`;
const lines = [
  'MIIEowIBAAKCAQEA0Z3VS5JJcds3xfnygWyF8PbnGy0AHB7MaR8w1wXm3Tgqk1o1',
  'abcdZ3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MaR8w1wXm3Tgqk1oA+/ab0Z3VS5JJ',
  'Kq9mTx7Lp2Rv==',
];

/** How each line of a key is written by people and programs. */
const frames: readonly ((line: string, index: number) => string)[] = [
  (line) => line,
  (line) => `> ${line}`,
  (line) => `> > ${line}`,
  (line) => `| ${line}`,
  (line) => `│ ${line}`,
  (line) => `+${line}`,
  (line) => `# ${line}`,
  (line) => ` * ${line}`,
  (line) => `    ${line}`,
  (line, index) => `${String(index + 1).padStart(6)}→${line}`,
  (line, index) => `${index + 1}\t${line}`,
  (line, index) => `L${index + 1}: ${line}`,
  (line, index) => `[${index}] ${line}`,
  (line, index) => `id_rsa:${index + 1}:${line}`,
  (line, index) => `web_1  | 2026-01-01T00:00:0${index}Z ${line}`,
  (line) => `"${line}\\n" +`,
  (line) => `  '${line}',`,
  (line) => `log.Println("${line}")`,
  (line) => `echo "${line}" >> key.pem`,
  (line) => `<p>${line}</p>`,
];

const parts = lines.map((line) => line.slice(0, 12));

describe('private keys', () => {
  verifies(['MASK.kinds', 'SECRET.recall'], 'leave no line, whatever is before and after each of them', () => {
    for (const frame of frames)
      for (const joint of ['\n', '\r\n', '\\n']) {
        const key = [mark('BEGIN', 'RSA '), ...lines, mark('END', 'RSA ')].map(frame).join(joint);
        const { text, found } = maskSecrets(`Before.\n${key}${joint}After it we go on.`);
        for (const part of [...parts, 'END RSA']) expect(text, key).not.toContain(part);
        expect(text).toMatch(/^Before\.\n.*After it we go on\.$/s);
        expect(found).toEqual({ 'private-key': 1 });
        expect(maskSecrets(text)).toEqual({ text, found: {} });
        const cutOff = [mark('BEGIN', 'RSA '), ...lines].map(frame).join(joint);
        for (const part of parts) expect(maskSecrets(cutOff).text, cutOff).not.toContain(part);
      }
  });

  verifies(['MASK.kinds', 'SECRET.recall'], 'are masked with free text in their headers, and in other forms', () => {
    const headers = ['Version: GnuPG v2.0.22 (GNU/Linux)', 'Comment: https://example.org/x?y', ''];
    for (const frame of frames.slice(0, 3)) {
      const kind = ['PGP ', ' BLOCK'];
      const block = [
        `BEGIN ${kind[0]}PRIVATE KEY${kind[1]}`,
        ...headers,
        ...lines,
        `END ${kind[0]}PRIVATE KEY${kind[1]}`,
      ];
      const key = block.map((line, index) =>
        frame(index % (block.length - 1) === 0 ? `-----${line}-----` : line, index),
      );
      const { text } = maskSecrets(`${key.join('\n')}\nImport it in CI.`);
      expect(text).toMatch(/^[> ]*\[masked:private-key\]\nImport it in CI\.$/);
    }
    const encoded = (kind: string) => Buffer.from(`${mark('BEGIN', kind)}\n${lines.join('\n')}`).toString('base64');
    const forms = [
      ...['', 'RSA ', 'OPENSSH ', 'ENCRYPTED '].map((kind) => `client-key-data: ${encoded(kind)}`),
      encoded('EC ').replaceAll(/.{76}/g, '$&\n'),
      `KEY='${mark('BEGIN', 'RSA ')}' '${lines[0]}' '${lines[1]}'`,
      `["${mark('BEGIN', '')}", "${lines[0]}", "${lines[1]}"]`,
      `${mark('BEGIN', 'SSH2 ENCRYPTED ', '---- ')}\nComment: "rsa-key (2020)"\n${lines[0]}`.replaceAll(
        '----  ',
        '---- ',
      ),
      `Private-Lines: 3\n${lines.join('\n')}`,
    ];
    for (const form of forms) {
      const { text } = maskSecrets(form);
      expect(text, form).toContain('[masked:private-key]');
      for (const part of [...parts, encoded('RSA ').slice(-30)]) expect(text, form).not.toContain(part);
    }
  });

  verifies(['MASK.ordinary', 'SECRET.ordinary'], 'are not what only names their first line, nor certificates', () => {
    const begin = mark('BEGIN', '');
    const masked = '[masked:private-key]';
    const after = [
      "'\n\nexport function name(a: string) {}",
      "')) {\n  return parse(text)\n}",
      '",\n  more,\n];',
      '` begins a key. We parse it.',
    ];
    for (const rest of after) expect(maskSecrets(`x ${begin}${rest}`).text).toBe(`x ${masked}${rest}`);
    const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIDazCCAlOgAwIBAgIUEqwe').toString('base64');
    expect(maskSecrets(`tls.crt: ${certificate}`).found).toEqual({});
  });

  verifies(['MASK.linear'], 'take linear time, however often they begin', () => {
    const begin = mark('BEGIN', '');
    const texts = [
      `${begin}→`.repeat(20_000),
      `${begin}${'x'.repeat(480)}→`.repeat(4_000),
      `${'x'.repeat(90)}${begin}\n> `.repeat(10_000),
      `${begin}\n> ${`${lines[0]}\n> `.repeat(20_000)}`,
      `${begin}${`"${lines[0]}" `.repeat(8_000)}`,
      'Private-Lines: 12\n'.repeat(15_000),
    ];
    // What grows with the square of the length needs minutes for these; the test's own time limit ends it.
    for (const text of texts) expect(maskSecrets(text).text).not.toBe('');
  });
});
