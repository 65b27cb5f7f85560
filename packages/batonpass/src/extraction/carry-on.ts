import type { Content, ContentInput, Decision } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { isImplied } from '../core/implied.ts';
import { limits } from '../core/limits.ts';
import { addCarried, keyOfText } from './carried-list.ts';
import type { PartlyEvidenced } from './partly-evidenced.ts';

/** Of each list of a received content this many items are carried on: a chain of sessions must not grow without end. */
const carriedMax = 40;

/** So many where that many would make the content too large to be kept. */
const carriedFewMax = 5;

/** Leaves room for what is added when a content is kept: ids, and what is measured of its files. */
const carriedBytesMax = 0.75 * limits.content_bytes_max;

/** Fewer words than this are a greeting, or a question whose answer was in the code. */
const wordsMin = 12;

/** Whether a session did or said anything that is worth handing on by itself. */
export function hasSubstance(extraction: PartlyEvidenced, { messages }: Conversation): boolean {
  const { decisions, risks, tried, next_steps, open_questions, results } = extraction;
  if ([decisions, risks, tried, next_steps, open_questions, results].some((list) => list.length > 0)) return true;
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  return said.join(' ').split(/\s+/).length >= wordsMin;
}

/**
 * What a session hands on that had itself received something: its own first, then what it was given and nobody revoked,
 * the newest first, so that what a bound or a budget cuts is the oldest. A session without anything of its own hands on
 * just what it was given, so that opening and closing one loses nothing.
 *
 * Evidence keeps pointing at the conversation that it was said in, and is dropped where that one is unknown.
 * Next steps are the session's own where it names any: those it was given have been done, dropped or said again. The state
 * of the work and the words are the session's own alone; standing instructions and the environment are kept.
 *
 * @param own - absent where the session has no substance.
 * @param received - what it was given, the oldest first.
 * @param revoked - given decisions that the session reversed, in their words: `Extraction.revoked`.
 * @returns undefined where there is nothing of its own and nothing was given.
 */
export function carryOn(
  own: ContentInput | undefined,
  received: readonly Content[],
  revoked: readonly string[] = [],
): ContentInput | undefined {
  const newestFirst = received.toReversed();
  if (own !== undefined) return addGiven(own, newestFirst, revoked);
  const [newest, ...older] = newestFirst;
  return newest && addGiven(withoutIdentity(newest), older, revoked);
}

/** A content that a new handoff can carry: without its times and links, which belong to the former handoff. */
function withoutIdentity(content: Content): ContentInput {
  const { supersedes_id: _supersedes, expires_at: _expires, parent_id: _parent, ...words } = fromElsewhere(content);
  return words;
}

/** What a newer content replaced is dropped only from older ones: an older one cannot reverse what came after it. */
function addGiven(own: ContentInput, newestFirst: readonly Content[], revoked: readonly string[]): ContentInput {
  const fallen = new Set([...revoked, ...(own.decisions ?? []).flatMap(replacedBy)].map(keyOfText));
  let all = own;
  for (const content of newestFirst) {
    const decisions = content.decisions.filter((decision) => !fallen.has(keyOfText(decision.content)));
    all = addWithinBounds(all, fromElsewhere({ ...content, decisions }));
    for (const words of content.decisions.flatMap(replacedBy)) fallen.add(keyOfText(words));
  }
  return all;
}

/** A content that is too large cannot be kept at all: rather than that, little or nothing of what was given is added. */
function addWithinBounds(own: ContentInput, given: Content): ContentInput {
  for (const items_max of [carriedMax, carriedFewMax]) {
    const all = add(own, given, items_max);
    if (new TextEncoder().encode(JSON.stringify(all)).byteLength <= carriedBytesMax) return all;
  }
  return own;
}

function add(own: ContentInput, given: Content, items_max: number): ContentInput {
  const steps = own.next_steps ?? [];
  return {
    ...own,
    decisions: addCarried(own.decisions, given.decisions, { items_max, rankOf: (item) => Number(isImplied(item)) }),
    files: addCarried(own.files, given.files, { items_max, rankOf: ({ relevance }) => degree(relevance) }),
    risks: addCarried(own.risks, given.risks, { items_max, rankOf: ({ severity }) => degree(severity) }),
    tried: addCarried(own.tried, given.tried, { items_max }),
    next_steps: steps.length > 0 ? steps : given.next_steps.slice(0, items_max),
    open_questions: addCarried(own.open_questions, given.open_questions, { items_max }),
    ...(given.instructions && { instructions: addCarried(own.instructions, given.instructions, { items_max }) }),
    ...(given.environment && { environment: addCarried(own.environment, given.environment, { items_max }) }),
  };
}

function degree(word: 'high' | 'medium' | 'low'): number {
  return ['high', 'medium', 'low'].indexOf(word);
}

/** Every quote names the conversation that it is from; without a name it would seem to be from the carrying one. */
function fromElsewhere(content: Content): Content {
  const session = content.origin?.session;
  return {
    ...content,
    decisions: content.decisions.map((decision) => asStated(withTranscript(decision, session), decision)),
    files: content.files.map((file) => withTranscript(file, session)),
    risks: content.risks.map((risk) => withTranscript(risk, session)),
    ...(content.instructions && { instructions: content.instructions.map((order) => withTranscript(order, session)) }),
    ...(content.environment && { environment: content.environment.map((fact) => withTranscript(fact, session)) }),
  };
}

function withTranscript<T extends Pick<Decision, 'evidence' | 'support'>>(item: T, session: string | undefined): T {
  const { evidence, support, ...rest } = item;
  if (evidence === undefined || evidence.transcript !== undefined) return item;
  if (session === undefined) return rest as T;
  const named = support?.map((place) => ({ transcript: session, ...place }));
  return {
    ...item,
    evidence: { ...evidence, transcript: session },
    ...(named === undefined ? {} : { support: named }),
  };
}

/** What was said in so many words is not taken for implied because its quote cannot be found any more. */
function asStated(carried: Decision, original: Decision): Decision {
  if (!isImplied(carried) || isImplied(original)) return carried;
  const { confidence: _confidence, ...stated } = carried;
  return stated;
}

function replacedBy(decision: NonNullable<ContentInput['decisions']>[number]): readonly string[] {
  return typeof decision === 'string' || !('supersedes' in decision) ? [] : (decision.supersedes ?? []);
}
