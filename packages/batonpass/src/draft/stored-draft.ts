import { z } from 'zod';
import { evidenceSchema } from '../core/evidence.ts';
import { emptyDraft, type HandoffDraftState } from './handoff-draft.ts';

/** The version of what is stored. Version 0 is source 5's own: its four fields. */
export const storageVersion = 1;

/** A storage that answers at once, as `localStorage` does. */
export interface DraftStorage {
  getItem: (name: string) => string | null;
  setItem: (name: string, value: string) => void;
  removeItem: (name: string) => void;
}

const degreeSchema = z.enum(['high', 'medium', 'low']);

const versionZeroSchema = z.object({
  decisions: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      source: z.enum(['ai-extracted', 'user-pinned', 'user-edited']),
      confidence: z.number().optional(),
      evidence: evidenceSchema.optional(),
      support: z.array(evidenceSchema).optional(),
      supersedes: z.array(z.string()).optional(),
      fromPlanning: z.literal(true).optional(),
    }),
  ),
  filesReferenced: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      relevance: degreeSchema,
      context: z.string(),
      evidence: evidenceSchema.optional(),
    }),
  ),
  risks: z.array(
    z.object({ id: z.string(), description: z.string(), severity: degreeSchema, evidence: evidenceSchema.optional() }),
  ),
  brainstormSummary: z.string(),
});

const textsSchema = z.array(z.string());

const storedDraftSchema = versionZeroSchema.extend({
  review: z.object({
    removed: z.object({ decisions: textsSchema, files: textsSchema, risks: textsSchema }),
    settled: textsSchema,
  }),
  frozenHash: z.string().nullable(),
  handedOnId: z.string().nullable(),
  handedOnHash: z.string().nullable(),
  changedAt: z.string().nullable(),
});

/** What is stored of a draft: neither what is frozen, nor what undo goes back to, nor what the page alone knows. */
export type StoredDraft = z.infer<typeof storedDraftSchema>;

/** A draft as zustand's `persist` hands it over; its own types need those of a browser. */
interface Envelope {
  state: StoredDraft;
  version?: number;
}

/** What is stored of a state. */
export function toStoredDraft(state: HandoffDraftState): StoredDraft {
  const { decisions, filesReferenced, risks, brainstormSummary, review } = state;
  const { frozenHash, handedOnId, handedOnHash, changedAt } = state;
  const { removed, settled } = review;
  return {
    decisions,
    filesReferenced,
    risks,
    brainstormSummary,
    review: {
      removed: { decisions: [...removed.decisions], files: [...removed.files], risks: [...removed.risks] },
      settled: [...settled],
    },
    frozenHash,
    handedOnId,
    handedOnHash,
    changedAt,
  };
}

/** What version 0 stored, as the present version has it. */
export function upgradeStoredDraft(stored: unknown): StoredDraft {
  const { review } = emptyDraft;
  const { decisions, filesReferenced, risks, brainstormSummary } = versionZeroSchema.parse(stored);
  const removed = { decisions: [], files: [], risks: [] };
  const nothing = { frozenHash: null, handedOnId: null, handedOnHash: null, changedAt: null };
  return {
    decisions,
    filesReferenced,
    risks,
    brainstormSummary,
    review: { ...review, removed, settled: [] },
    ...nothing,
  };
}

/** Where drafts are stored, and what is wrong there. */
export interface DraftPersistence {
  getItem: (name: string) => Envelope | null;
  setItem: (name: string, value: Envelope) => void;
  removeItem: (name: string) => void;
  /** The fault of the draft that was read last, as a sentence for a person; null where there was none. */
  readFault: () => string | null;
}

/**
 * Drafts in a storage of the browser. It never throws: what cannot be read is kept aside under `asideName`, what cannot
 * be written stays on the page, and both are reported.
 *
 * @param report - called with a sentence for a person when writing begins to fail, and with null when it works again.
 */
export function createDraftStorage(storage: DraftStorage, report: (fault: string | null) => void): DraftPersistence {
  let read: string | null = null;
  let written: string | null = null;
  const say = (fault: string | null) => {
    if (fault === written) return;
    written = fault;
    report(fault);
  };
  return {
    getItem(name) {
      const [value, fault] = readStored(storage, name);
      read = fault;
      return value;
    },
    setItem(name, value) {
      const fault = attempt(() => void storage.setItem(name, JSON.stringify(value)));
      say(
        fault === undefined
          ? null
          : describeFailure(fault, 'The draft could not be stored', 'It is kept on this page only'),
      );
    },
    removeItem(name) {
      const fault = attempt(() => void storage.removeItem(name));
      say(
        fault === undefined
          ? null
          : describeFailure(fault, 'The stored draft could not be removed', 'It is still there'),
      );
    },
    readFault: () => read,
  };
}

/** Where a stored text is kept that this version cannot read. */
function asideName(name: string): string {
  return name.replace(/^handoff-storage/, 'handoff-storage-aside');
}

function readStored(storage: DraftStorage, name: string): [Envelope | null, string | null] {
  let text: string | null = null;
  const fault = attempt(() => {
    text = storage.getItem(name);
  });
  if (fault !== undefined) {
    return [null, describeFailure(fault, 'The stored draft could not be read', 'This page begins with an empty one')];
  }
  return text === null ? [null, null] : parseStored(storage, name, text);
}

const envelopeSchema = z.object({ state: z.unknown(), version: z.int().min(0).default(0) });

function parseStored(storage: DraftStorage, name: string, text: string): [Envelope | null, string | null] {
  const envelope = envelopeSchema.safeParse(parseJson(text));
  const version = envelope.data?.version ?? 0;
  if (version > storageVersion) {
    return [null, putAside(storage, name, text, `was stored by a newer version (${version}) of this application`)];
  }
  const schema = version === 0 ? versionZeroSchema : storedDraftSchema;
  const stored = schema.safeParse(envelope.data?.state);
  if (!stored.success) return [null, putAside(storage, name, text, 'could not be read')];
  const old =
    version < storageVersion ? `The stored draft was of an older version (${version}) and was converted.` : null;
  return [{ state: stored.data as StoredDraft, version }, old];
}

function putAside(storage: DraftStorage, name: string, text: string, what: string): string {
  const aside = asideName(name);
  // A full storage has no room for both.
  const fault = attempt(() => {
    storage.removeItem(name);
    storage.setItem(aside, text);
  });
  const kept = fault === undefined ? `It is kept under "${aside}"` : 'It could not be kept aside';
  return `The stored draft ${what}. ${kept}; this page begins with an empty one.`;
}

function describeFailure(error: unknown, what: string, then: string): string {
  const name = error instanceof Error ? error.name : '';
  const why = /quota/i.test(name)
    ? 'the storage of the browser is full'
    : error instanceof Error
      ? error.message
      : String(error);
  return `${what}: ${why}. ${then}.`;
}

/** What a call throws. */
function attempt(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error ?? new Error('unknown');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: no envelope either, which the caller sees.
    return undefined;
  }
}
