import { HandoffError } from '../../core/errors.ts';

/** File systems (by `statfs` type) on which SQLite's locks or shared memory do not work between machines. */
const networkFileSystems: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
};

/** @throws HandoffError `unavailable` for a network file system. */
export function assertLocal(path: string, file_system_type: number): void {
  // On some platforms the type comes as a signed number.
  const name = networkFileSystems[file_system_type >>> 0];
  if (name === undefined) return;
  throw new HandoffError('unavailable', `The store ${path} lies on a network file system (${name}).`, {
    details: { path, file_system: name },
    alternatives: [
      'Keep it on a local disk: BATON_STORE=sqlite:/a/local/folder/baton.db',
      'Share handoffs between machines through one Baton server instead of one file.',
    ],
  });
}
