import { expect } from 'vitest';
import { formatJson } from '../../packages/batonpass/src/doors/cli/run-command.ts';
import { verifies } from '../verifies.ts';

verifies(['DOORS.hidden', 'CLI.json'], 'JSON on a terminal holds no control character, in values nor in names', () => {
  const json = formatJson({ 'k\u009B': 'a\u001B[31mb\u0007\u007F\u0085\u009B31m\ttab\nline' });
  expect(json).toMatch(/^[ -~\n]+$/);
  expect(JSON.parse(json)).toEqual({ 'k\\u{9B}': 'a\\u{1B}[31mb\\u{7}\\u{7F}\\u{85}\\u{9B}31m\ttab\nline' });
});
