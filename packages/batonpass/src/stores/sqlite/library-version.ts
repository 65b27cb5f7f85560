import { HandoffError } from '../../core/errors.ts';

/**
 * SQLite 3.7.0 to 3.51.2 can lose commits or corrupt a database in WAL mode with two connections (fixed in 3.51.3 and
 * the backports 3.44.6 and 3.50.7).
 *
 * @throws HandoffError `unsupported_version`.
 */
export function assertSqliteVersion(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const isBackport = (minor === 44 && patch >= 6) || (minor === 50 && patch >= 7);
  const isFixed = major > 3 || minor > 51 || (minor === 51 && patch >= 3) || isBackport;
  if (isFixed) return;
  throw new HandoffError(
    'unsupported_version',
    `SQLite ${version} can lose data when two processes write. Baton does not open a database with it.`,
    {
      details: { sqlite_version: version, node_version: process.versions.node },
      alternatives: [
        'Use Node 22.22.3, 24.15 or newer; their SQLite is 3.51.3 or newer: node -p process.versions.sqlite',
        'Keep handoffs for this process only: BATON_STORE=memory:',
      ],
    },
  );
}
