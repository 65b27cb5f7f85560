import { readDuration } from '../../core/duration.ts';
import { limits } from '../../core/limits.ts';
import { audienceFields, enumSynonyms, fieldAliases, foldedFields } from './lenient-words.ts';

/** A name that a model spells freely has at most this many characters. */
const wordCharactersMax = 40;

type JsonSchema = Record<string, unknown>;
type Fields = Record<string, unknown>;

/** What a call means, as far as its form leaves no doubt. */
export interface Reading {
  input: Fields;
  /** The values that were corrected: a place and a sentence each. No text of the call is repeated. */
  read_as: string[];
}

/** At most so many sentences are returned; more add nothing. */
const READ_AS_MAX = 20;

/**
 * Corrects the slips of models when they call a tool: an empty value for an absent field, a number as a text, JSON as
 * a text, one value where a list is meant, a field by another name. The operation refuses what is still wrong.
 *
 * @param schema - the JSON schema of the operation's input.
 */
export function readLeniently(given: Fields, schema: JsonSchema): Reading {
  const reader = new LenientReader();
  const whole = reader.readWhole(given, schema);
  const more = reader.read_as.length - READ_AS_MAX;
  const read_as = [...reader.read_as.slice(0, READ_AS_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
  return { input: whole, read_as };
}

class LenientReader {
  readonly read_as: string[] = [];

  /** The input of an operation; fields of its `content` may be written next to `content`. */
  readWhole(given: Fields, schema: JsonSchema): Fields {
    const content = propertiesOf(schema).content;
    if (content?.type !== 'object' || !isEmpty(given.content)) return this.#readObject(given, schema, '');
    const inner = this.#rename(given, content, 'content', propertiesOf(schema));
    const moved = Object.entries(inner).filter(([name]) => name !== 'content' && isOnlyIn(name, content, schema));
    if (moved.length === 0) return this.#readObject(given, schema, '');
    const rest = Object.entries(inner).filter(([name]) => name !== 'content' && !isOnlyIn(name, content, schema));
    this.#note('content', `made of the fields next to it: ${moved.map(([name]) => name).join(', ')}`);
    return this.#readObject({ ...Object.fromEntries(rest), content: Object.fromEntries(moved) }, schema, '');
  }

  #readObject(given: Fields, schema: JsonSchema, place: string): Fields {
    const properties = propertiesOf(schema);
    const required = (schema.required ?? []) as string[];
    const named = this.#fold(this.#rename(given, schema, place), schema, place);
    const entries = Object.entries(named).flatMap(([name, value]): [string, unknown][] => {
      const inner = place === '' ? name : `${place}.${name}`;
      const isUnknown = !Object.hasOwn(properties, name);
      const maySayNothing = isUnknown || (!required.includes(name) && isDroppable(properties[name]));
      if (isEmpty(value) && !audienceFields.has(name) && maySayNothing) {
        this.#note(inner, `${value === null ? 'null' : 'an empty text'} was read as absent`);
        return [];
      }
      return [[name, isUnknown ? value : this.#read(value, properties[name] ?? {}, inner)]];
    });
    return Object.fromEntries(entries);
  }

  /** @param others - fields that have their own meaning next to these. */
  #rename(given: Fields, schema: JsonSchema, place: string, others: Fields = {}): Fields {
    const properties = propertiesOf(schema);
    const aliases = fieldAliases[lastName(place)] ?? {};
    const taken = new Set(Object.keys(given));
    const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
      if (Object.hasOwn(properties, name) || Object.hasOwn(others, name)) return [name, value];
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
      const wanted = [
        snake,
        snake.replace(/s$/, ''),
        `${snake}s`,
        ...(Object.hasOwn(aliases, snake) ? (aliases[snake] ?? []) : []),
      ];
      const found = wanted.find((each) => Object.hasOwn(properties, each) && !taken.has(each));
      if (found === undefined) return [name, value];
      taken.add(found);
      this.#note(place === '' ? name : `${place}.${name}`, `read as ${found}`);
      return [found, value];
    });
    return Object.fromEntries(entries);
  }

  /** A text for which an item has no field is added to its main text: no text is lost. */
  #fold(given: Fields, schema: JsonSchema, place: string): Fields {
    const { into, fields } = foldedFields[lastName(place)] ?? {};
    const main = into === undefined ? undefined : given[into];
    if (into === undefined || fields === undefined || typeof main !== 'string') return given;
    const isFolded = ([name, value]: [string, unknown]) =>
      Object.hasOwn(fields, name) && !Object.hasOwn(propertiesOf(schema), name) && isTexts(value);
    const folded = Object.entries(given).filter(isFolded);
    if (folded.length === 0) return given;
    for (const [name] of folded) this.#note(`${place}.${name}`, `added to ${into}`);
    const added = folded.map(([name, value]) => `${fields[name]}: ${[value].flat().join(', ')}`);
    const rest = Object.entries(given).filter((entry) => !isFolded(entry));
    return { ...Object.fromEntries(rest), [into]: [main.replace(/[.\s]+$/, ''), ...added].join('. ') };
  }

  #read(value: unknown, schema: JsonSchema, place: string): unknown {
    const wanted = choose(schema, value);
    switch (wanted.type) {
      case 'object':
        return this.#readAsObject(value, wanted, place);
      case 'array':
        return this.#readAsList(value, wanted, place);
      case 'integer':
      case 'number':
        return this.#readAsNumber(value, wanted, place);
      case 'boolean':
        return this.#readAsTruth(value, place);
      case 'string':
        return this.#readAsText(value, wanted, place);
      default:
        return value;
    }
  }

  #readAsObject(value: unknown, schema: JsonSchema, place: string): unknown {
    if (isObject(value)) return this.#readObject(value, schema, place);
    if (Array.isArray(value) && value.length === 1 && isObject(value[0])) {
      this.#note(place, 'a list of one was read as the one');
      return this.#readObject(value[0], schema, place);
    }
    if (typeof value !== 'string' || value.trim() === '') return value;
    const parsed = parseJson(value);
    if (isObject(parsed)) {
      this.#note(place, 'read from JSON that was sent as a text');
      return this.#readObject(parsed, schema, place);
    }
    const { into, besides = {} } = foldedFields[lastName(place)] ?? {};
    if (into === undefined || !Object.hasOwn(propertiesOf(schema), into)) return value;
    const said = Object.entries(besides).map(([name, word]) => `, ${name} as "${word}"`);
    this.#note(place, `a text was read as its ${into}${said.join('')}`);
    return { [into]: value, ...besides };
  }

  #readAsList(value: unknown, schema: JsonSchema, place: string): unknown {
    const items = (schema.items ?? {}) as JsonSchema;
    const each = (entries: readonly unknown[]) => entries.map((entry) => this.#read(entry, items, place));
    if (Array.isArray(value)) {
      const kept = audienceFields.has(lastName(place)) ? value : value.filter((entry) => !isEmpty(entry));
      if (kept.length < value.length) this.#note(place, 'empty entries were left out');
      return each(kept);
    }
    if (isObject(value)) {
      const isNumbered = Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key));
      this.#note(place, isNumbered ? 'numbered entries were read as a list' : 'one object was read as a list of one');
      return each(isNumbered ? Object.values(value) : [value]);
    }
    if (typeof value !== 'string' || value.trim() === '') return value;
    const parsed = parseJson(value);
    if (Array.isArray(parsed) || isObject(parsed)) {
      this.#note(place, 'read from JSON that was sent as a text');
      return each(Array.isArray(parsed) ? parsed : [parsed]);
    }
    const parts = splitText(value, items, place);
    this.#note(
      place,
      parts.length === 1 ? 'a text was read as a list of one' : `a text was read as a list of ${parts.length}`,
    );
    return each(parts);
  }

  #readAsNumber(value: unknown, { maximum }: JsonSchema, place: string): unknown {
    const isShare = maximum === 1;
    const text = typeof value === 'string' ? value.trim() : '';
    const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text)?.[1];
    const number = typeof value === 'number' ? value : plainNumber(percent ?? text);
    const duration = place.endsWith('_ms') && number === undefined ? readDuration(text.replaceAll(' ', '')) : undefined;
    const read = number ?? duration;
    if (read === undefined || read === null) return value;
    const result = isShare && (percent !== undefined || (read > 1 && read <= 100)) ? read / 100 : read;
    if (result !== value) this.#note(place, `read as ${result}`);
    return result;
  }

  #readAsTruth(value: unknown, place: string): unknown {
    const truth = typeof value === 'string' ? { true: true, false: false }[value.trim().toLowerCase()] : undefined;
    if (truth === undefined) return value;
    this.#note(place, `a text was read as ${truth}`);
    return truth;
  }

  #readAsText(value: unknown, { enum: choices, pattern }: JsonSchema, place: string): unknown {
    if (typeof value === 'number' || typeof value === 'boolean') {
      this.#note(place, `a ${typeof value} was read as a text`);
      return String(value);
    }
    const isAudience = audienceFields.has(lastName(place));
    if (!isAudience && Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) {
      this.#note(place, 'a list was read as a text of several lines');
      return value.join('\n');
    }
    if (!isAudience && isObject(value)) return this.#joinTexts(value, place);
    if (typeof value !== 'string') return value;
    if (Array.isArray(choices)) return this.#readAsChoice(value, choices as string[], place);
    const isWord =
      typeof pattern === 'string' && pattern.startsWith('^[a-z][a-z0-9]*(?:-') && !new RegExp(pattern).test(value);
    // A longer text is no name: it may be a sentence with a secret, and secrets are masked only in whole sentences.
    if (!isWord || value.length > wordCharactersMax || value.trim().split(/\s+/).length > 2) return value;
    const word = value
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[-0-9]+|-+$/g, '');
    this.#note(place, `read as ${word}`);
    return word;
  }

  #joinTexts(value: Fields, place: string): unknown {
    const texts = Object.values(value).filter((part) => typeof part === 'string' && part.trim() !== '');
    if (texts.length === 0 || texts.length < Object.values(value).filter((part) => !isEmpty(part)).length) return value;
    this.#note(place, 'the texts of an object were read as one text');
    return texts.join(': ');
  }

  #readAsChoice(value: string, choices: readonly string[], place: string): string {
    if (choices.includes(value)) return value;
    const plain = value
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_');
    const found = choices.find((choice) => [plain, enumSynonyms[plain]].includes(choice.replaceAll('-', '_')));
    if (found === undefined) return value;
    this.#note(place, `read as "${found}"`);
    return found;
  }

  #note(place: string, sentence: string): void {
    this.read_as.push(`${place.slice(0, limits.name_characters_max)}: ${sentence}`);
  }
}

/** Of several forms the one that fits the value; of a text, the one that may be written as a text. */
function choose(schema: JsonSchema, value: unknown): JsonSchema {
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (forms === undefined) return schema;
  const own = isObject(value) ? 'object' : Array.isArray(value) ? 'array' : typeof value;
  const isJson = typeof value === 'string' && isObject(parseJson(value));
  const wanted = isJson ? 'object' : own;
  return forms.find(({ type }) => type === wanted || (type === 'integer' && wanted === 'number')) ?? forms[0] ?? {};
}

/** Lines, where each begins like an entry of a list; words of a choice, separated by commas; else the whole text. */
function splitText(text: string, items: JsonSchema, place: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bullet = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;
  if (lines.length > 1 && lines.every((line) => bullet.test(line)))
    return lines.map((line) => line.replace(bullet, ''));
  const parts = text.split(/\s*,\s*/).filter((part) => part !== '');
  const areWords = Array.isArray(items.enum) || lastName(place) === 'files';
  return areWords && parts.length > 1 && parts.every((part) => !/\s/.test(part)) ? parts : [text];
}

/** Whether an empty value means "absent" there: a field of any JSON, or one that may be null, keeps it. */
function isDroppable(schema: JsonSchema | undefined): boolean {
  const forms = schema?.anyOf as JsonSchema[] | undefined;
  return schema?.type !== undefined || forms?.every(({ type }) => type !== 'null') === true;
}

function isOnlyIn(name: string, content: JsonSchema, schema: JsonSchema): boolean {
  return Object.hasOwn(propertiesOf(content), name) && !Object.hasOwn(propertiesOf(schema), name);
}

function propertiesOf({ properties }: JsonSchema): Record<string, JsonSchema> {
  return (properties ?? {}) as Record<string, JsonSchema>;
}

function lastName(place: string): string {
  return place.slice(place.lastIndexOf('.') + 1);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

function isTexts(value: unknown): boolean {
  return [value].flat().every((each) => typeof each === 'string' && each !== '');
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function plainNumber(text: string): number | undefined {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A text that only begins like JSON is a text.
    return undefined;
  }
}
