import { visible } from './present/view.ts';

/** Nothing is shown for what ends sooner: a line that flashes by says nothing. */
const quiet_ms = 1_000;

/** Empties the line that the cursor is in. */
const WIPE = '\r\u001b[2K';

/**
 * Runs a task and, where it takes over a second on a terminal, shows that it goes on, for how long, and how far it has
 * come: `Copying handoffs … 1,200 of 5,000 · 2 s (Ctrl-C stops)`. The line is wiped when the task ends, whatever way.
 *
 * @param task - is given a function that takes how far it has come; what is to stay gets a line of its own, wherever
 * the stream leads.
 */
export async function withProgress<T>(
  label: string,
  stream: NodeJS.WriteStream,
  task: (tell: (text: string, stays?: true) => void) => Promise<T>,
): Promise<T> {
  let told = '';
  const tell = (text: string, stays?: true) => {
    told = `${text} · `;
    if (stays) stream.write(`${stream.isTTY ? WIPE : ''}${visible(text)}\n`);
  };
  if (!stream.isTTY) return task(tell);
  const start_ms = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start_ms) / 1_000);
    stream.write(`${WIPE}${label} … ${told}${seconds} s (Ctrl-C stops)`);
  }, quiet_ms);
  try {
    return await task(tell);
  } finally {
    clearInterval(timer);
    if (performance.now() - start_ms >= quiet_ms) stream.write(WIPE);
  }
}
