import fc from 'fast-check';
import { expect } from 'vitest';
import { neutralizeLine, splitLines } from '../../packages/batonpass/src/formats/neutralize.ts';
import { verifies } from '../verifies.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { hostileTexts } from './hostile-texts.ts';

verifies(['RENDER.hostile', 'RENDER.one-line'], 'a hostile text becomes one harmless, readable line', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(50);
  for (const text of hostileTexts) {
    const line = neutralizeLine(text);
    expect(line).toContain('canary');
    expect(line).not.toMatch(hiddenCharacters);
    expect(line).not.toContain('\n');
    expect(line).not.toMatch(/<[^\s\d=<>-]|[<＜]\s*[/!?|]|&(lt|#60|#x3c)/i);
    expect(line).not.toMatch(/```|~~~|!\[|\[\/?\s*(INST|system|TOOL_CALLS)\s*\]/i);
    expect(line).not.toMatch(/(^|⏎ )[\s>*_#-]*(human|assistant|system|user|developer)[*_]*\s*[:：]/i);
    expect(line).not.toMatch(/^(#|>|===|---)/);
  }
});

verifies(['RENDER.one-line'], 'line breaks of every kind are folded into one visible mark', () => {
  expect(neutralizeLine('a\r\n\r\nb\u2028c\u0085d\ve')).toBe('a ⏎ b ⏎ c ⏎ d ⏎ e');
  expect(splitLines('a\r\n\nb\rc')).toEqual(['a', '', 'b', 'c']);
});

verifies(['RENDER.hidden'], 'hidden characters are shown by their code, a long run by its length', () => {
  expect(neutralizeLine('\u001B[31mred')).toBe('\\u{1B}[31mred');
  expect(neutralizeLine('a\u202Eb\u200Bc')).toBe('a\\u{202E}b\\u{200B}c');
  const message = [...'do harm now'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)));
  expect(neutralizeLine(`fine${message.join('')}`)).toBe('fine\\u{E0064}…(11 hidden characters)');
  expect(neutralizeLine(`❤️${message.slice(0, 9).join('')}`)).toBe('❤️\\u{E0064}…(9 hidden characters)');
  const short = message.slice(0, 8);
  const codes = short.map((letter) => `\\u{${letter.codePointAt(0)?.toString(16).toUpperCase()}}`);
  expect(neutralizeLine(`❤️${short.join('')}`)).toBe(`❤️${codes.join('')}`);
  expect(neutralizeLine('😀\uFE01\uFE02')).toBe('😀\\u{FE01}\\u{FE02}');
  expect(neutralizeLine('bad\uD800half')).toBe('bad\uFFFDhalf');
});

const readable = [
  'Ship it 🚀, with 👩‍👩‍👧‍👦 and 👍🏽 and ❤️ and 1️⃣',
  'England 🏴󠁧󠁢󠁥󠁮󠁧󠁿, Germany 🇩🇪, pride 🏳️‍🌈, shrug 🤷🏾‍♀️',
  'שלום עולם: נשתמש ב־JWT (RS256)',
  'قررنا استخدام JWT، رقم ١٢٣',
  'می‌خواهیم از SQLite استفاده کنیم',
  '\u200Fמסמך README.md\u200F מעודכן',
  'क्‍ष और क्ष',
  '葛\u{E0100}城市、漢字かな交じり文。',
  'Ünïcödé, naïve, Ελληνικά, Русский, ไทย',
  'if a < b and c >= d then x <= 3, y << 2, f => g -> h',
  'the limit is <3 s, 5 > 4',
  'a list [x] of [ ] boxes, see [the page](https://example.org/a?b=c&d=e)',
  'user story: the system: must hold',
  'run `npm test` and ``two ticks``',
  'issue #12, C# and #hashtag',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  '2026-11-21T10:00:00Z — “quoted” – ‘dash’ …',
];

verifies(['RENDER.readable'], 'text that people write stays as it is', () => {
  for (const text of readable) expect(neutralizeLine(text)).toBe(text);
  expect(neutralizeLine('<i a => b -> c >= d>')).toBe('‹i a => b -> c >= d›');
  expect(neutralizeLine('<!-- a --> b>')).toBe('‹!-- a --› b>');
});

verifies(['RENDER.hostile'], 'neutralizing twice changes nothing more, and any text becomes one line', () => {
  const pieces = fc.constantFrom(...hostileTexts, ...readable, '<', '>', '\n', '#', '`', '~', '!', '[', '-', '=', ' ');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const line = neutralizeLine(given);
      expect(line).not.toMatch(/[\r\n]/);
      expect(line).not.toMatch(/<[\p{L}/!?|]/u);
      expect(neutralizeLine(line)).toBe(line);
    }),
    { numRuns: 500 },
  );
});
