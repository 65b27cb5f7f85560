import {
  isCode,
  isCodeLine,
  isMixed,
  isPlaceholder,
  isPlainWord,
  isRandomLooking,
  readValue,
  type TextValue,
} from './secret-values.ts';
import {
  changeBefore,
  changeLink,
  cue,
  cueStart,
  keyOfVariable,
  keyQualifier,
  link,
  ordinary,
  purpose,
  verbBefore,
} from './secret-words.ts';
import { findSettingValue } from './setting-secrets.ts';

/** Where a name of a secret is in a text. */
interface Cue {
  sort: 'password' | 'key' | 'login';
  from: number;
  to: number;
}

/** How a value follows its name. */
interface Announced {
  value: TextValue;
  /** `assigned`: `name = value`; `flag`: `--name value`; `said`: in a sentence; `next`: directly after it. */
  by: 'assigned' | 'flag' | 'said' | 'next';
  /** Whether a line break is between the name and the value. */
  broken: boolean;
}

/** Words that name a secret only after another: an API key, no key of a map. */
const needsQualifier = /^(?:key(?!pass)|schl)/i;

/** Short words that are parts of others: only whole they name a password. */
const short = /^(?:pass|pwd|pw|psk|mdp|clave|parola|senha|암호|cookie|sig|account|secret|token)$/i;

/** Of these, names that settings write as one with another word: `DBPASS=`, `smtppass:`. */
const joined = /^(?:pass|pwd|pw|secret)$/i;
const ordinaryBefore =
  /(?:^|[^a-z])(?:by|com|encom|sur|tres|over|under|im|multi|first|second|last|one|two|low|high|band|all|old)$/i;
const setHere = /^\\?["'`]?[ \t]?[=:]/;

const suffix =
  /(?:\d{1,3}|[_-](?:prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|local|root|admin|user|db|bdd?|base|api|app|server|smtp|mail|value|new|old|\d{1,3})(?![A-Za-z])){0,2}/iy;

/** YAML's and TOML's marks of a value that begins on the next line. */
const block = String.raw`(?:(?:[|>][+-]?\d?|"""|''')(?=[ \t]{0,20}(?:\r?\n|\\n)))?`;
const gap = String.raw`(?:[ \t\u3000\u00A0]{0,20}(?:(?:\\?\r?\n|\\n)[ \t>|#*-]{0,20})?)`;
const assignment = new RegExp(
  String.raw`\\{0,7}["'\`\])*_]{0,4}[ \t\u00A0]{0,20}(?:\([^()\n]{1,40}\)[ \t]{0,4})?(?:={1,3}|:=|=>|->|→|:(?![?+])|：|＝|(?<=[ \t])\|(?=[ \t]))\*{0,2}(?:=|>)?[ \t]{0,4}(?<block>${block})(?<gap>${gap})(?:(?:Bearer|Basic|Token|ApiKey|Digest)[ \t]+)?`,
  'iy',
);
const argument = new RegExp(String.raw`(?<quote>\\?["'])[ \t]{0,4}\)?\]?,${gap}(?=\\?["'])`, 'y');
const flagged = /(?:=|[ \t]{1,8}(?<gap>(?:\\\r?\n[ \t]{0,20})?))/y;
const atOnce = /[ \t]{1,4}/y;

const WINDOW_CHARACTERS = 110;

/** The secrets that a text names: `pass: X`, `"apiKey": "X"`, `--password X`, "the password is X". */
export function findSpoken(text: string): TextValue[] {
  const found: TextValue[] = [];
  let end = 0;
  for (const { index } of text.matchAll(cueStart)) {
    const named = index < end ? undefined : readCue(text, index);
    if (named === undefined) continue;
    end = named.to;
    const value = findValue(text, named);
    if (value !== undefined) found.push(value);
  }
  return found;
}

/** The name of a secret that begins here; absent where none does. */
export function readCue(text: string, from: number): Cue | undefined {
  cue.lastIndex = from;
  const match = cue.exec(text);
  if (match === null) return undefined;
  const sort = (['key', 'password', 'login'] as const).find((each) => match.groups?.[each] !== undefined) ?? 'password';
  const named: Cue = { sort, from, to: from + match[0].length };
  if (!isWhole(text, named, match[0])) return undefined;
  if (!needsQualifier.test(match[0])) return named;
  const before = text.slice(Math.max(0, from - 20), from);
  const isVariable = match[0] === 'KEY' && (setHere.test(text.slice(named.to, named.to + 4)) || saysLong(text, named));
  const qualifier = keyQualifier.exec(before) ?? (isVariable ? keyOfVariable.exec(before) : null);
  return qualifier === null ? undefined : { ...named, from: from - qualifier[0].length };
}

/** Whether a word as long as a service's key follows: `GRID_KEY is row12col7` says where something is. */
function saysLong(text: string, { to }: Cue): boolean {
  return /[\w+/-]{16}/.test(text.slice(to, to + WINDOW_CHARACTERS));
}

/** What may follow the name of a secret in the name of a field that has it as its value. */
const restOfField =
  /^(?:\d{1,3}|[_-]?(?:prod|dev|staging|test|live|local|value|new|old|current|plain|text|\d{1,3}))?$/i;

/**
 * Whether a value is a secret because the field that it is in is named so: `password`, `db_pass`, `apiKey`. Only the name
 * of a password makes a word one.
 */
export function isSecretOfField(field: string, value: string): boolean {
  const named = [...field.matchAll(cueStart)].flatMap(({ index }) => readCue(field, index) ?? []).at(-1);
  if (named === undefined || named.sort === 'login' || !restOfField.test(field.slice(named.to))) return false;
  if (named.sort === 'key') return isRandomLooking(value);
  if (/^\d+$/.test(value)) return value.length >= 4 && !/^pass$/i.test(field.slice(named.from, named.to));
  if (isPlaceholder(value) || isCode(value) || ordinary.test(value)) return false;
  if (/\s/.test(value)) return /phrase/i.test(field) && isPhrase(value);
  return isUuid(value) || isMixed(value) || isPlainWord(value) || isPlainWord(value.toLowerCase());
}

/** Whether a word contains the name of a secret. */
export function namesSecret(word: string): boolean {
  return [...word.matchAll(cueStart)].some(({ index }) => readCue(word, index) !== undefined);
}

/** Whether the name is a word of its own, or a word of an identifier. */
function isWhole(text: string, { from, to }: Cue, name: string): boolean {
  if (/[A-Za-z]/.test(text.charAt(to)) && /[A-Za-z]/.test(name.at(-1) ?? '')) return false;
  const before = text.charAt(from - 1);
  if (!short.test(name) || !/[A-Za-z0-9]/.test(before) || isEscape(text, from - 1)) return true;
  if (/[a-z0-9]/.test(before) && /[A-Z]/.test(name.charAt(0))) return true;
  return (
    joined.test(name) &&
    !ordinaryBefore.test(text.slice(Math.max(0, from - 12), from)) &&
    setHere.test(text.slice(to, to + 4))
  );
}

/** Whether a letter is the end of a line's end as a quoted text spells it. */
function isEscape(text: string, at: number): boolean {
  return /[nrt]/.test(text.charAt(at)) && text.charAt(at - 1) === '\\';
}

function findValue(text: string, named: Cue): TextValue | undefined {
  if (named.sort === 'login') return findLogin(text, named);
  suffix.lastIndex = named.to;
  const end = named.to + (suffix.exec(text)?.[0].length ?? 0);
  const close = announcedAt(text, named, end);
  if (close !== undefined) return accepts(text, named, close) ? close.value : undefined;
  const apart = findSettingValue(text, { from: named.from, to: end });
  if (apart !== undefined) return accepts(text, named, { value: apart, by: 'flag', broken: false }) ? apart : undefined;
  return findSaid(text, named, end) ?? findBefore(text, named);
}

/** The value directly after the name. */
function announcedAt(text: string, { from }: Cue, end: number): Announced | undefined {
  const isFlag = /(?:^|[\s"'`=[(,]|\\[nrt])--?[\w-]{0,30}$/.test(text.slice(Math.max(0, from - 33), from));
  const ways = isFlag
    ? ([
        [assignment, 'assigned'],
        [flagged, 'flag'],
      ] as const)
    : ([
        [assignment, 'assigned'],
        ...(/[(]\s{0,4}["'][\w.:-]{0,60}$/.test(text.slice(Math.max(0, from - 64), from))
          ? [[argument, 'assigned'] as const]
          : []),
      ] as const);
  for (const [pattern, by] of ways) {
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (match === null) continue;
    const value = readValue(text, pattern.lastIndex);
    if (value === undefined) return undefined;
    const broken = !match.groups?.block && /^[^\\]*\n|\\n/.test(match.groups?.gap ?? '');
    return { value: withinQuery(text, from, value), by, broken };
  }
  return undefined;
}

/** In the query of an address, or in a form, the next field ends the value. */
function withinQuery(text: string, from: number, value: TextValue): TextValue {
  const name = text.slice(Math.max(0, from - 40), from);
  if (!/[?&][\w.-]*$/.test(name) && !/&[\w.-]{1,40}=/.test(value.text)) return value;
  const [first = ''] = value.text.split(/[&#]/, 1);
  return { ...value, to: value.from + first.length, text: first };
}

function accepts(text: string, { sort, from }: Cue, { value, by, broken }: Announced): boolean {
  const { text: secret, quoted } = value;
  if (isPlaceholder(secret)) return false;
  if (broken && !isAloneOnLine(text, value)) return false;
  if (sort === 'key') return isKey(text, from, value);
  if (isUuid(secret)) return true;
  if (isCall(text, value)) return false;
  const isSetting = by === 'flag' || isVariableOfShell(text, from, value) || isConnection(text, from, value);
  const isCodeAround = !isSetting && isCodeLine(text, from, value.to);
  if (isMixed(secret))
    return quoted
      ? !/\s/.test(secret) || /^(?=[^\d]*\d)\S+(?: \S+){1,4}$/.test(secret)
      : !(isCodeAround && isIdentifier(secret));
  if (broken && !quoted) return false;
  if (/^\d{4,12}$/.test(secret)) return !isCodeAround && !/^pass$/i.test(text.slice(from, from + 4));
  if (quoted) return isPlainWord(secret) && /[a-z]/.test(secret) && !/^[A-Z][a-z]+$/.test(secret);
  if (!isPlainWord(secret) || isCodeAround) return false;
  return by === 'flag' || isSettingLine(text, from, value);
}

function isKey(text: string, from: number, { text: value, quoted }: TextValue): boolean {
  if (isRandomLooking(value)) return true;
  if (isUuid(value)) return !/sess|token|cookie|id\b/i.test(text.slice(from, from + 24)) || isAccess(text, from);
  return (
    quoted === false && value.length >= 12 && /^[A-Z_]*$/.test(text.slice(from - 1, from + 6)) && isPlainWord(value)
  );
}

/** A token that lets its holder in, among those that only name something: `_authToken`, `NPM_TOKEN=`. */
function isAccess(text: string, from: number): boolean {
  const name = text.slice(Math.max(0, from - 20), from + 8);
  return (
    /(?:auth|api|access|bearer|deploy|refresh|registry|npm)[ _-]?token/i.test(name) || /(?<![A-Z]_)TOKEN=/.test(name)
  );
}

function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$][\w$]*\d?$/.test(value);
}

function isCall(text: string, { to, quoted }: TextValue): boolean {
  return !quoted && /[([]/.test(text.charAt(to));
}

function isAloneOnLine(text: string, { to }: TextValue): boolean {
  return (
    /^["'`”»]?[.,;]?[ \t]*(?:\r?\n|$)/.test(text.slice(to, to + 40)) ||
    /^["'`”»]?[.,;]?[ \t]*$/.test(text.slice(to, to + 40))
  );
}

/** `NAME=word`, or `${NAME:word}` for a variable that is not set. */
function isVariableOfShell(text: string, from: number, { from: begin }: TextValue): boolean {
  return /(?:^|[\s"'`;])[A-Z0-9_]+=$|\$\{[\w.-]+:$/.test(text.slice(Math.max(0, from - 60), begin));
}

const connectionField =
  /(?:server|host|data source|user ?(?:id|name)?|uid|database|initial catalog|addr(?:ess)?|endpoint|port)[ ]?=(?:[^;=\n]{1,100};|[^;=,\s]{1,100},(?=\S))/i;

/** `Server=db;Password=X;`, as a string of a connection has it: between the sign and the words are no blanks. */
function isConnection(text: string, from: number, { from: begin, to }: TextValue): boolean {
  if (text.charAt(begin - 1) !== '=' || /\s/.test(text.charAt(begin - 2))) return false;
  if (/^[A-Z][a-z]/.test(text.slice(from, from + 2)) && /^[\s;"'`]?$/.test(text.charAt(from - 1))) return true;
  const [line = ''] = text.slice(from, to + 200).split('\n', 1);
  return connectionField.test(
    `${text
      .slice(Math.max(0, from - 200), from)
      .split('\n')
      .at(-1)}${line}`,
  );
}

/** `NAME=word`, or `name: word` at the end of its clause, as a file of settings has it. */
function isSettingLine(text: string, from: number, value: TextValue): boolean {
  const isField = text.charAt(value.to) === ';' && isConnection(text, from, value);
  return isField || isVariableOfShell(text, from, value) || endsClause(text, value);
}

/** "The password for the database is X", in one sentence. */
function findSaid(text: string, { sort, from }: Cue, end: number): TextValue | undefined {
  if (!/^["'`”»*_]{0,2}(?:[ \t\n,(]|[\u0080-\uFFFF])/.test(text.slice(end, end + 4))) return undefined;
  if (/[\w$.\\/-]/.test(text.charAt(from - 1)) && !isEscape(text, from - 1)) return undefined;
  const window = text.slice(end, end + WINDOW_CHARACTERS);
  const [sentence = ''] = window.split(/[.!?。！？](?=\s|$)|\r?\n[ \t]*\r?\n|\[masked:/, 1);
  const change = changeBefore.test(text.slice(Math.max(0, from - 80), from)) ? changeLink.exec(sentence) : null;
  for (const match of [...(change === null ? [] : [change]), ...sentence.matchAll(link)]) {
    const at = end + match.index + match[0].length;
    const space =
      /^[ \t\u3000]{0,4}[:：]?[ \t\u3000]{0,4}(?:\r?\n[ \t>]{0,12})?(?:(?:now|still|just|simply|currently|ahora|jetzt|nun|maintenant)[ \t])?/i.exec(
        text.slice(at, at + 60),
      )?.[0];
    const value = readValue(text, at + (space?.length ?? 0));
    if (value !== undefined && isSaidSecret(text, { sort, from, to: end }, value)) return value;
  }
  return findForPurpose(text, { sort, from, to: end }, sentence) ?? findNext(text, sort, { from, end });
}

/** "Password for the database: X"; of a word alone only its place tells, and here it may be any. */
function findForPurpose(text: string, named: Cue, sentence: string): TextValue | undefined {
  const match = /^pass$/i.test(text.slice(named.from, named.to)) ? null : purpose.exec(sentence);
  const value = match === null ? undefined : readValue(text, named.to + match[0].length);
  if (value === undefined || (named.sort !== 'key' && !isMixed(value.text))) return undefined;
  return accepts(text, named, { value, by: 'said', broken: false }) ? value : undefined;
}

function isSaidSecret(text: string, { sort, from }: Cue, value: TextValue): boolean {
  if (isPlaceholder(value.text) || isCall(text, value)) return false;
  if (sort === 'key') return isRandomLooking(value.text) || (isUuid(value.text) && value.quoted);
  if (value.quoted)
    return (
      value.text.length >= 4 &&
      !isCode(value.text) &&
      !ordinary.test(value.text) &&
      (isMixed(value.text) || /^[\p{L}-]+$/u.test(value.text) || isPhrase(value.text))
    );
  if (isMixed(value.text) || /^\d{4,12}$/.test(value.text)) return true;
  return isPlainWord(value.text) && endsClause(text, value) && !isCodeLine(text, from, value.to);
}

/** Several plain words between quotes. */
function isPhrase(value: string): boolean {
  return /^\S+(?: \S+){1,12}$/.test(value);
}

const clauseEnd =
  /^(?:[.,;!)\]"'”»]{0,3}(?:\s*(?:\n|$)|\\n)|[.,;!)]["'”»]?\s|\s+(?:(?:and|but|then|until|please|und|et|y)\s|[(#–—-]|\/\/)|[\u3000-\u303F\uFF0C])/;

/** Whether nothing of the same clause follows a value. */
function endsClause(text: string, { to }: TextValue): boolean {
  return clauseEnd.test(text.slice(to, to + 12));
}

/** "With password X". */
function findNext(
  text: string,
  sort: Cue['sort'],
  { from, end }: { from: number; end: number },
): TextValue | undefined {
  atOnce.lastIndex = end;
  if (!atOnce.test(text)) return undefined;
  const value = readValue(text, atOnce.lastIndex);
  if (value === undefined || isPlaceholder(value.text) || isCall(text, value)) return undefined;
  if (sort === 'key') return isRandomLooking(value.text) && value.text.length >= 16 ? value : undefined;
  if (value.quoted)
    return !/\s/.test(value.text) &&
      (isMixed(value.text) || (isPlainWord(value.text) && /PASSWORD|BY/.test(text.slice(from, end))))
      ? value
      : undefined;
  if (!isMixed(value.text)) return undefined;
  const isStrong =
    value.text.length >= 8 &&
    /[A-Z]/.test(value.text) &&
    /[a-z]/.test(value.text) &&
    /\d/.test(value.text) &&
    !isIdentifier(value.text);
  return isStrong ||
    verbBefore.test(text.slice(Math.max(0, from - 40), from)) ||
    (/^[ \t,]*$/.test(text.slice(Math.max(0, from - 2), from).replace(/^.*,/, '')) &&
      /,\s*$/.test(text.slice(Math.max(0, from - 3), from)))
    ? value
    : undefined;
}

const isTheName =
  /(?:^|[\s("'`“«„])([^\s"'`“”«»„‘’]{5,100})["'`”»“’]?[ \t]{1,4}(?:is|was|es|era|ist|war|est|était)[ \t]{1,4}(?:\p{L}{1,12}[ \t]{1,4}){0,4}$/u;
const isTheNameClosely = /([!-~]{5,100})[ \t]{0,4}(?:就?是|为)[^\n，。！？]{0,12}$/u;

/** "X is the password". */
function findBefore(text: string, { sort, from }: Cue): TextValue | undefined {
  const begin = Math.max(0, from - 160);
  const before = text.slice(begin, from);
  // Asked first, because looking back is dear: a blank before the name, or a link of a script that sets none.
  const pattern = /[ \t]$/.test(before)
    ? isTheName
    : /[是为][^是为]{0,12}$/.test(before.slice(-14))
      ? isTheNameClosely
      : null;
  const match = pattern?.exec(before) ?? null;
  const secret = match?.[1]?.replace(/^[(*]+|[,.;:)*]+$/g, '');
  if (match === null || secret === undefined) return undefined;
  const isSecret = sort === 'key' ? isRandomLooking(secret) : isMixed(secret);
  if (!isSecret) return undefined;
  const at = begin + before.indexOf(secret, match.index);
  return { from: at, to: at + secret.length, text: secret, quoted: false };
}

const pair = /(?:^|[\s"'`(:：=])([\w.@+-]{2,64})(?<link>[ \t]{0,2}[:/][ \t]{0,2})(?=[^\s/])/g;
/** "credentials (`specs/001-tables/model.md:3`)" names a file. */
const restOfPath = /\/|\.[a-z]\w{0,4}(?::\d+)?$/i;

/** A number with its unit: `login` next to `height: 92rpx`. */
const measure = /^\d+(?:\.\d+)?[a-z]{1,3}$/;

/** "The login is sam / X", `creds: sam:X`. */
function findLogin(text: string, { to }: Cue): TextValue | undefined {
  const [line = ''] = text.slice(to, to + 80).split('\n', 1);
  for (const match of line.matchAll(pair)) {
    const value = readValue(text, to + match.index + match[0].length);
    const isPath = match.groups?.link === '/' && value !== undefined && restOfPath.test(value.text);
    if (value === undefined || isPath || measure.test(value.text)) continue;
    if (isMixed(value.text) && !isCall(text, value)) return value;
  }
  return undefined;
}
