import { z } from 'zod';
import { actorSchema } from './actor.ts';
import type { Json } from './canonical-json.ts';
import { stateSchema } from './state.ts';

const instant = z.iso.datetime();

const leaseSchema = z.strictObject({
  holder: z.string(),
  holder_type: actorSchema.shape.type,
  /** The secret that every further step needs; given to the claimer alone, never listed. */
  token: z.string().optional(),
  /** Rises with each claim of this handoff; what the holder writes elsewhere can be fenced by it. */
  fence: z.int(),
  /** Absent while waiting for an answer: the lease does not run. */
  expires_at: instant.optional(),
});

const approvalSchema = z.strictObject({
  by: z.string(),
  at: instant,
  content_sha256: z.string(),
  /** SHA-256 of exactly the bytes that the reviewer saw and the receiver gets. */
  rendered_sha256: z.string(),
  /** Tokens that those bytes were rendered within. */
  budget: z.int(),
});

const waitingOnSchema = z.strictObject({
  question: z.string(),
  asked_by: z.string(),
  asked_at: instant,
  answer: z.string().optional(),
  answered_by: z.string().optional(),
  answered_at: instant.optional(),
});

const offerShape = {
  /** The host that the hook ran in, as `claude-code`. */
  host: z.string(),
  session: z.string(),
  /** The session's own transcript on this machine, in which the proof will be. */
  transcript: z.string().optional(),
  /** How many bytes the transcript had before. */
  from_byte: z.int().min(0).optional(),
  /** SHA-256 of the rendered content that was given to the host. */
  rendered_sha256: z.string(),
};

/** What a hook gives to a session while it claims: whether it arrived is not known yet. */
export const offerSchema = z.strictObject(offerShape);

export type Offer = z.infer<typeof offerSchema>;

/** How a handoff travels; only the life cycle moves it. */
export const deliverySchema = z.strictObject({
  state: stateSchema,
  /** The ETag: rises by one with each change. */
  version: z.int(),
  /** Counts the edits of a draft, from 1. */
  content_revision: z.int(),
  /** Not claimable before this instant (a back-off after a failure). */
  available_at: instant,
  /** It began as a draft: without an approval it never becomes open, by no path back. */
  begun_as_draft: z.literal(true).optional(),
  /** When it expires unless claimed: from the content, cleared when it is reopened later than that. */
  expires_at: instant.optional(),
  attempts: z.int(),
  max_attempts: z.int(),
  /** The fence of the last claim; it only rises. */
  fence: z.int(),
  lease: leaseSchema.optional(),
  approval: approvalSchema.optional(),
  acknowledged_by: z.string().optional(),
  acknowledged_at: instant.optional(),
  /**
   * The last hook that put it into a session, awaiting proof. It outlives the lease: a session that was idle for an
   * hour has the handoff in its context all the same.
   */
  offered: z.strictObject({ ...offerShape, by: z.string(), fence: z.int() }).optional(),
  /** Proof that a receiver's context holds it: the SHA-256 of the bytes found in the session's own transcript. */
  injected: z.strictObject({ host: z.string(), session: z.string(), at: instant, proof: z.string() }).optional(),
  failure: z.strictObject({ reason: z.string(), by: z.string(), at: instant }).optional(),
  /** The last question of a receiver, with its answer once there is one. */
  waiting_on: waitingOnSchema.optional(),
  /** 0 while open, else 1: what source 3 calls consumed. */
  consumed: z.union([z.literal(0), z.literal(1)]),
});

export type Delivery = z.infer<typeof deliverySchema>;

/** One step of a handoff's history: written in the step's own transaction, never rewritten. */
export const handoffEventSchema = z.strictObject({
  /** Place in the store's one order of events. */
  seq: z.int(),
  handoff_id: z.string(),
  /** Noun first: `handoff-claimed`. */
  name: z.string(),
  at: instant,
  actor: actorSchema,
  from: stateSchema.optional(),
  to: stateSchema,
  /** Why, in the actor's words. */
  reason: z.string().optional(),
  /** Facts of the step: fence, attempt, content hash. Never a token. */
  details: z.record(z.string(), z.json()).optional(),
});

export type HandoffEvent = z.infer<typeof handoffEventSchema>;
/** Facts of an event, as JSON. */
export type EventDetails = Record<string, Json>;
