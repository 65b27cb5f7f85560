import type { Launcher } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';

/** How hosts start Baton where it is installed nowhere. */
export const npxLauncher: Launcher = {
  kind: 'npx',
  hook: ['npx', '-y', 'batonpass'],
  server: ['npx', '-y', 'batonpass'],
  reason: 'A test.',
};
