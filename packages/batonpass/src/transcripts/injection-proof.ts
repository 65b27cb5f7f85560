import { open, stat } from 'node:fs/promises';
import { sha256Hex } from '../core/canonical-json.ts';
import { transcribedHosts } from '../core/hosts.ts';
import { limits } from '../core/limits.ts';
import { planClosing, planOpening } from '../formats/plan-frame.ts';
import { readInstant } from './claude-code-rows.ts';
import { hostTranscripts, type InjectedContent } from './host-transcripts.ts';
import { asObject, asObjects, asText, type JsonObject, parseLine } from './json-value.ts';
import { storedSession } from './opencode-store.ts';
import { readLines } from './transcript-lines.ts';
import { openChunks } from './transcript-source.ts';

/** The proof that a rendered handoff is in a session's context, as the host itself recorded it. */
export interface InjectionProof {
  session?: string;
  /** ISO 8601, as the host wrote it into the row. */
  at?: string;
  /** The kind of row that holds it: `hook_additional_context`, `hooks.additional_context`. */
  row_kind: string;
  rendered_sha256: string;
}

/** What must be in the context. */
export interface ExpectedInjection {
  handoff_id: string;
  /** SHA-256 of the rendered text, its frame's first and last line included: `<handoff>`, or that of a plan prompt. */
  rendered_sha256: string;
  /**
   * Set for a text that was passed on as a part of the prompt: then the user's messages since that time count instead of
   * hooks' rows. Milliseconds since 1970.
   */
  prompted_since_ms?: number;
}

/** A longer text is written to a file, and the model sees its beginning: in some versions only the model's view shows that. */
const contextCharactersMax = 10_000;

/** How the host marks a text that it wrote to a file instead. */
const stub = /^<persisted-output>|^Output too large \(/m;

/**
 * Looks in a host's transcript for the record that a handoff entered the session's context: a row of a
 * hook whose content holds the rendered bytes, and outside of them the handoff's id and their hash. What a hook printed, a message of any
 * kind, a stub, a text that was cut, and rows of a subagent are no proof.
 *
 * Memory holds one row of at most `limits.injection_row_bytes_max`; longer rows are passed over.
 *
 * @param from_byte - where to begin; within a line, the next line is the first.
 * @returns `null` where there is no proof, also where the transcript is absent or cannot be read: hosts write it late,
 * so that it is asked for again.
 */
export async function findInjectionProof(
  { path, from_byte }: { path: string; from_byte: number },
  expected: ExpectedInjection,
): Promise<InjectionProof | null> {
  try {
    if (storedSession(path) !== undefined) {
      return await findInLines(toStream(openChunks({ path })), { ...expected, isWithinLine: false });
    }
    // A named pipe would wait for its writer without end.
    const file = await stat(path);
    if (!file.isFile()) return null;
    const handle = await open(path, 'r');
    try {
      // From the byte before, so that a line which begins at the byte itself is not taken for the rest of another.
      // A transcript that is shorter now was rewritten: then the proof may be anywhere in it.
      const from = file.size < from_byte ? 0 : from_byte;
      const start = Math.max(0, from - 1);
      const stream = handle.createReadStream({ start, autoClose: false, highWaterMark: chunkBytes });
      return await findInLines(stream, { ...expected, isWithinLine: from > 0 });
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Absent, replaced by a folder, or not ours to read: no proof now. What is no error of the disk is a defect.
    if (error instanceof Error && 'syscall' in error) return null;
    throw error;
  }
}

async function* toStream(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const chunkBytes = 256 * 1024;

async function findInLines(
  chunks: AsyncIterable<Uint8Array>,
  { isWithinLine, ...expected }: ExpectedInjection & { isWithinLine: boolean },
): Promise<InjectionProof | null> {
  for await (const { number, text } of readLines(chunks, limits.injection_row_bytes_max)) {
    if (text === undefined || (isWithinLine && number === 1)) continue;
    // Most rows need no parsing: the id is plain letters and digits, which JSON does not escape.
    if (!text.includes(expected.handoff_id) || !text.includes(expected.rendered_sha256)) continue;
    const proof = readProof(asObject(parseLine(text)), expected);
    if (proof !== null) return proof;
  }
  return null;
}

function readProof(row: JsonObject | undefined, expected: ExpectedInjection): InjectionProof | null {
  const isPrompted = expected.prompted_since_ms !== undefined;
  const found = row && (isPrompted ? readPrompt(row, expected) : readInjected(row));
  if (row === undefined || found === undefined || !holdsInjection(found.content, expected)) return null;
  const proof: InjectionProof = { row_kind: found.row_kind, rendered_sha256: expected.rendered_sha256 };
  const session = asText(row.sessionId);
  const at = readInstant(row.timestamp);
  if (session !== undefined) proof.session = session;
  if (at !== undefined) proof.at = at;
  return proof;
}

/** What a host recorded of its hooks, for a row of any host. */
function readInjected(row: JsonObject): InjectedContent | undefined {
  for (const host of transcribedHosts) {
    const found = hostTranscripts[host].readInjected(row);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The person's words in a row, no result of a tool among them. */
function readPrompt(row: JsonObject, { prompted_since_ms = 0 }: ExpectedInjection): InjectedContent | undefined {
  if (row.isSidechain === true || Date.parse(readInstant(row.timestamp) ?? '') < prompted_since_ms) return undefined;
  const message = transcribedHosts
    .map((host) => hostTranscripts[host].messageOf(row))
    .find((each) => each?.role === 'user');
  if (message === undefined) return undefined;
  const { content } = message;
  const said = asObjects(content).filter(({ type }) => type === 'text' || type === 'input_text');
  return { row_kind: 'prompt', content: typeof content === 'string' ? content : said.map(({ text }) => text) };
}

/** Whether one of the texts is what was to be injected. The host measures each text of a hook for itself. */
function holdsInjection(content: unknown, expected: ExpectedInjection): boolean {
  const texts = (Array.isArray(content) ? content : [content]).filter((text) => typeof text === 'string');
  const most = expected.prompted_since_ms === undefined ? contextCharactersMax : Number.POSITIVE_INFINITY;
  return texts.some((text) => text.length <= most && isInjection(text, expected));
}

function isInjection(text: string, { handoff_id, rendered_sha256 }: ExpectedInjection): boolean {
  const rendered = [...listRendered(text), ...listPlanPrompts(text)].find(
    ({ hashed }) => sha256Hex(hashed) === rendered_sha256,
  );
  if (rendered === undefined) return false;
  const around = text.slice(0, rendered.from) + text.slice(rendered.from + rendered.block.length);
  return around.includes(handoff_id) && around.includes(rendered_sha256) && !stub.test(around);
}

const openLine = '<handoff>\n';
const closeLine = '\n</handoff>\n';

/** A rendered handoff in a text: where it begins, its text, and the text that its hash covers. */
interface Rendered {
  from: number;
  block: string;
  hashed: string;
}

/** The rendered handoffs in a text. None holds a frame's line within, so that each begins at the last one before its end. */
function listRendered(text: string): Rendered[] {
  const found: Rendered[] = [];
  let end = 0;
  for (let close = text.indexOf(closeLine); close !== -1; close = text.indexOf(closeLine, end)) {
    const after = close + closeLine.length;
    const from = text.slice(end, close).lastIndexOf(openLine) + end;
    const isLine = from === 0 || text[from - 1] === '\n';
    const block = text.slice(from, after);
    if (from >= end && isLine) found.push({ from, block, hashed: block });
    end = after;
  }
  return found;
}

/** The plan prompt in a text; the line break that it begins with is lost where a host trims what a hook gave. */
function listPlanPrompts(text: string): Rendered[] {
  const from = text.lastIndexOf(planOpening);
  const close = text.indexOf(`\n${planClosing}\n`, from);
  if (from === -1 || close === -1) return [];
  const block = text.slice(from, close + planClosing.length + 2);
  return [{ from, block, hashed: `\n${block}` }];
}
