/** The required versions, for messages; the package's `engines` and the command's own check have the same. */
export const neededNode = 'Node 22.22.3 or newer of its line, or 24.15 or newer';

/** Whether Baton runs on a version of Node, as `24.15.0`: the first of each line whose SQLite keeps what two processes write. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major === 24 ? minor >= 15 : major > 24;
}
