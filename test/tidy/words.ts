import type { SourceTexts } from './source-files.ts';

/** What a text must not contain, and why. */
interface Ban {
  pattern: RegExp;
  reason: string;
}

const markers: readonly Ban[] = [
  { pattern: /\b(?:TODO|FIXME)\b/, reason: 'a leftover marker' },
  {
    pattern: /\b(?:it|test|describe|verifies)\.(?:only|skip|todo|fails)\b/,
    reason: 'a test that is switched off or alone',
  },
  { pattern: /\bdebugger\b;/, reason: 'a stop for a debugger' },
];

const machinePaths: readonly Ban[] = [
  { pattern: /(?<![\w.~-])\/(?:Users|home|root|work|private\/var)\/\w/, reason: 'a path of one machine' },
  { pattern: /\b[A-Za-z]:\\+Users\\/, reason: 'a path of one machine' },
];

/** Lines that hold a leftover marker. */
export function findMarkers(texts: SourceTexts): string[] {
  return findBanned(texts, markers);
}

/** Lines that hold a path which exists on one machine alone. */
export function findMachinePaths(texts: SourceTexts): string[] {
  return findBanned(texts, machinePaths);
}

function findBanned(texts: SourceTexts, bans: readonly Ban[]): string[] {
  return Object.entries(texts).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const ban = bans.find(({ pattern }) => pattern.test(line));
      return ban === undefined ? [] : [`${path}:${index + 1}: ${ban.reason}: ${line.trim().slice(0, 80)}`];
    }),
  );
}
