/**
 * Throws where the work was aborted.
 *
 * @throws AbortError where the signal is aborted, for any reason: callers recognize an abort by this name.
 */
export function throwIfAborted(signal: AbortSignal, what: string): void {
  if (signal.aborted) throw new DOMException(`${what} was aborted.`, 'AbortError');
}
