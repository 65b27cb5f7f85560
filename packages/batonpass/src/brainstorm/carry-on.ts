import type { Content, ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import type { Extraction } from './extraction.ts';

/** Of each list this many items are carried on: a chain of sessions must not grow without end. */
const carriedMax = 40;

/** Fewer words than this are a greeting, or a question whose answer stood in the code. */
const wordsMin = 12;

/** Whether a session did or said anything that is worth handing on by itself. */
export function hasSubstance(extraction: Extraction, { messages }: Conversation): boolean {
  const { decisions, risks, tried, next_steps, open_questions, results } = extraction;
  if ([decisions, risks, tried, next_steps, open_questions, results].some((list) => list.length > 0)) return true;
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  return said.join(' ').split(/\s+/).length >= wordsMin;
}

/**
 * What a session hands on that had itself received something: its own, and what it was given and nobody revoked. A
 * session without anything of its own hands on just what it was given, so that opening and closing one loses nothing.
 *
 * @param own - absent where the session has no substance.
 * Evidence keeps pointing at the conversation that it was said in. Next steps are its own where it names any: those it
 * was given have been done, dropped or said again.
 */
export function carryOn(own: ContentInput | undefined, received: Content): ContentInput {
  if (own === undefined) return withoutIdentity(received);
  const revoked = new Set((own.decisions ?? []).flatMap((decision) => revokedBy(decision)).map(plain));
  const given = fromElsewhere(received);
  return {
    ...own,
    decisions: join(
      given.decisions.filter(({ content }) => !revoked.has(plain(content))),
      own.decisions,
    ),
    files: join(given.files, own.files),
    risks: join(given.risks, own.risks),
    tried: join(given.tried, own.tried),
    next_steps: (own.next_steps ?? []).length > 0 ? own.next_steps : given.next_steps,
    open_questions: join(given.open_questions, own.open_questions),
  };
}

/** A content as it can be given anew: its times and its ties are those of the handoff that it was. */
function withoutIdentity(content: Content): ContentInput {
  const { supersedes_id: _supersedes, expires_at: _expires, parent_id: _parent, ...words } = fromElsewhere(content);
  return words;
}

/** Every quote names the conversation that it stands in, and every list has its newest items alone. */
function fromElsewhere(content: Content): Content {
  const transcript = content.origin?.session;
  const mark = <T extends { evidence?: { transcript?: string } }>(items: readonly T[]): T[] =>
    items.slice(-carriedMax).map((item) => {
      if (item.evidence === undefined || item.evidence.transcript !== undefined) return item;
      return { ...item, evidence: { ...item.evidence, transcript } };
    });
  return {
    ...content,
    decisions: mark(content.decisions),
    files: mark(content.files),
    risks: mark(content.risks),
    tried: content.tried.slice(-carriedMax),
    open_questions: content.open_questions.slice(-carriedMax),
  };
}

/** What was given, then what is new; of two that say the same, the new one. Ids are given anew. */
function join<Given extends object | string, Own>(given: readonly Given[], own: readonly Own[] = []): (Given | Own)[] {
  const said = new Set(own.map((item) => plain(wordsOf(item))));
  const kept = given.filter((item) => !said.has(plain(wordsOf(item))));
  return [...kept, ...own].map((item) => withoutId(item));
}

function withoutId<T>(item: T): T {
  if (item === null || typeof item !== 'object' || !('id' in item)) return item;
  const { id: _id, ...rest } = item;
  return rest as T;
}

function wordsOf(item: unknown): string {
  if (typeof item === 'string') return item;
  const { content, path, description, what } = item as Record<string, string | undefined>;
  return content ?? path ?? description ?? what ?? '';
}

function revokedBy(decision: NonNullable<ContentInput['decisions']>[number]): readonly string[] {
  return typeof decision === 'string' || !('supersedes' in decision) ? [] : (decision.supersedes ?? []);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}/.]+/gu, ' ')
    .trim();
}
