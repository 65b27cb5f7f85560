/**
 * Ends what was called off.
 *
 * @throws AbortError where the signal is aborted, whatever the reason it was given: callers tell an abort by this name.
 */
export function throwIfAborted(signal: AbortSignal, what: string): void {
  if (signal.aborted) throw new DOMException(`${what} was aborted.`, 'AbortError');
}
