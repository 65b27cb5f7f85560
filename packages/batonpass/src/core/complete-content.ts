import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { z } from 'zod';
import { assertDepth, encodeCanonicalJson, sha256Hex, sha256HexOf, writeCanonicalJson } from './canonical-json.ts';
import { type Content, type ContentInput, contentInputSchema } from './content.ts';
import { HandoffError } from './errors.ts';
import { parseInput } from './input.ts';
import { limits } from './limits.ts';
import { normalizeScope } from './scope.ts';

/** Defaults for the fields that the writer of a content left out. */
export interface ContentDefaults {
  source_agent: string;
  /** The source of a decision that names none. Default: a person pinned it. For instructions and facts of the environment too. */
  decision_source?: Content['decisions'][number]['source'];
}

/** A complete content and its identity. */
export interface CompletedContent {
  content: Content;
  /** The content's canonical JSON (RFC 8785): exactly what is stored and hashed. */
  content_json: string;
  /** SHA-256 of those bytes. */
  content_sha256: string;
  /** Canonical JSON of a payload above `limits.payload_inline_bytes_max`: the content itself only points to it. */
  payload_json?: string;
}

/**
 * Completes a writer's content: kind, title and summary are derived where absent, the latter two from each other, the body's
 * heading, the first next step or decision; items get short ids (`d1`, `f1`, `r1`), the scope its one spelling. The same
 * input always gives the same content and hash.
 *
 * @throws HandoffError `invalid_input` with the field and the reason, `too_large` beyond `limits.content_bytes_max`.
 */
export function completeContent(input: ContentInput, defaults: ContentDefaults): CompletedContent {
  assertDepth(input);
  const given = parseInput(contentInputSchema, input, 'handoff content');
  if (given.payload !== undefined && given.payload_ref !== undefined) throw doublePayload();
  return withoutLargePayload(withDefaults(given, defaults));
}

type ParsedContent = z.output<typeof contentInputSchema>;

function withDefaults(given: ParsedContent, defaults: ContentDefaults): Content {
  const source_agent = given.source_agent ?? defaults.source_agent;
  const summary = given.summary ?? deriveSummary(given, source_agent);
  const scope = given.scope === undefined ? '' : normalizeScope(given.scope);
  const withSource = <T extends object>(item: T) => ({
    source: defaults.decision_source ?? ('user-pinned' as const),
    ...item,
  });
  return {
    ...given,
    kind: given.kind ?? 'context',
    title: given.title ?? deriveTitle(given.body, summary),
    summary,
    source_agent,
    scope: scope === '' ? undefined : scope,
    where_it_stands: present(withIds('s', given.where_it_stands, (fact) => fact)),
    instructions: present(withIds('i', given.instructions, withSource)),
    environment: present(withIds('e', given.environment, withSource)),
    words: present(withIds('w', given.words, (words) => words)),
    briefs: present(given.briefs ?? []),
    decisions: withIds('d', given.decisions, withSource),
    files: withIds('f', given.files, (file) => ({ relevance: 'medium' as const, context: '', ...file })),
    risks: withIds('r', given.risks, (risk) => ({ severity: 'medium' as const, ...risk })),
    tried: given.tried ?? [],
    next_steps: given.next_steps ?? [],
    open_questions: given.open_questions ?? [],
    results: given.results ?? [],
    references: given.references ?? [],
  };
}

/** A list that a content need not have: absent where it is empty. */
function present<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** A payload too large for every list and claim to carry is pointed to. */
function withoutLargePayload(content: Content): CompletedContent {
  const whole = encode(content);
  // A character has at most three bytes: most payloads need no exact count.
  if (content.payload === undefined || whole.content_json.length * 3 <= limits.payload_inline_bytes_max) return whole;
  const { payload, ...rest } = content;
  const payload_json = encodeCanonicalJson(payload);
  const bytes = utf8ToBytes(payload_json);
  if (bytes.byteLength <= limits.payload_inline_bytes_max) return whole;
  const payload_ref = { sha256: sha256HexOf(bytes), bytes: bytes.byteLength, media_type: 'application/json' as const };
  return { ...encode({ ...rest, payload_ref }), payload_json };
}

/** One private copy is checked, hashed and stored: the JSON part of the given value. */
function encode(given: Content): CompletedContent {
  const { value, text: content_json } = writeCanonicalJson(given);
  assertSize(content_json, given.payload_ref?.bytes ?? 0);
  return { content: value as unknown as Content, content_json, content_sha256: sha256Hex(content_json) };
}

function doublePayload(): HandoffError {
  return new HandoffError('invalid_input', 'The handoff has a payload and a pointer to one.', {
    alternatives: ['Give `payload` alone; a large one is stored separately.'],
  });
}

function withIds<T extends { id?: string }, U>(
  prefix: string,
  items: readonly T[] | undefined,
  complete: (item: T) => U,
): (U & { id: string })[] {
  const taken = new Set(items?.flatMap((item) => (item.id === undefined ? [] : [item.id])));
  if (items !== undefined && taken.size !== items.filter((item) => item.id !== undefined).length) {
    throw new HandoffError('invalid_input', `Two items of one list carry the same id ("${prefix}…").`, {
      alternatives: ['Give each item its own id, or omit the ids.'],
    });
  }
  // Above the highest that was given, so that an id taken out of a draft is not given to another item.
  let next = Math.max(0, ...[...taken].map((id) => (id.startsWith(prefix) ? Number(id.slice(prefix.length)) || 0 : 0)));
  const allocate = () => {
    do next += 1;
    while (taken.has(`${prefix}${next}`));
    return `${prefix}${next}`;
  };
  return (items ?? []).map((item) => ({ ...complete(item), id: item.id ?? allocate() }));
}

function deriveSummary(
  { payload, title, body, task_id, next_steps = [], decisions = [] }: ParsedContent,
  from: string,
) {
  if (payload !== null && typeof payload === 'object' && 'summary' in payload && typeof payload.summary === 'string') {
    const text = payload.summary.trim().slice(0, limits.summary_characters_max).toWellFormed();
    if (text !== '') return text;
  }
  if (title !== undefined) return title;
  const heading = findHeading(body);
  if (heading !== undefined) return heading;
  const [item] = [...next_steps, ...decisions.map(({ content }) => content)];
  if (item !== undefined) return item;
  return task_id === undefined ? `Handoff from ${from}` : `Handoff for ${task_id} from ${from}`;
}

function deriveTitle(body: string | undefined, summary: string): string {
  return cutTitle(findHeading(body) ?? summary);
}

/** The text of the first Markdown heading. */
function findHeading(body: string | undefined): string | undefined {
  const text = body?.match(/^#{1,6}[ \t]+(\S[^\n]*)$/m)?.[1]?.trim();
  return text === undefined ? undefined : cutTitle(text);
}

/** The first line, cut at a word where it is longer than a title should be in a list. */
function cutTitle(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  if (line.length <= 80) return line;
  const head = line.slice(0, 79).toWellFormed();
  const space = head.lastIndexOf(' ');
  return `${(space > 40 ? head.slice(0, space) : head).replace(/\uFFFD$/, '').trimEnd()}…`;
}

function assertSize(content_json: string, payload_bytes: number): void {
  // A character has at most three bytes: most contents need no counting.
  if (content_json.length * 3 + payload_bytes <= limits.content_bytes_max) return;
  const bytes = utf8ToBytes(content_json).byteLength + payload_bytes;
  if (bytes > limits.content_bytes_max) {
    throw new HandoffError('too_large', `The handoff has ${bytes} bytes; the maximum is ${limits.content_bytes_max}.`, {
      details: { bytes, bytes_max: limits.content_bytes_max },
      alternatives: ['Write the large part to a file and reference it in `references`.'],
    });
  }
}
