import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Conversation } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { maskSecrets } from '../core/masking.ts';
import { ClaudeCodeReader, type ClaudeCodeReading } from './claude-code.ts';
import { type KnownSubagent, readSubagents } from './claude-code-subagents.ts';
import { listNames } from './mask-row.ts';
import { storedSession } from './opencode-store.ts';
import { readTranscript } from './read-transcript.ts';
import { assertTranscriptFile, detectFormat, nothingReadable } from './transcript-format.ts';
import { readLines, type TranscriptLine } from './transcript-lines.ts';
import { unreadable } from './transcript-source.ts';

/** Rises with each change of what a row holds, how it is masked, or which rows are read. */
const progressVersion = 14;

/**
 * How far a transcript was read, and what was read: plain JSON, to be kept between two readings. Every text in it is
 * masked. Of the file it has the identity and two samples, not all bytes.
 */
export interface TranscriptProgress extends ClaudeCodeReading {
  version: typeof progressVersion;
  /** Bytes up to the end of the last whole line that was read. */
  offset: number;
  /** Whole lines read. */
  lines: number;
  /** Characters of the rows as JSON, to know the size without writing them. */
  row_characters: number;
  /** What the session's helpers did, by their files. */
  subagents: Record<string, KnownSubagent>;
  file: FileFingerprint;
}

/** The identity by which a file is recognized. */
interface FileFingerprint {
  /** Device and inode: a file that was replaced has another. */
  identity: string;
  /** SHA-256 of the first and of the last bytes that were read: a file that was rewritten has others. */
  samples_sha256: string;
}

/** Bytes of each sample: rows carry times and ids, so that a few of them distinguish any two transcripts. */
const sampleBytes = 2_048;

/**
 * Reads what was added to a transcript since an earlier reading, and gives the conversation as a whole: equal
 * to what `readTranscript` gives for the same bytes. Of the part read before, only two samples of 2 KiB are read again.
 *
 * The transcript is read from its start where there is no earlier progress, where it is of another version of Baton, or
 * where the file was replaced, shortened or rewritten. A change in the middle that keeps every length, and the file,
 * is not noticed. A last line without its line feed is part of this conversation, and read again the next time.
 *
 * `progress` is absent, and the next reading whole, for every format but Claude Code's; above
 * `limits.transcript_progress_characters_max`; where no row was whole; and where a name that masking does not reach (a branch, a folder, an id) holds a secret, so that none is
 * written to disk.
 *
 * @throws HandoffError `file_not_found`, `unavailable`, `invalid_input` for a folder or a binary file.
 * @throws ParseError where nothing in it is a conversation.
 */
export async function continueTranscript(
  path: string,
  earlier: TranscriptProgress | undefined,
): Promise<{ conversation: Conversation; progress: TranscriptProgress | undefined }> {
  await assertTranscriptFile(path);
  if (storedSession(path) !== undefined) return { conversation: await readTranscript({ path }), progress: undefined };
  const handle = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(path, cause);
  });
  try {
    const file = await openFile(handle);
    const isKnown = earlier !== undefined && (await isContinued(file, earlier));
    const format = isKnown ? 'claude-code' : await detectFormat(readChunks(file, 0), path);
    if (format !== 'claude-code') return { conversation: await readTranscript({ path }), progress: undefined };
    return await readOn(file, path, isKnown ? earlier : undefined);
  } finally {
    await handle.close();
  }
}

/** An open file at one moment: bytes added while it is read are left for the next time. */
interface OpenFile {
  handle: FileHandle;
  identity: string;
  size: number;
}

async function openFile(handle: FileHandle): Promise<OpenFile> {
  const { dev, ino, size } = await handle.stat({ bigint: true });
  return { handle, identity: `${dev}:${ino}`, size: Number(size) };
}

async function isContinued(file: OpenFile, earlier: TranscriptProgress): Promise<boolean> {
  const { version, offset, file: known } = earlier;
  if (version !== progressVersion || known.identity !== file.identity || offset > file.size) return false;
  return known.samples_sha256 === (await hashSamples(file, offset));
}

async function readOn(
  file: OpenFile,
  path: string,
  earlier: TranscriptProgress | undefined,
): Promise<{ conversation: Conversation; progress: TranscriptProgress | undefined }> {
  const subagents = await readSubagents(path, earlier?.subagents);
  const reader = new ClaudeCodeReader({ earlier, subagents: Object.values(subagents).map(({ work }) => work) });
  const start = earlier?.offset ?? 0;
  let offset = start;
  let lines = earlier?.lines ?? 0;
  let torn: TranscriptLine | undefined;
  for await (const line of readLines(readChunks(file, start))) {
    if (line.ended) {
      reader.addLine(line);
      offset = start + line.end;
      lines += 1;
    } else {
      torn = line;
    }
  }
  const reading = await reader.reading();
  if (torn !== undefined) reader.addLine(torn);
  const conversation = await reader.finish();
  if (conversation.messages.length === 0) {
    throw nothingReadable(path, lines + (torn === undefined ? 0 : 1), conversation.unread);
  }
  const row_characters = countCharacters(reading, earlier);
  if (row_characters === undefined || !maySubagentsBeKept(subagents, row_characters)) {
    return { conversation, progress: undefined };
  }
  const samples_sha256 = await hashSamples(file, offset);
  const known = { identity: file.identity, samples_sha256 };
  return {
    conversation,
    progress: { version: progressVersion, offset, lines, row_characters, subagents, file: known, ...reading },
  };
}

/** The characters of all rows; nothing where they must not be kept. */
function countCharacters(
  { rows, unread }: ClaudeCodeReading,
  earlier: TranscriptProgress | undefined,
): number | undefined {
  const added = rows.slice(earlier?.rows.length ?? 0);
  const names = [...Object.keys(unread.reasons), ...added.flatMap(listNames)].join('\n');
  if (rows.length === 0 || maskSecrets(names).text !== names) return undefined;
  const characters = added.reduce((sum, row) => sum + JSON.stringify(row).length, earlier?.row_characters ?? 0);
  return characters > limits.transcript_progress_characters_max ? undefined : characters;
}

function maySubagentsBeKept(subagents: Readonly<Record<string, KnownSubagent>>, row_characters: number): boolean {
  const text = JSON.stringify(subagents);
  const names = Object.values(subagents).flatMap(({ work }) => [
    ...[work.agent, work.kind, work.tool_use_id],
    ...work.calls.map(({ call }) => call.name),
  ]);
  const spelt = names.filter((name) => name !== undefined).join('\n');
  if (maskSecrets(spelt).text !== spelt) return false;
  return row_characters + text.length <= limits.transcript_progress_characters_max;
}

/** SHA-256 of the first and of the last bytes before an offset. */
async function hashSamples(file: OpenFile, offset: number): Promise<string> {
  const hash = createHash('sha256');
  const length = Math.min(sampleBytes, offset);
  for (const position of [0, offset - length]) {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.handle.read(buffer, 0, length, position);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest('hex');
}

const chunkBytes = 256 * 1024;

async function* readChunks({ handle, size }: OpenFile, start: number): AsyncGenerator<Uint8Array> {
  for (let position = start; position < size; ) {
    // A new buffer each time: the lines of the last one may still be held.
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
