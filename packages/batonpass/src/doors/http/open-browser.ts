import { spawn } from 'node:child_process';

/**
 * Shows an address in the user's browser, where there is one: `BROWSER` names it, else the system's own is asked, on
 * Linux only with a display. The address is good once, so that whoever reads the list of processes comes too late.
 *
 * @returns whether something was started; whether it shows a page nobody can tell.
 */
export async function openBrowser(address: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const command = findBrowser(environment, process.platform);
  if (command === null) return false;
  const [file, ...words] = command;
  const child = spawn(file, [...words, address], { detached: true, stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function findBrowser(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): [string, ...string[]] | null {
  if (environment.BROWSER) return [environment.BROWSER];
  if (platform === 'darwin') return ['open'];
  // Not `cmd /c start`, which would read signs of the address as its own.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
