import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StoreTokens, TokenRecord } from '../../core/access-token.ts';

const token_form = /^baton_([0-9a-f]{24})_([\w-]{43})$/;

/** How often the last use of a token is stored at most: each request would wait for a write. */
const USE_NOTED_MS = 60_000;

/** Makes a token and keeps its hash. @returns the record, and the text that nobody can show again. */
export async function addToken(
  tokens: StoreTokens,
  facts: Omit<TokenRecord, 'id' | 'secret_sha256' | 'last_used_at'>,
): Promise<{ record: TokenRecord; token: string }> {
  const id = randomBytes(12).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const record = { id, ...facts, secret_sha256: hash(secret).toString('hex') };
  await tokens.add(record);
  return { record, token: `baton_${id}_${secret}` };
}

/**
 * Finds the record of a token's text, when it is shown: one that was revoked or has expired is null, as is
 * an unknown one. Compared in constant time. Its use is stored now and then.
 */
export async function checkToken(tokens: StoreTokens, token: string, now_ms: number): Promise<TokenRecord | null> {
  const [, id = '', secret = ''] = token_form.exec(token) ?? [];
  const record = id === '' ? null : await tokens.find(id);
  if (record === null || !timingSafeEqual(hash(secret), Buffer.from(record.secret_sha256, 'hex'))) return null;
  if (isExpired(record, now_ms)) return null;
  const used_ms = Date.parse(record.last_used_at ?? '1970-01-01T00:00:00Z');
  if (Math.abs(now_ms - used_ms) >= USE_NOTED_MS) await tokens.noteUse(id, now_ms);
  return record;
}

/** Whether a token's time is over. */
export function isExpired({ expires_at }: Pick<TokenRecord, 'expires_at'>, now_ms: number): boolean {
  return Date.parse(expires_at) <= now_ms;
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
