import { encodeCanonicalJson } from '../core/canonical-json.ts';
import type { Content, Decision, FileReference, Source } from '../core/content.ts';
import type { Evidence } from '../core/evidence.ts';
import { isImplied } from '../core/implied.ts';
import { splitLines, withoutMarks } from './neutralize.ts';

/** One line of a section: what may be shortened, and what must follow it. */
export interface PromptItem {
  /** `- ` for an item of a list, `> ` for a line of running text. */
  mark: '- ' | '> ';
  readonly text: string;
  /** Whether the text is only the beginning of one that no budget like this can hold. */
  partial: boolean;
  /** Provenance and the like: never shortened away from its text. */
  suffix: string;
  /** The message that a sentence comes from, as its line shows it; sentences of one message share a line. */
  group?: string;
  /** The sentence's place among those that the content keeps, and whether it went on in the line of the one before. */
  place?: number;
  isSameLine?: boolean;
  /** Its importance among all sentences, 0 for the most important. */
  rank?: number;
  /** A short form, and the place in the order of importance; absent where not given. */
  readonly brief?: string;
  readonly order?: number;
}

/** An item before it is neutralized. */
export interface RawLine extends Pick<PromptItem, 'mark' | 'suffix' | 'group' | 'place' | 'isSameLine' | 'rank'> {
  raw: string;
  /** The item's own words, by which its brief is found. */
  of?: string;
  /** Whose words it quotes; absent where it quotes nobody's, and a label of ours is before its text. */
  by?: NonNullable<Content['words']>[number]['by'];
}

/** A standing instruction, and how often it was said. */
export function instructionLine(
  { content, times, source, evidence }: NonNullable<Content['instructions']>[number],
  session: string | undefined,
): RawLine {
  const repeated = times === undefined ? '' : ` (said ${times} times)`;
  return { ...listed(content, `${repeated}${sourceOf(evidence, session, manners[source])}`), of: content };
}

/** A decision with what it replaced, and how it was made. */
export function decisionLine(decision: Decision, session: string | undefined): RawLine {
  const { content, source, evidence, supersedes = [] } = decision;
  const replaced = supersedes.length === 0 ? '' : ` (instead of: ${supersedes.join('; ')})`;
  const manner = isImplied(decision) ? 'implied' : manners[source];
  return { ...listed(`${content}${replaced}`, sourceOf(evidence, session, manner)), of: content };
}

const manners: Record<Source, string> = {
  'user-pinned': 'pinned',
  'user-edited': 'edited',
  'ai-extracted': '',
  mechanical: '',
  'agent-written': '',
};

/** A file with its lines, and whether it was committed. */
export function fileLine(
  { path, relevance, context, evidence, git }: FileReference,
  session: string | undefined,
): RawLine {
  const lines = git?.lines === undefined ? '' : `, lines ${git.lines}`;
  const dirty = git?.dirty === true ? ', not committed then' : '';
  const about = context.trim() === '' ? '' : `: ${context}`;
  return { ...listed(`${path} (${relevance}${lines}${dirty})${about}`, sourceOf(evidence, session)), of: path };
}

/** A result with what was made. */
export function resultLine({ description, status, artifacts = [], notes }: Content['results'][number]): RawLine {
  const made = artifacts.length === 0 ? '' : ` Artifacts: ${artifacts.join(', ')}.`;
  const noted = notes === undefined ? '' : ` Notes: ${notes}`;
  return { ...listed(`[${status}] ${description}${made}${noted}`), of: description };
}

/** A reference with its places. */
export function referenceLine({ type, identifier, title, path, url }: Content['references'][number]): RawLine {
  const places = [path, url].filter((place) => place !== undefined);
  const named = title === undefined ? '' : `: ${title}`;
  return listed(`${type} ${identifier}${named}${places.length === 0 ? '' : ` (${places.join(', ')})`}`);
}

/** What is kept elsewhere. */
export function snapshotLines(snapshot: Content['context_snapshot']): RawLine[] {
  if (snapshot === undefined) return [];
  const ids = (label: string, list: readonly string[]) =>
    list.length === 0 ? [] : [listed(`${label}: ${list.join(', ')}`)];
  return [
    ...snapshot.summaries.map((summary) => listed(summary)),
    ...ids('Decisions', snapshot.decision_ids),
    ...ids('Warnings', snapshot.warning_ids),
    ...ids('Findings', snapshot.finding_ids),
  ];
}

/** Parts are joined first and neutralized as one: what is harmless in parts may be a tag. A mark at the end is ours alone. */
export function listed(raw: string, suffix = ''): RawLine {
  return { mark: '- ', raw: withoutMarks(raw).replace(/\[(?!masked:)([^[\]]{0,200})\]\s*$/, '($1)'), suffix };
}

/** The lines of a running text. */
export function quoted(text: string): RawLine[] {
  return splitLines(text)
    .filter((line) => line.trim() !== '')
    .map((raw) => ({ mark: '> ', raw, suffix: '' }));
}

/** A value as JSON. */
export function json(value: unknown): RawLine[] {
  return value === undefined ? [] : [{ mark: '> ', raw: encodeCanonicalJson(value), suffix: '' }];
}

/** Where an item comes from, as far as the content records it; a place in another conversation than its own does not count. */
export function sourceOf(evidence: Evidence | undefined, session: string | undefined, manner = ''): string {
  const parts = [manner, placeOf(evidence, session)].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`;
}

function placeOf(evidence: Evidence | undefined, session: string | undefined): string {
  if (evidence === undefined) return '';
  const isElsewhere = evidence.transcript !== undefined && evidence.transcript !== session;
  return isElsewhere ? 'earlier session' : String(evidence.message);
}

/** A payload that is kept apart never comes into a context by itself. */
export function pointerLine({ bytes, sha256 }: NonNullable<Content['payload_ref']>): RawLine {
  return listed(`${bytes} bytes of JSON, kept apart (SHA-256 ${sha256}): baton show ID --payload`);
}

/** A text reduced to letters and digits, to compare two of the same meaning. */
export function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
