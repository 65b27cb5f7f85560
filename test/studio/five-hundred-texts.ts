import { hostileTexts } from '../formats/hostile-texts.ts';

/**
 * Texts that would do something where they are no text, each with the word "canary": a fixed list, and families of which
 * every member is made of its parts, the same ones at each run. Made for this project after the known kinds of attack.
 */

const act = 'window.hit=alert(1)';
const away = 'https://canary.example/x';

const cross = (parts: readonly string[], others: readonly string[], join: (a: string, b: string) => string): string[] =>
  parts.flatMap((a) => others.map((b) => join(a, b)));

/** Elements that run something by an event of theirs. */
const events = cross(
  'img svg video audio body input select textarea button details marquee iframe object embed form a div math style p td label option summary title source'.split(
    ' ',
  ),
  ['onerror', 'onload', 'onfocus autofocus', 'onclick', 'ontoggle open', 'onanimationstart'],
  (tag, event) => `<${tag} src=x ${event}=${act}>canary</${tag}>`,
);

/** Elements that fetch or lead elsewhere. */
const fetches = [
  `<script src="${away}.js"></script>canary`,
  `<script>${act}</script>canary`,
  `<link rel=stylesheet href="${away}.css">canary`,
  `<base href="${away}">canary`,
  `<meta http-equiv=refresh content="0;url=${away}">canary`,
  `<iframe src="${away}">canary</iframe>`,
  `<iframe srcdoc="<script>${act}</script>">canary</iframe>`,
  `<object data="${away}">canary</object>`,
  `<embed src="${away}">canary`,
  `<form action="${away}"><button>canary</button></form>`,
  `<style>@import "${away}.css";*{display:none}</style>canary`,
  `<style>body{background:url(${away})}</style>canary`,
  `<video poster="${away}">canary</video>`,
  `<svg><use href="${away}#a"/><script>${act}</script>canary</svg>`,
  `<math><mtext><script>${act}</script>canary</mtext></math>`,
  `<template><img src=x onerror=${act}>canary</template>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>">canary`,
  `<svg><animate attributeName=href values=javascript:${act} />canary`,
  `<img srcset="${away} 1x">canary`,
  `<input type=image src="${away}">canary`,
  `<table background="${away}"><td>canary</table>`,
  `<a href="${away}" ping="${away}">canary</a>`,
  `<isindex action=javascript:${act}>canary`,
  `<!--[if gte IE 4]><script>${act}</script><![endif]-->canary`,
  `<?xml-stylesheet href="${away}.xsl"?>canary`,
];

/** Addresses of every scheme, in every spelling of a link. */
const links = cross(
  [
    `javascript:${act}`,
    `JaVaScRiPt:${act}`,
    `java\tscript:${act}`,
    `&#106;avascript:${act}`,
    `\u0001javascript:${act}`,
    `data:text/html,<script>${act}</script>`,
    `vbscript:msgbox(1)`,
    `file:///etc/passwd`,
    `blob:${away}`,
    `//canary.example/x`,
    away,
  ],
  [
    '[canary](@)',
    '![canary](@)',
    '<@> canary',
    '[canary]: @',
    '<a href="@">canary</a>',
    '<img src="@">canary',
    '@ canary',
  ],
  (address, form) => form.replace('@', () => address),
);

/** Expressions of template languages. */
const templates = cross(
  ['{{@}}', '$\u007B@}', '<%= @ %>', '#{@}', '{% @ %}', '[[@]]', '`@`', '@{@}', '*{@}', '%{@}'],
  ['7*7', 'constructor.constructor("alert(1)")()', '__proto__.hit=1'],
  (form, expression) => `${form.replaceAll('@', () => expression)} canary`,
);

/** Escapes from the place of a text. */
const exits = cross(
  [
    `"`,
    `'`,
    '`',
    '">',
    "'>",
    '-->',
    ']]>',
    '</title>',
    '</textarea>',
    '</style>',
    '</script>',
    '</template>',
    '</p></div>',
    '\\"',
    '\\u003c',
    '%3C',
    '&lt;',
    '\u0000',
  ],
  [`<img src=x onerror=${act}>canary`, ` onmouseover=${act} canary`, `;${act};// canary`],
  (exit, rest) => exit + rest,
);

/** Invisible characters: controls, direction, no width, tags, variations, fillers. */
const unseen = [
  0x0, 0x1, 0x7, 0x8, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9d, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e,
  0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061,
  0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0,
  0xfff9, 0xfffb, 0x1bca0, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
];
const hidden = unseen.flatMap((code) => {
  const character = String.fromCodePoint(code);
  return [`can${character}ary canary`, `canary ${character.repeat(12)}`];
});

const escapes = [
  '\u001B[31mcanary\u001B[0m',
  '\u001B]8;;https://canary.example\u0007canary\u001B]8;;\u0007',
  '\u001B]52;c;Y2FuYXJ5\u0007canary',
  '\u009B2Jcanary',
  'canary\b\b\b\b\b\b',
  'canary\rgone',
];

const shapes = [
  `canary${'x'.repeat(400)}`,
  `canary ${'long words '.repeat(30)}`,
  `canary${'\u0301'.repeat(80)}`,
  `canary ${'😀'.repeat(60)}`,
  'canary \u05E9\u05DC\u05D5\u05DD \u202Eabc',
  'canary\n\n\n# heading\n---\n```\ncode\n```',
  '__proto__ canary',
  'constructor canary',
  '../../../etc/passwd canary',
  'C:\\canary.txt',
  'canary\uD800',
  '\uDC00canary',
  'null',
  'undefined canary',
  'NaN canary',
  '[object Object] canary',
];

/** More than five hundred of them, no two alike. */
export const fiveHundredTexts: readonly string[] = [
  ...new Set([
    ...hostileTexts,
    ...fetches,
    ...events,
    ...links,
    ...templates,
    ...exits,
    ...hidden,
    ...escapes,
    ...shapes,
  ]),
];
