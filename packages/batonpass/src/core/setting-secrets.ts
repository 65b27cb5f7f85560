import { isMixed, readValue, type TextValue } from './secret-values.ts';

/** Where the name of a secret is in a text. */
interface Name {
  from: number;
  /** The end of the name's last known word. */
  to: number;
}

const quote = String.raw`\\?["']?`;
const sign = String.raw`[ \t]{0,4}(?::|=>?)[ \t]{0,4}`;
const space = String.raw`(?:\s|\\n){0,40}`;
const label = String.raw`(?:key|name|id|term|variable)${quote}${sign}${quote}[\w.:/-]{0,60}$`;
const valueLabel = String.raw`(?:\w{0,20}value|content)${quote}${sign}`;

/** Up to a name that is itself the value of a field: `"name": "DB_`. */
const labelBefore = new RegExp(label, 'i');

/** From there to the field of the value, over two others at most. */
const valueAfter = new RegExp(
  String.raw`[\w-]{0,40}${quote}[ \t]{0,4},?${space}(?:${quote}(?!value)\w{1,20}${quote}${sign}${quote}[\w.-]{0,30}${quote},?${space}){0,2}${quote}${valueLabel}`,
  'iy',
);

/** The field of the value, where it comes first. */
const valueBefore = new RegExp(
  String.raw`${valueLabel}\\?["'](?<secret>[^"'\n\\]{4,200})\\?["'][ \t]{0,4},?${space}${quote}\w{0,20}${label}`,
  'di',
);

/** Programs and files that set a variable without a sign between its name and its value. */
const setter =
  /(?:^|[\s;&|"'`(])(?:ENV|#[ \t]*define|setenv|setx|set(?:[ \t]+-{1,2}[a-zA-Z-]{1,20}){1,4}|launchctl[ \t]+setenv|(?:[\w-]{1,20}-)?(?:secrets?|config|env)[ \t]+(?:set|add|put)(?:[ \t]+-{1,2}[\w-]{1,30}){0,3})[ \t]+["']?[\w.:/-]{0,80}$/;
const restOfName = /[\w-]{0,40}["']?[ \t]{1,8}(?=\S)/y;

/** From a variable to the text that a program uses where it is not set: `process.env.DB_PASSWORD || "`. */
const otherwise = /\w{0,20}["']?[\])]{0,2}[ \t]{0,4}(?:\|\||\?\?|\bor\b)[ \t]{0,4}(?=["'`])/y;

/** What types into a field of a page: `fill("#password", "`, `getByLabel("Password").fill("`. */
const types = '(?:fill|type|send_?keys|setValue|pressSequentially)';
const restOfSelector = String.raw`\w{0,20}\\?["']?\]?\\?["']{1,2}`;
const typedNext = new RegExp(String.raw`${restOfSelector}[ \t]{0,4},[ \t]{0,4}(?=\\?["'${'`'}])`, 'y');
const typedThere = new RegExp(String.raw`${restOfSelector}\)\.${types}\([ \t]{0,4}(?=\\?["'${'`'}])`, 'iy');
const typesNext = new RegExp(String.raw`\b${types}\([^()\n]{0,80}$`, 'i');

const BEFORE_CHARACTERS = 200;
const VALUE_BEFORE_CHARACTERS = 400;

/** The value of a name that stands apart from it: in the next field, or after the name in a command that sets it. */
export function findSettingValue(text: string, { from, to }: Name): TextValue | undefined {
  const before = text.slice(Math.max(0, from - BEFORE_CHARACTERS), from);
  for (const way of [otherwise, typedThere, ...(typesNext.test(before) ? [typedNext] : [])]) {
    way.lastIndex = to;
    if (way.test(text)) return readValue(text, way.lastIndex);
  }
  if (labelBefore.test(before)) return findLabelled(text, { from, to });
  restOfName.lastIndex = to;
  if (!restOfName.test(text) || !setter.test(before)) return undefined;
  const value = readValue(text, restOfName.lastIndex);
  // In a sentence a word may follow the name: "the ENV DB_PASSWORD is missing".
  return value !== undefined && (value.quoted || isMixed(value.text)) ? value : undefined;
}

function findLabelled(text: string, { from, to }: Name): TextValue | undefined {
  valueAfter.lastIndex = to;
  if (valueAfter.test(text)) return readValue(text, valueAfter.lastIndex);
  const begin = Math.max(0, from - VALUE_BEFORE_CHARACTERS);
  const place = valueBefore.exec(text.slice(begin, from))?.indices?.groups?.secret;
  if (place === undefined) return undefined;
  const [start, end] = place;
  return { from: begin + start, to: begin + end, text: text.slice(begin + start, begin + end), quoted: true };
}
