import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { limits } from '../core/limits.ts';
import { nextVersionNumber } from '../core/version-number.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { placeFile } from '../disk/place-file.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { changeFrontMatter } from '../formats/markdown/change-front-matter.ts';
import { placeOfMatter } from '../formats/markdown/document.ts';
import { encodeDocument } from '../formats/markdown/document-bytes.ts';
import { encodeFrontMatter } from '../formats/markdown/encode-front-matter.ts';
import { parseFrontMatter } from '../formats/markdown/front-matter.ts';
import type { FrontMatter } from '../formats/markdown/front-matter-value.ts';
import { joinDocument } from '../formats/markdown/split-document.ts';
import { assertHandoffType, formatFileName } from './file-name.ts';
import { type BaseFrontmatter, type HandoffType, writtenSchemas } from './frontmatter.ts';
import { sweepLeftovers, unfinishedName } from './leftovers.ts';
import { parseHandoffDocument, readDocumentText } from './read-handoff-file.ts';
import { listVersions } from './versions.ts';

/**
 * Writes `{dir}/{type}-{version}.md` durably: once this returns, the whole file survives a power cut. Writing is
 * strict. The folder is created if it is missing. A crash leaves no part of a file under its name, and at most one
 * next to it that is named `.handoff.….new`, which a later write into the folder removes.
 *
 * @param body - kept byte for byte below the front matter.
 * @returns the absolute path.
 * @throws HandoffError `invalid_input` that names the field and its fault; `conflict` where there is a file
 * of that version, which stays as it is; `too_large`; `unavailable` where the disk is full, read-only or fails.
 */
export async function writeHandoffFile<T extends BaseFrontmatter>(
  dir: string,
  frontmatter: T,
  body: string,
): Promise<string> {
  const { type, version } = assertFrontmatter(frontmatter);
  const path = join(resolve(dir), formatFileName(type, version));
  const text = encodeHandoffFile(frontmatter, body, path);
  return placeVersion(path, version, text);
}

/** Writes a text to a path durably. @throws HandoffError `conflict` where there is a file of that version, which stays. */
export function placeVersion(path: string, version: string, text: string): string {
  if (!placeNew(path, text)) throw taken(path, version);
  return path;
}

/**
 * Writes a handoff file under the next whole version of its kind, allocated in the same step: however many threads and
 * processes write at once, each gets a version of its own, without a gap.
 *
 * @param frontmatter - everything but `version`.
 * @returns the absolute path; its name holds the version.
 * @throws as `writeHandoffFile`, `conflict` apart.
 */
export async function nextHandoffFile<T extends Omit<BaseFrontmatter, 'version'>>(
  dir: string,
  frontmatter: T,
  body: string,
): Promise<string> {
  const type = assertHandoffType((frontmatter as { type?: unknown } | null)?.type);
  return placeNext(dir, type, (version) => {
    const whole = { version, ...withoutVersion(frontmatter) };
    assertFrontmatter(whole);
    return encodeHandoffFile(whole, body, `${type}-${version}.md`);
  });
}

/**
 * Gives a text the next version of its kind in a folder. A writer that loses the name to another takes the next one:
 * each loss means that another writer succeeded.
 *
 * @param textOf - the whole file for a version.
 */
export function placeNext(dir: string, type: HandoffType, textOf: (version: string) => string): string {
  const folder = resolve(dir);
  const lost: string[] = [];
  for (;;) {
    // A name that was taken counts even where no scan finds it, as Findings-001.md where case makes no difference.
    const version = nextVersionNumber([...listVersions(folder, type), ...lost.slice(-1)]);
    const path = join(folder, formatFileName(type, version));
    if (placeNew(path, textOf(version))) return path;
    lost.push(version);
  }
}

/** @returns false where there is a file of that name, which stays. */
function placeNew(path: string, text: string): boolean {
  const folder = dirname(path);
  const unfinished = join(folder, unfinishedName());
  makeFolder(folder);
  try {
    sweepLeftovers(folder);
    writeFileSync(unfinished, encodeDocument(text), { flag: 'wx' });
    placeFile(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw explainDiskError(error, path, 'written');
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** The folders that are made last through a power cut too. */
function makeFolder(folder: string): void {
  try {
    const first = mkdirSync(folder, { recursive: true });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
  } catch (error) {
    throw explainDiskError(error, folder, 'written');
  }
}

function assertFrontmatter(frontmatter: unknown): { type: HandoffType; version: string } {
  const type = assertHandoffType((frontmatter as { type?: unknown } | null)?.type);
  return parseInput(writtenSchemas[type], frontmatter, `front matter of ${type}`);
}

function withoutVersion(frontmatter: unknown): object {
  const { version: _version, ...rest } = frontmatter as { version?: unknown };
  return rest;
}

/** The text of a file; the encoded text is read again, so that nothing is written that could not be read. */
function encodeHandoffFile(frontmatter: unknown, body: string, source: string): string {
  assertBody(body);
  const matter = encodeFrontMatter(frontmatter as Record<string, unknown>);
  parseFrontMatter(matter, { source, first_line: 2 });
  const text = `---\n${matter}---\n${body}`;
  if (Buffer.byteLength(text) > limits.document_bytes_max) throw tooLarge(source);
  return text;
}

/** The body itself. @throws HandoffError `invalid_input` for what is no text of whole characters. */
function assertBody(body: unknown): string {
  if (typeof body !== 'string') throw unfit('is not a string');
  if (!body.isWellFormed()) throw unfit('contains a lone surrogate');
  return body;
}

function unfit(reason: string): HandoffError {
  return new HandoffError('invalid_input', `The body ${reason}.`, {
    details: { field: 'body', reason },
    alternatives: ['Give the body as a string; it may be empty.'],
  });
}

function tooLarge(source: string): HandoffError {
  return new HandoffError('too_large', `${source} would have more than ${limits.document_bytes_max} bytes.`, {
    details: { bytes_max: limits.document_bytes_max },
    alternatives: ['Move the large part to its own file and refer to that.'],
  });
}

function taken(path: string, version: string): HandoffError {
  return new HandoffError('conflict', `Version ${version} exists already: ${path}.`, {
    details: { path, version },
    alternatives: ['Use the next version: nextHandoffFile, or baton file next.', `Read it: baton file read ${path}`],
  });
}

/** What becomes of a handoff file in its next version. */
interface Revision {
  /** The fields that change; the version is given by the folder. */
  changes: FrontMatter;
  /** Default: the body as it is. */
  body?: string;
  /** Default: the folder of the file. */
  dir?: string;
}

/**
 * Writes the next version of a handoff file. Only the lines of the fields that change differ from it, and of those that
 * reading had to repair: comments, order, unknown fields and the body stay, byte for byte. The file itself stays too.
 *
 * @returns the absolute path of the new file.
 * @throws as `parseHandoffFile` and `nextHandoffFile`; HandoffError `invalid_structure` where a field cannot be changed
 * alone.
 */
export function reviseHandoffFile(path: string, { changes, body, dir = dirname(path) }: Revision): string {
  const { frontmatter, parts } = parseHandoffDocument(readDocumentText(path), path);
  const fields = { ...frontmatter, ...changes };
  const type = assertHandoffType(fields.type);
  const place = placeOfMatter(parts, basename(path));
  return placeNext(dir, type, (version) => {
    const wanted = { ...fields, version };
    parseInput(writtenSchemas[type], wanted, `front matter of ${type}`);
    const matter = changeFrontMatter(parts.matter, wanted, place);
    return joinDocument({ ...parts, matter, body: body === undefined ? parts.body : assertBody(body) });
  });
}
