/**
 * What the host holds a matcher against, for the events where one that leaves a value out costs a handoff. A session that
 * forks off another brings its context along, so that `fork` may be left out.
 */
const matchedValues: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['startup', 'resume', 'clear', 'compact'],
  PreCompact: ['manual', 'auto'],
};

/**
 * The occasions of an event at which no hook runs, because no matcher fits them.
 *
 * @param matchers - of all hooks of the event; undefined is a hook without one.
 */
export function findMissed(event: string, matchers: readonly (string | undefined)[]): string[] {
  return (matchedValues[event] ?? []).filter((value) => !matchers.some((matcher) => fits(matcher, value)));
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
