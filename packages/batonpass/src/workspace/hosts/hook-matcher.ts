import { eventOf, type HostName } from '../../core/hosts.ts';

/**
 * The occasions of an event at which no hook runs, because no matcher fits them.
 *
 * @param matchers - of all hooks of the event; undefined is a hook without one.
 */
export function findMissed(host: HostName, event: string, matchers: readonly (string | undefined)[]): string[] {
  const { occasions = [] } = eventOf(host, event) ?? {};
  return occasions.filter((value) => !matchers.some((matcher) => fits(matcher, value)));
}

/** As the host reads a matcher: plain names are a list, anything else is an expression that may fit any part. */
function fits(matcher: string | undefined, value: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (/^[\w\-, |]+$/.test(matcher)) {
    return matcher
      .split(/[|,]/)
      .map((name) => name.trim())
      .includes(value);
  }
  try {
    return new RegExp(matcher).test(value);
  } catch {
    // The host cannot read it either, and runs nothing.
    return false;
  }
}
