import { deriveId } from '../../core/derived-id.ts';
import type { Handoff } from '../../core/handoff.ts';
import { begin } from '../../core/lifecycle-begin.ts';
import type { StoredHandoff } from '../../core/store.ts';
import { contentOfFile } from '../../handoff-files/file-content.ts';
import { parseHandoffDocument } from '../../handoff-files/read-handoff-file.ts';
import { parseRecord } from '../../handoff-store/record-text.ts';
import { toStoredHandoff } from '../../handoff-store/stored-record.ts';
import type { OperationContext } from '../context.ts';
import { initialState } from '../initial-state.ts';
import { assertOwnName, assertSavedByHook } from '../own-name.ts';

/** What came in, and whether it was there already. */
export interface Imported {
  handoff: Handoff;
  /** Whether it was there before, in whatever state. */
  existing: boolean;
}

/**
 * Takes a handoff file into the store, as of the time that it tells. Its id follows from its content, so that the same
 * file comes in once, however often it is given. A caller with a token imports only what names that token's holder.
 *
 * @param source - the file's path. @throws ParseError, HandoffError as reading and storing do; `invalid_input` for a file of another's.
 */
export async function importHandoffFile(text: string, source: string, context: OperationContext): Promise<Imported> {
  const { created_ms, ...completed } = contentOfFile(parseHandoffDocument(text, source), source);
  const { source_agent } = completed.content;
  // A file that names nobody claims nothing; the folder's own user takes in what a hook saved elsewhere.
  if (source_agent !== 'unknown') assertOwnName(source_agent, 'agent', context);
  if (context.confined !== undefined) assertSavedByHook(completed.content, context);
  const { project } = context;
  const id = deriveId(created_ms, `${project}\n${completed.content_sha256}`);
  const actor = { name: source_agent, type: 'agent' as const };
  const state = initialState(context);
  const { handoff, event } = begin({ ...completed, project, state }, { id, actor, now_ms: created_ms });
  return importStored({ handoff, events: [{ ...event, seq: 1 }], ...withPayload(completed.payload_json) }, context);
}

/**
 * Takes a record of source 2 into the store, under its id, open or acknowledged as it is, whatever the project reviews.
 *
 * @param source - the file's path. @throws ParseError, HandoffError as reading and storing do.
 */
export async function importHandoffRecord(text: string, source: string, context: OperationContext): Promise<Imported> {
  const record = parseRecord(text, source);
  assertOwnName(record.source_agent, 'source_agent', context);
  assertOwnName(record.acknowledged_by, 'acknowledged_by', context);
  return importStored(toStoredHandoff(record, text, context.project), context);
}

async function importStored(stored: StoredHandoff, context: OperationContext): Promise<Imported> {
  const store = await context.openStore();
  const { id } = stored.handoff;
  const earlier = await store.get(id);
  if (earlier !== null) return { handoff: earlier, existing: true };
  await store.import([stored]);
  const handoff = await store.get(id);
  if (handoff === null) throw new Error(`The store took handoff ${id} and has it not.`);
  return { handoff, existing: false };
}

function withPayload(payload_json: string | undefined): { payload_json?: string } {
  return payload_json === undefined ? {} : { payload_json };
}
