import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const wait_ms = 5_000;
const look_ms = 10;

/** The processes whose working folder is in a folder, each as its id and its command; none where there is no `/proc`. */
export function listProcessesIn(folder: string): string[] {
  return listProcesses().flatMap((id) => {
    try {
      const isHere = `${readlinkSync(`/proc/${id}/cwd`)}/`.startsWith(`${folder}/`);
      return isHere ? [`${id} ${readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')}`] : [];
    } catch {
      // It has ended meanwhile, or is another user's.
      return [];
    }
  });
}

/**
 * Waits until no process works in a folder that is to be removed. A hook's worker outlives the hook, and what it writes
 * after the removal would create the folder again.
 */
export function waitForProcessesIn(folder: string): void {
  for (let waited_ms = 0; waited_ms < wait_ms && listProcessesIn(folder).length > 0; waited_ms += look_ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, look_ms);
  }
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
