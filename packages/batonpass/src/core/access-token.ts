import { z } from 'zod';
import { limits } from './limits.ts';

/**
 * What a token's owner may do over HTTP: `agent` what agents do, `reviewer` also what is a person's to decide, `admin`
 * also what reads the files of the machine.
 */
export const roles = ['agent', 'reviewer', 'admin'] as const;

export type Role = (typeof roles)[number];

const name = z.string().trim().min(1).max(limits.name_characters_max);

/** What is public of a token: everything but the secret. */
export const tokenFactsShape = {
  id: z.string(),
  /** The identity that its owner acts under. */
  name,
  /** The one project that it is good for. */
  project: name,
  role: z.enum(roles),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  expires_at: z.iso.datetime(),
  /** Noted at most once a minute; absent where it was never used. */
  last_used_at: z.iso.datetime().optional(),
};

const tokenRecordSchema = z.strictObject({ ...tokenFactsShape, secret_sha256: z.string().length(64) });

/** A token as it is kept: the secret only as its hash. */
export type TokenRecord = z.output<typeof tokenRecordSchema>;

/** The tokens by which callers are let in over HTTP: kept with the handoffs, so that every server of a store knows them. */
export interface StoreTokens {
  add(record: TokenRecord): Promise<void>;
  /** Those that have expired too, oldest first. */
  list(): Promise<TokenRecord[]>;
  find(id: string): Promise<TokenRecord | null>;
  /** Notes that it was used; nothing where it is gone. */
  noteUse(id: string, now_ms: number): Promise<void>;
  /** @returns what it was, or null where there is none. */
  remove(id: string): Promise<TokenRecord | null>;
}

/** A token from a store's row; null where the row is damaged: it opens nothing. */
export function decodeToken({
  record,
  last_used_at,
}: {
  record?: unknown;
  last_used_at?: unknown;
}): TokenRecord | null {
  try {
    const used = typeof last_used_at === 'number' ? { last_used_at: new Date(last_used_at).toISOString() } : {};
    return tokenRecordSchema.parse({ ...JSON.parse(String(record)), ...used });
  } catch {
    // `token list` leaves it out, and its owner is refused.
    return null;
  }
}
