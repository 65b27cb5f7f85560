import { encodeTime } from 'ulid';
import { sha256Hex } from '../../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../../core/complete-content.ts';
import { type ContentInput, contentSchema } from '../../core/content.ts';
import type { Handoff } from '../../core/handoff.ts';
import { begin } from '../../core/lifecycle-begin.ts';
import type { StoredHandoff } from '../../core/store.ts';
import { parseDocument } from '../../formats/markdown/document.ts';
import type { FrontMatter } from '../../formats/markdown/front-matter-value.ts';
import { contentOfFile } from '../../handoff-files/file-content.ts';
import { parseHandoffDocument } from '../../handoff-files/read-handoff-file.ts';
import { encodeRecord, parseRecord } from '../../handoff-store/record-text.ts';
import { toStoredHandoff } from '../../handoff-store/stored-record.ts';
import type { OperationContext } from '../context.ts';
import { initialState } from '../initial-state.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { assertOwnName, assertSavedByHook, assertWrittenBy } from '../own-name.ts';

/** What was imported, and whether it existed already. */
export interface Imported {
  handoff: Handoff;
  /** Whether it existed before, in whatever state. */
  existing: boolean;
  /** How many secrets were masked on import; absent where there were none. */
  masked?: number;
}

/**
 * Imports a handoff file into the store, with the time that it gives. Its id follows from its content, so that the same
 * file is imported once, however often it is given. A caller with a token imports only files that name that token's holder.
 *
 * @param source - the file's path. @throws ParseError, HandoffError as reading and storing do; `invalid_input` for others' files.
 */
export async function importHandoffFile(text: string, source: string, context: OperationContext): Promise<Imported> {
  const { created_ms, ...given } = contentOfFile(parseHandoffDocument(text, source), source);
  return importContent(withoutSecrets(given), created_ms, context);
}

/**
 * Imports any Markdown document with front matter into the store: `type`, `agent`, `phase` and `title` where they fit the
 * record, all other fields as `extra`, the body byte for byte. It is imported once, as a handoff file is. Its time is that
 * of its field `created` or `date`, else now.
 *
 * @param source - the file's path. @throws ParseError, HandoffError as reading and storing do; `invalid_input` for another's.
 */
export async function importDocument(text: string, source: string, context: OperationContext): Promise<Imported> {
  const { fields, body } = parseDocument(text, source);
  const input = contentOfDocument(fields ?? {}, body.toWellFormed());
  const completed = withoutSecrets(completeContent(input, { source_agent: 'unknown' }));
  const [created_ms] = [fields?.created, fields?.date]
    .map((value) => Date.parse(String(value)))
    .filter(Number.isFinite);
  return importContent(completed, created_ms, context);
}

const namesInRecord: Record<string, 'kind' | 'source_agent' | 'phase' | 'title'> = {
  type: 'kind',
  agent: 'source_agent',
  phase: 'phase',
  title: 'title',
};

function contentOfDocument(fields: FrontMatter, body: string): ContentInput {
  const named: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [field, value] of Object.entries(fields)) {
    const name = Object.hasOwn(namesInRecord, field) ? namesInRecord[field] : undefined;
    if (name !== undefined && contentSchema.shape[name].safeParse(value).success) named.push([name, value]);
    else others.push([field, value]);
  }
  return { ...Object.fromEntries(named), body, extra: Object.fromEntries(others) };
}

interface MaskedContent extends CompletedContent {
  masked?: number;
}

/** The content itself where it has no secret, so that its bytes stay as they were. */
function withoutSecrets(given: CompletedContent): MaskedContent {
  const content = maskSecretsIn(given.content);
  const masked = countMasks(content) - countMasks(given.content);
  return masked === 0 ? given : { ...completeContent(content, { source_agent: given.content.source_agent }), masked };
}

function countMasks(value: object): number {
  return JSON.stringify(value).split('[masked:').length - 1;
}

async function importContent(
  { masked, ...completed }: MaskedContent,
  created_ms: number | undefined,
  context: OperationContext,
): Promise<Imported> {
  const { source_agent } = completed.content;
  // A file that names nobody makes no claim; the folder's own user may import what a hook saved elsewhere.
  if (source_agent !== 'unknown') assertOwnName(source_agent, 'agent', context);
  if (context.confined !== undefined) {
    assertSavedByHook(completed.content, context);
    assertWrittenBy(completed.content, context);
  }
  const { project } = context;
  const id = deriveId(created_ms ?? 0, `${project}\n${completed.content_sha256}`);
  const actor = { name: source_agent, type: 'agent' as const };
  const state = initialState(context);
  const now_ms = created_ms ?? context.now();
  const { handoff, event } = begin({ ...completed, project, state }, { id, actor, now_ms });
  const stored = { handoff, events: [{ ...event, seq: 1 }], ...withPayload(completed.payload_json) };
  return { ...(await importStored(stored, context)), ...(masked !== undefined && { masked }) };
}

/**
 * Imports a record of source 2 into the store, under its id, open or acknowledged as it is, whatever the project reviews.
 *
 * @param source - the file's path. @throws ParseError, HandoffError as reading and storing do.
 */
export async function importHandoffRecord(text: string, source: string, context: OperationContext): Promise<Imported> {
  const given = parseRecord(text, source);
  const record = maskSecretsIn(given);
  const masked = countMasks(record) - countMasks(given);
  assertOwnName(record.source_agent, 'source_agent', context);
  assertOwnName(record.acknowledged_by, 'acknowledged_by', context);
  const kept = masked === 0 ? text : encodeRecord(record);
  const imported = await importStored(toStoredHandoff(record, kept, context.project), context);
  return { ...imported, ...(masked > 0 && { masked }) };
}

async function importStored(stored: StoredHandoff, context: OperationContext): Promise<Imported> {
  const store = await context.openStore();
  const { id } = stored.handoff;
  const earlier = await store.get(id);
  if (earlier !== null) return { handoff: earlier, existing: true };
  await store.import([stored]);
  const handoff = await store.get(id);
  if (handoff === null) throw new Error(`The store accepted handoff ${id}, but does not have it.`);
  return { handoff, existing: false };
}

function withPayload(payload_json: string | undefined): { payload_json?: string } {
  return payload_json === undefined ? {} : { payload_json };
}

/** The alphabet of ULIDs. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const lettersOfChance = 16;

/**
 * A ULID derived from a time and a text alone, so that the same input always has the same id.
 *
 * @param ms - milliseconds since 1970; an earlier time counts as 0.
 */
function deriveId(ms: number, text: string): string {
  const bytes = sha256Hex(text).match(/../g) ?? [];
  const chance = bytes
    .slice(0, lettersOfChance)
    .map((byte) => letters.charAt(Number.parseInt(byte, 16) % letters.length));
  return `${encodeTime(Math.max(1, Math.trunc(ms)))}${chance.join('')}`;
}
