import type { Launcher } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';

/** How hosts start what a project has installed. */
export const npxLauncher: Launcher = {
  kind: 'project',
  hook: ['npx', '--no', '--', 'batonpass'],
  server: ['npx', '--no', '--', 'batonpass'],
  reason: 'A test.',
};
