import { hashJson } from '../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../core/complete-content.ts';
import type { Content, ContentInput } from '../core/content.ts';
import { HandoffError, ParseError } from '../core/errors.ts';
import { toInstant } from '../core/instant.ts';
import { limits } from '../core/limits.ts';
import { computeOutcome, type RecordOutcome } from '../core/outcome.ts';
import { changeFrontMatter } from '../formats/markdown/change-front-matter.ts';
import { encodeFrontMatter } from '../formats/markdown/encode-front-matter.ts';
import { parseFrontMatter } from '../formats/markdown/front-matter.ts';
import type { FrontMatter } from '../formats/markdown/front-matter-value.ts';
import { joinDocument, splitDocument } from '../formats/markdown/split-document.ts';
import { renderContent } from '../formats/prompt.ts';
import { changesInBody } from './edited-body.ts';
import { type HandoffStatus, type HandoffType, isHandoffType, writtenSchemas } from './frontmatter.ts';
import { type HandoffDocument, parseHandoffDocument } from './read-handoff-file.ts';

/**
 * Handoff files and the record, both ways without a loss. The record names a file's type, agent, phase, related task and
 * body; all other fields of its front matter are in `extra` under their own names, and the text of the front matter is in
 * `extra.front_matter` where encoding the fields again would give other bytes. For a record that a file has no fields
 * for, the field `content_json` has the whole content.
 */

/** What a handoff file holds, as the record names it. */
export interface FileContent extends CompletedContent {
  /** The time of writing that the file gives, in milliseconds since 1970. */
  created_ms: number;
}

/**
 * A handoff file's content. In a file with `content_json`, a field, section or body that was changed by hand counts.
 *
 * @throws ParseError for a changed line below the front matter that no field can hold; HandoffError `invalid_input` for what no record can hold, `too_large`.
 */
export function contentOfFile(file: HandoffDocument, source: string): FileContent {
  const created_ms = Date.parse(String(file.frontmatter.created));
  const given =
    'content_json' in file.frontmatter ? carriedContent(file, created_ms, source) : plainContent(file, created_ms);
  return { ...given, created_ms };
}

/** The kind of file that a content becomes, and the version that it had where it came from a file. */
export function fileOfContent({ kind, extra }: Content): { type: HandoffType; version?: string } {
  const { version } = extra ?? {};
  return { type: isHandoffType(kind) ? kind : 'findings', ...(typeof version === 'string' && { version }) };
}

/**
 * The text of a handoff file for a content. One that came from a file keeps that file's bytes, its version apart; of any
 * other, reading the file again gives the same content.
 *
 * @param created_at - of the handoff.
 * @throws HandoffError `too_large` where the content does not fit into front matter.
 */
export function encodeContentAsFile(content: Content, created_at: string, version: string): string {
  const body = bodyOf(content);
  const { front_matter } = content.extra ?? {};
  const heads = [
    typeof front_matter === 'string' ? withVersion(front_matter, version) : null,
    unlessRefused(() => headOf({ version, ...fieldsOf(content, created_at) })),
  ];
  const head = heads.find((each) => each !== null && isHeldBy(`${each}${body}`, content));
  if (typeof head === 'string') return `${head}${body}`;
  const content_json = fitting(JSON.stringify(content));
  return `${headOf({ version, ...ownFields(content, created_at), content_json })}${body}`;
}

/** The head of a file with another version, and every other line as it was; null where it cannot be one. */
function withVersion(head: string, version: string): string | null {
  const place = { source: 'front_matter', first_line: 2 };
  return unlessRefused(() => {
    const { opening, matter, closing } = splitDocument(head, place.source, { skipsBlankLines: true });
    if (matter === null) return null;
    const isOwn = parseFrontMatter(matter, place).version === version;
    return isOwn ? head : `${opening}${changeFrontMatter(matter, { version }, place)}${closing}`;
  });
}

/** Whether reading a text gives just this content: its version, and how its front matter was spelled, apart. */
function isHeldBy(text: string, content: Content): boolean {
  const held = unlessRefused(() => contentOfFile(parseHandoffDocument(text, 'the handoff'), 'the handoff'));
  return held !== null && meaningOf(held.content) === meaningOf(content);
}

function unlessRefused<T>(body: () => T): T | null {
  try {
    return body();
  } catch (error) {
    if (error instanceof HandoffError) return null;
    throw error;
  }
}

function meaningOf(content: Content): string {
  const { version: _version, front_matter: _text, ...extra } = content.extra ?? {};
  return hashJson({ ...content, extra });
}

function plainContent(file: HandoffDocument, created_ms: number): CompletedContent {
  const { frontmatter, body, parts } = file;
  const complete = (extra: object) => {
    const { fields, rest } = named(frontmatter);
    const left =
      String(frontmatter.created) === toInstant(created_ms) ? rest : { ...rest, created: frontmatter.created };
    return completeContent({ ...fields, body, extra: { ...left, ...extra } }, { source_agent: 'unknown' });
  };
  const completed = complete({});
  const head = joinDocument({ ...parts, body: '' });
  const written = headOf({
    version: String(frontmatter.version),
    ...fieldsOf(completed.content, toInstant(created_ms)),
  });
  return written === head ? completed : complete({ front_matter: head });
}

function carriedContent(file: HandoffDocument, created_ms: number, source: string): CompletedContent {
  const { content_json, version: _version, created: _created, ...frontmatter } = file.frontmatter;
  const carried = parseCarried(String(content_json), source);
  const expected: Record<string, unknown> = fieldsOf(carried, toInstant(created_ms));
  const changed = Object.entries(frontmatter).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(expected[field]),
  );
  const { fields, rest } = named(Object.fromEntries(changed));
  const extra = changed.length === 0 ? carried.extra : { ...carried.extra, ...rest };
  const edited = editsOf(file, carried, source);
  return completeContent({ ...withoutDerived(carried, edited), ...fields, ...edited, extra }, carried);
}

/** What was changed below the front matter: the writer's own body, or the fields that its sections show. */
function editsOf({ body, parts }: HandoffDocument, carried: Content, source: string): ContentInput {
  if (body === bodyOf(carried)) return {};
  if (carried.body !== undefined) return { body };
  const first_line = joinDocument({ ...parts, body: '' }).split('\n').length;
  return changesInBody(body, carried, { source, first_line });
}

/** A title or summary that nobody wrote follows the text that it is derived from. */
function withoutDerived(content: Content, edited: ContentInput): ContentInput {
  let given: ContentInput = content;
  if (Object.keys(edited).length === 0) return given;
  for (const name of ['title', 'summary'] as const) {
    const { [name]: value, ...rest } = given;
    if (!(name in edited) && completeContent(rest, content).content[name] === value) given = rest;
  }
  return given;
}

function parseCarried(json: string, source: string): Content {
  try {
    const value = JSON.parse(json) as ContentInput;
    return completeContent(value, { source_agent: 'unknown' }).content;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ParseError(`${source}: The field content_json holds no content: ${reason}`, {
      source,
      line: 1,
      column: 1,
      cause,
      details: { field: 'content_json' },
      alternatives: ['Remove the field: the other fields and the body are then read.'],
    });
  }
}

/** What the record names of front matter, and what is left of it. */
function named(frontmatter: Partial<FrontMatter>): { fields: ContentInput; rest: Record<string, unknown> } {
  const { type, agent, phase, related_task, created: _created, content_json: _carried, ...rest } = frontmatter;
  const fields = Object.entries({ kind: type, source_agent: agent, phase, task_id: related_task }).filter(
    ([, value]) => value !== undefined,
  );
  return { fields: Object.fromEntries(fields) as ContentInput, rest };
}

/** The fields that the format defines in addition to those of a kind. */
const reserved: ReadonlySet<string> = new Set(['version', 'front_matter', 'content_json', 'related_task']);

/** The fields of front matter for a content, in the order in which a file has them. */
function fieldsOf(content: Content, created_at: string): Record<string, unknown> {
  const own = ownFields(content, created_at);
  const others = Object.entries(content.extra ?? {}).filter(([name]) => !(name in own) && !reserved.has(name));
  return { ...own, ...Object.fromEntries(others) };
}

/** The fields that every file of the kind has: from the content, where its value is valid for the kind. */
function ownFields(content: Content, created_at: string): Record<string, unknown> {
  const { phase, source_agent, task_id, extra = {} } = content;
  const { type } = fileOfContent(content);
  const { status, created, confidence, severity, tasks_created, task_ids } = extra;
  const said = {
    status,
    created,
    phase,
    agent: source_agent,
    confidence,
    severity,
    related_task: task_id,
    tasks_created,
    task_ids,
  };
  const defaults = defaultsOf(content, created_at)[type];
  const { data: _data, error } = writtenSchemas[type].safeParse({ version: '001', type, ...said });
  const unfit = new Set(error?.issues.map(({ path }) => path[0]));
  const fields = Object.entries(defaults).map(([name, value]) => {
    const own = said[name as keyof typeof said];
    return [name, own === undefined || unfit.has(name) ? value : own];
  });
  return { type, ...Object.fromEntries(fields) };
}

/** The fields of a file that the content lacks, in the order of a file. */
function defaultsOf({ task_id, results, next_steps }: Content, created_at: string) {
  const base = { status: statuses[computeOutcome(results)], created: created_at, phase: 'none', agent: 'unknown' };
  const task_ids = task_id === undefined || /[\r\n]/.test(task_id) ? [] : [task_id];
  return {
    findings: { ...base, confidence: 'medium' },
    plan: { ...base, tasks_created: next_steps.length, task_ids },
    problem: { ...base, severity: 'warning', related_task: 'none' },
  } satisfies Record<HandoffType, object>;
}

const statuses = {
  completed: 'complete',
  partial: 'partial',
  mixed: 'partial',
  blocked: 'failed',
  failed: 'failed',
} as const satisfies Record<RecordOutcome, HandoffStatus>;

/** The text below the front matter: the writer's own, or what a receiver would read. */
function bodyOf(content: Content): string {
  return content.body ?? renderContent(content, limits.content_bytes_max).text;
}

function headOf(fields: Record<string, unknown>): string {
  return `---\n${encodeFrontMatter(fields)}---\n`;
}

function fitting(content_json: string): string {
  const characters = content_json.length;
  if (characters <= limits.front_matter_bytes_max / 2) return content_json;
  throw new HandoffError(
    'too_large',
    `The handoff has ${characters} characters, too many for the front matter of a file.`,
    {
      details: { characters, characters_max: limits.front_matter_bytes_max / 2 },
      alternatives: ['Keep it as JSON: baton show ID --json > handoff.json', 'Copy the store: baton store copy'],
    },
  );
}
