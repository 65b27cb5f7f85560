import { expect } from 'vitest';
import { HandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { explainDiskError } from '../../packages/batonpass/src/disk/disk-error.ts';
import { verifies } from '../verifies.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: as the system says it`), { code });

verifies(['DISK.errors'], 'a full, read-only or failing disk is unavailable, with path, reason and remedy', () => {
  for (const code of [
    'ENOSPC',
    'EDQUOT',
    'EROFS',
    'EACCES',
    'EPERM',
    'EIO',
    'EFBIG',
    'EBUSY',
    'EMFILE',
    'ENFILE',
    'ESTALE',
  ]) {
    const cause = systemError(code);
    const error = explainDiskError(cause, 'notes/a.md', 'written') as HandoffError;
    expect(error).toMatchObject({ code: 'unavailable', cause, details: { path: 'notes/a.md', reason: code } });
    expect(error.message).toMatch(new RegExp(`^notes/a\\.md could not be written: .+ \\(${code}\\)\\.$`));
    expect(error.alternatives.length).toBeGreaterThan(0);
  }
});

verifies(
  ['DISK.errors'],
  'a wrong path is no failure of the disk, and what is no error of the system stays as it is',
  () => {
    const codes = {
      ENOENT: 'file_not_found',
      ENOTDIR: 'file_not_found',
      EISDIR: 'invalid_input',
      ELOOP: 'invalid_input',
      ENAMETOOLONG: 'invalid_input',
      EEXIST: 'conflict',
    };
    for (const [code, expected] of Object.entries(codes)) {
      expect(explainDiskError(systemError(code), 'a', 'read')).toMatchObject({ code: expected });
    }
    const defect = new TypeError('x is undefined');
    const handoffError = new HandoffError('conflict', 'x');
    for (const error of [defect, handoffError, 'text', systemError('EWHATEVER')])
      expect(explainDiskError(error, 'a', 'read')).toBe(error);
  },
);
