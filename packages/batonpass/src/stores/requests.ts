import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeCanonicalJson, type Json } from '../core/canonical-json.ts';
import { type Offer, offerSchema } from '../core/delivery.ts';
import { HandoffError } from '../core/errors.ts';
import { filterSchema } from '../core/filter.ts';
import { parseInput } from '../core/input.ts';
import { limits } from '../core/limits.ts';
import type {
  Call,
  ClaimRequest,
  CountRequest,
  CreateOptions,
  EventsRequest,
  HeldHandoff,
  ListRequest,
  NewHandoff,
} from '../core/store.ts';
import type { Step } from '../core/transitions.ts';

/**
 * What every store refuses before it touches anything. Doors check their input too; a store is also called by programs,
 * and a bound that only a door knows is no bound.
 */

/** @throws HandoffError `invalid_input`. */
export function assertCall({ actor, project, operation, idempotency_key }: Call): void {
  assertText('actor', actor.name, limits.name_characters_max);
  assertText('project', project, limits.name_characters_max);
  assertText('operation', operation, limits.name_characters_max);
  assertText('idempotency key', idempotency_key, limits.idempotency_key_characters_max);
}

/** @throws HandoffError `invalid_input`, `too_large` beyond `limits.batch_max`. */
export function assertCreate(handoffs: readonly NewHandoff[], { acknowledges }: CreateOptions): void {
  assertHeldName(acknowledges);
  if (handoffs.length > limits.batch_max) {
    throw new HandoffError('too_large', `${handoffs.length} handoffs are too many for one create.`, {
      details: { count: handoffs.length, batch_max: limits.batch_max },
      alternatives: [`Create at most ${limits.batch_max} at once.`],
    });
  }
  for (const { project, max_attempts, state, approval } of handoffs) {
    assertText('project', project, limits.name_characters_max);
    if (approval !== undefined) assertApproval(approval, state);
    if (max_attempts !== undefined) assertWhole('max_attempts', max_attempts, 1, Number.MAX_SAFE_INTEGER);
  }
}

/** @throws HandoffError `invalid_input`. */
export function assertClaim(request: ClaimRequest): void {
  const {
    project,
    id,
    task_id,
    kind,
    scope,
    lease_ms,
    max,
    offer,
    exclude_ids = [],
    acknowledges,
    without_lease,
  } = request;
  assertText('project', project, limits.name_characters_max);
  for (const [name, text] of Object.entries({ id, task_id, kind, scope })) {
    assertText(name, text, limits.name_characters_max);
  }
  assertWhole('exclude_ids', exclude_ids.length, 0, limits.list_max);
  for (const excluded of exclude_ids) assertText('exclude_ids', excluded, limits.name_characters_max);
  if (offer !== undefined) assertOffer(offer, id);
  assertHeldName(acknowledges);
  if (offer !== undefined && without_lease === true) {
    throw new HandoffError(
      'invalid_input',
      'A claim cannot both offer a handoff to a session and take it without a lease.',
      {
        alternatives: ['Leave out `without_lease`: the proof in the transcript acknowledges it.'],
      },
    );
  }
  assertLease(lease_ms);
  assertWhole('max', max, 1, limits.batch_max);
}

function assertHeldName(held: HeldHandoff | undefined): void {
  assertText('acknowledges.id', held?.id, limits.name_characters_max);
  assertText('acknowledges.token', held?.token, limits.name_characters_max);
}

/** What was rendered is one handoff's: an offer without a name could meet another. */
function assertOffer(offer: Offer, id: string | undefined): void {
  const { host, session, transcript, rendered_sha256 } = parseInput(offerSchema, offer, 'offer');
  for (const [name, text] of Object.entries({ host, session, rendered_sha256 })) {
    assertText(name, text, limits.name_characters_max);
  }
  assertText('transcript', transcript, limits.entry_characters_max);
  if (id !== undefined) return;
  throw new HandoffError('invalid_input', 'A claim that offers a handoff to a session names no handoff.', {
    alternatives: ['Name the handoff that was rendered, by its id.'],
  });
}

/** @throws HandoffError `invalid_input`, `too_large` beyond `limits.report_data_bytes_max`. */
export function assertStep(step: Step): void {
  if ('lease_ms' in step) assertLease(step.lease_ms);
  // A content was checked and bounded when it was completed.
  if (step.type === 'edit') return;
  if ('data' in step && step.data !== undefined) assertReportData(step.data);
  const members: Readonly<Record<string, unknown>> = step;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value === 'string' && name !== 'data') assertText(name, value, limits.entry_characters_max);
  }
}

function assertApproval({ rendered_sha256, budget }: NonNullable<NewHandoff['approval']>, state: string): void {
  assertText('approval.rendered_sha256', rendered_sha256, limits.name_characters_max);
  assertWhole('approval.budget', budget, 1, Number.MAX_SAFE_INTEGER);
  if (state === 'draft') return;
  throw new HandoffError('invalid_input', 'Only a draft is approved; this handoff would be open without it.', {
    alternatives: ['Create it as a draft, with the approval that opens it.', 'Leave the approval out.'],
  });
}

function assertReportData(data: Json): void {
  const bytes = utf8ToBytes(encodeCanonicalJson(data)).byteLength;
  if (bytes <= limits.report_data_bytes_max) return;
  throw new HandoffError(
    'too_large',
    `The data of the report has ${bytes} bytes; ${limits.report_data_bytes_max} are the most.`,
    {
      details: { bytes, bytes_max: limits.report_data_bytes_max },
      alternatives: ['Write the large part to a file and name the file in the report.'],
    },
  );
}

/** @throws HandoffError `invalid_input`. */
export function assertList({ filter, limit, skip, look_max }: ListRequest): void {
  parseInput(filterSchema, filter, 'filter');
  assertWhole('limit', limit, 0, limits.list_max);
  if (skip !== undefined) assertWhole('skip', skip, 0, limits.list_skip_max);
  if (look_max !== undefined) assertWhole('look_max', look_max, 1, limits.search_look_max);
}

/** @throws HandoffError `invalid_input`. */
export function assertCount({ filter, look_max }: CountRequest): void {
  parseInput(filterSchema, filter, 'filter');
  assertWhole('look_max', look_max, 1, limits.count_look_max);
}

/** @throws HandoffError `invalid_input`. */
export function assertEvents({ after_seq, limit }: Omit<EventsRequest, 'limit'> & { limit?: number }): void {
  if (after_seq !== undefined) assertWhole('after_seq', after_seq, 0, Number.MAX_SAFE_INTEGER);
  if (limit !== undefined) assertWhole('limit', limit, 0, limits.events_max);
}

function assertLease(lease_ms: number): void {
  assertWhole('lease_ms', lease_ms, limits.lease_ms_min, limits.lease_ms_max);
}

function assertWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new HandoffError('invalid_input', `The value of ${name} is not allowed: ${value}.`, {
    details: { name, value, min, max },
    alternatives: [`Give a whole number from ${min} to ${max}.`],
  });
}

/** A lone surrogate would come back as another character from a store that keeps UTF-8. */
function assertText(name: string, text: string | undefined, characters_max: number): void {
  if (text === undefined) return;
  if (text !== '' && text.length <= characters_max && text.isWellFormed()) return;
  throw new HandoffError('invalid_input', `The value of ${name} is empty, too long or not well-formed text.`, {
    details: { name, characters: text.length, characters_max },
    alternatives: [`Give 1 to ${characters_max} characters of well-formed Unicode.`],
  });
}
