import { ownText } from '../core/own-text.ts';
import { toProjectPath } from './file-path.ts';

/** Endings that make a word without a folder a file; with a folder any short ending does. */
const extensions = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs vue svelte astro go mod sum rs py pyi ipynb rb java kt kts swift scala cs fs php pl lua ex exs ' +
    'erl hs clj dart zig nim jl c h cc cpp hpp cxx m mm s asm sh bash zsh fish ps1 bat cmd sql graphql gql proto prisma json jsonc ' +
    'json5 jsonl ndjson yaml yml toml ini cfg conf env properties xml html htm css scss sass less md mdx mdc rst adoc txt csv tsv ' +
    'lock gradle tf hcl nix dockerfile mk cmake diff patch svg png jpg jpeg gif webp ico pdf snap tmpl template hbs ' +
    'ejs toon plist xcodeproj wasm pem crt'
  ).split(' '),
);

/** Names that are files without any ending, or are written without it. */
const bareNames =
  'README|CHANGELOG|LICENSE|CONTRIBUTING|Dockerfile|Makefile|Justfile|Procfile|Gemfile|Rakefile|Jenkinsfile|Vagrantfile|CODEOWNERS';
const isBareName = new RegExp(`^(?:${bareNames})$`);

/** Libraries, domains and members that only look like files. */
const lookalikes =
  /^(?:(?:node|three|next|nuxt|vue|react|express|d3|chart|socket|backbone|ember|angular|alpine|p5|paper|babylon|pixi|discord|moment|day|date-fns|deno|bun|nest|solid|preact|lit|ember|require|underscore|handlebars|electron|tensorflow|plotly|video|hls|anime|matter|full|type|bullet)\.js|console\.log|math\.log|process\.env|import\.meta\.env|asp\.net|(?:socket|github)\.io)$/i;

const outside = /(?:^|[/\\])(?:node_modules|site-packages|dist-packages|\.venv|venv|vendor[/\\]bundle)[/\\]/;
const domain = /^(?:www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co|edu|gov|sh|xyz|me)(?:[/:]|$))/i;

/** Where a text names a file. */
export interface FileMention {
  path: string;
  /** Exactly as the text spells it. */
  spelt: string;
  at: number;
}

/** What ends a word that may name a file. */
const delimiters = ' \t\n\v\f\r`\'"()[],;|<>“”‘’→─│├└\u00a0\u2028\u2029\ufeff。，、；：！？「」『』（）《》【】';
const delimiterCodes = new Set([...delimiters].map((character) => character.charCodeAt(0)));

/** Longer words are data. */
const wordCharactersMax = 310;

/** What can make a word a file: a stop within it, or a name that needs none. */
const marks = new RegExp(`\\.(?=[A-Za-z])|\\b(?:${bareNames})\\b`, 'g');

/** The files that a text names, in order; paths outside the project, web addresses and patterns are none. */
export function findFileMentions(text: string): FileMention[] {
  const mentions: FileMention[] = [];
  let read = 0;
  marks.lastIndex = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const from = findStart(text, mark.index, read);
    const to = findEnd(text, mark.index);
    read = to;
    marks.lastIndex = Math.max(to, mark.index + 1);
    const next = text.charAt(to);
    // A placeholder, or a name that goes on with one, is no file.
    if (to - from > wordCharactersMax || next === '<' || (next === '(' && /\.\w+$/.test(text.slice(from, to))))
      continue;
    const spelt = text.slice(from, to);
    const path = readMention(spelt);
    if (path !== undefined) mentions.push({ path, spelt, at: from });
  }
  return mentions;
}

function findStart(text: string, at: number, least: number): number {
  let from = at;
  while (from > least && !isEnd(text, from - 1, from)) from -= 1;
  return from;
}

function findEnd(text: string, at: number): number {
  let to = at;
  while (to < text.length && !isEnd(text, to, to - 1)) to += 1;
  return to;
}

/** Whether a word ends between a character and its neighbour. A script without spaces has none before a file's name. */
function isEnd(text: string, at: number, neighbour: number): boolean {
  const code = text.charCodeAt(at);
  if (delimiterCodes.has(code)) return true;
  return code >= unspacedFrom && unspaced.test(text.charAt(at)) && /\w/.test(text.charAt(neighbour));
}

/** No script without spaces has a lower character. */
const unspacedFrom = 0x3000;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** Words repeat: so many of them are read once. Beyond it the table is emptied, so that it stays small. */
const knownMax = 10_000;
const known = new Map<string, string | undefined>();

function readMention(word: string): string | undefined {
  if (known.has(word)) return known.get(word);
  const found = readPath(word);
  const path = found === undefined ? undefined : ownText(found);
  if (known.size >= knownMax) known.clear();
  known.set(ownText(word), path);
  return path;
}

function readPath(word: string): string | undefined {
  const spelt = word
    // "defined?@notes.md"; a name may begin with an underscore that emphasizes nothing.
    .replace(/^.*[?!:]@/, '')
    .replace(word.endsWith('_') ? /^[*_@#=]+(?:file:)?/ : /^[*@#=]+(?:file:)?/, '')
    .replace(/[*_.:!?…]+$/, '')
    .replace(/(?::\d+(?:[-:,]\d+)*|#L\d+(?:-L?\d+)?)$/, '')
    .replace(/[*_.:!?…]+$/, '');
  if (spelt.length > 300 || /[*{}$%^&=<>]|:\/|(?:^|\/)path\/to\/|NNN|XXX|YYYY|\.\.\./.test(spelt) || domain.test(spelt))
    return undefined;
  if (outside.test(spelt) || lookalikes.test(spelt)) return undefined;
  const path = toProjectPath(spelt);
  if (path === undefined || !isFileName(path)) return undefined;
  return path;
}

function isFileName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isBareName.test(name)) return true;
  if (
    /^\.(?:env|gitignore|gitattributes|npmrc|nvmrc|dockerignore|editorconfig|eslintrc|prettierrc|babelrc|mcp)(?:\.[\w.]+)?$/.test(
      name,
    )
  )
    return true;
  const extension = /[^.]\.(?<extension>[A-Za-z][A-Za-z0-9]{0,9})$/.exec(name)?.groups?.extension ?? '';
  if (extension === '' || /^\d/.test(name)) return /^[\w.-]+\.(?:[a-z]{2,5})$/.test(name) && extensions.has(extension);
  // `time.Date`, `Foo.bar`: endings of files are lower case.
  if (!extensions.has(extension.toLowerCase())) return false;
  return extension === extension.toLowerCase() || extension === extension.toUpperCase();
}
