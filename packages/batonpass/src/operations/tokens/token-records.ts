import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { createOnce } from '../../disk/create-once.ts';
import { removeFile } from '../../disk/write-whole.ts';
import type { OperationContext } from '../context.ts';
import { databasePath } from '../doctor/diagnose-place.ts';
import { storeFile } from '../store/store-file.ts';

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
  /** As whom its owner acts. */
  name,
  /** The one project that it is good for. */
  project: name,
  role: z.enum(roles),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  expires_at: z.iso.datetime(),
};

const tokenRecordSchema = z.strictObject({ ...tokenFactsShape, secret_sha256: z.string().length(64) });

/** A token as it is kept: the secret only as its hash. */
export type TokenRecord = z.output<typeof tokenRecordSchema>;

const token_form = /^baton_([0-9a-f]{24})_([\w-]{43})$/;

/**
 * The folder of a store's tokens, beside it: one file each, so that none is ever rewritten.
 *
 * @throws HandoffError `invalid_input` for a store that is no file.
 */
export function tokensFolder(context: OperationContext): string {
  return `${storeFile(context, 'keep tokens beside')}.tokens`;
}

/** The same, or undefined for a store that is no file: nobody can have made a token for it. */
export function tokensFolderOf(context: Pick<OperationContext, 'store_url'>): string | undefined {
  const path = databasePath(context);
  return path === undefined ? undefined : `${resolve(path)}.tokens`;
}

/**
 * Makes a token and keeps its hash, in a file for its owner alone.
 *
 * @returns the record, and the text that nobody can show again.
 */
export function addToken(
  folder: string,
  facts: Omit<TokenRecord, 'id' | 'secret_sha256'>,
): { record: TokenRecord; token: string } {
  const id = randomBytes(12).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const record = { id, ...facts, secret_sha256: hash(secret).toString('hex') };
  createOnce(join(folder, `${id}.json`), `${JSON.stringify(record, null, 2)}\n`, 0o600);
  return { record, token: `baton_${id}_${secret}` };
}

/** All tokens of a folder, those that have expired too; what is no token's file is passed over. */
export function listTokens(folder: string): TokenRecord[] {
  if (!existsSync(folder)) return [];
  const ids = readdirSync(folder).flatMap((file) => /^([0-9a-f]{24})\.json$/.exec(file)?.[1] ?? []);
  return ids.flatMap((id) => readToken(folder, id) ?? []).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Ends a token for good. @returns what it was, or null where there is none of this id. */
export function removeToken(folder: string, id: string): TokenRecord | null {
  const record = readToken(folder, id);
  if (record !== null) removeFile(join(folder, `${id}.json`));
  return record;
}

/**
 * Finds what a token's text stands for, at the moment it is shown: one that was revoked or has expired is null, as is
 * one that never was. Compared in equal time.
 */
export function checkToken(folder: string, token: string, now_ms: number): TokenRecord | null {
  const [, id = '', secret = ''] = token_form.exec(token) ?? [];
  const record = id === '' ? null : readToken(folder, id);
  if (record === null || !timingSafeEqual(hash(secret), Buffer.from(record.secret_sha256, 'hex'))) return null;
  return isExpired(record, now_ms) ? null : record;
}

/** Whether a token's time is over. */
export function isExpired({ expires_at }: Pick<TokenRecord, 'expires_at'>, now_ms: number): boolean {
  return Date.parse(expires_at) <= now_ms;
}

function readToken(folder: string, id: string): TokenRecord | null {
  if (!/^[0-9a-f]{24}$/.test(id)) return null;
  try {
    const parsed = tokenRecordSchema.safeParse(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')));
    // A file that is not whole is no token: it opens nothing.
    return parsed.success && parsed.data.id === id ? parsed.data : null;
  } catch {
    // Absent, or cut by a crash: as said above.
    return null;
  }
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
