/** Nothing is shown for what ends sooner: a line that flashes by says nothing. */
const quiet_ms = 1_000;

/**
 * Runs a task and, where it takes over a second on a terminal, shows that it goes on and for how long:
 * `Waiting for a handoff … 2 s (Ctrl-C stops)`. The line is wiped when the task ends, whatever way.
 */
export async function withProgress<T>(label: string, stream: NodeJS.WriteStream, task: () => Promise<T>): Promise<T> {
  if (!stream.isTTY) return task();
  const start_ms = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start_ms) / 1_000);
    stream.write(`\r\u001b[2K${label} … ${seconds} s (Ctrl-C stops)`);
  }, quiet_ms);
  try {
    return await task();
  } finally {
    clearInterval(timer);
    if (performance.now() - start_ms >= quiet_ms) stream.write('\r\u001b[2K');
  }
}
