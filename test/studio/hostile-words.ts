/** Words that would do something where they are no text: markup, addresses, what turns or hides letters. */
export const hostileWords = [
  '<script>alert(1)</script>',
  '<img src="https://example.org/x.png" onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '[x](javascript:alert(1)) ![y](https://example.org/y.png)',
  'right \u202E to left',
  'zero\u200Bwidth',
  'escape \u001B[31m red',
  '\u{E0041}\u{E0042} tags',
  '__proto__',
  'x'.repeat(150),
] as const;

/** What no page may contain unchanged. */
export const hiddenCharacters = ['\u202E', '\u200B', '\u001B', '\u{E0041}'] as const;
