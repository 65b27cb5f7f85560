import type { ContentInput } from '../core/content.ts';
import type { Evidence } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { addCarried, keyOfText } from '../extraction/carried-list.ts';
import { shorten } from '../extraction/plain-text.ts';

/** A small budget shows so much of each new fact, and so many of them. */
const briefCharactersMax = 110;
const newBriefsMax = 5;

/** Leaves room for ids and for the measurements of files. */
const bytesMax = 0.75 * limits.content_bytes_max;

/**
 * What rules make of a session whose agent has written about it already: the agent's text stays, and what was said
 * since is added after it. Rules find less than the agent, and after a compaction the agent itself knows less, so the
 * earlier text is never replaced. Without a new message nothing changes, so that nothing is saved again.
 *
 * @param messages - how many the conversation has now, and how many the agent had when it wrote.
 */
export function keepWritten(
  fresh: ContentInput,
  written: ContentInput,
  { messages, since }: { messages: number; since: number },
): ContentInput {
  const { supersedes_id: _supersedes, expires_at: _expires, ...kept } = written;
  if (messages <= since) return kept;
  const all = add(fresh, kept, since);
  // A content that is too large cannot be stored at all: then only the session's present state is added.
  return fits(all) ? all : { ...kept, where_it_stands: all.where_it_stands, briefs: all.briefs };
}

/** Whether a content can be stored with its ids and the measurements of its files. */
export function fits(content: ContentInput): boolean {
  return new TextEncoder().encode(JSON.stringify(content)).byteLength <= bytesMax;
}

function add(fresh: ContentInput, kept: ContentInput, since: number): ContentInput {
  const behind = { items_max: limits.entries_max };
  const isNew = (item: string | { evidence?: Evidence | undefined }) =>
    typeof item === 'string' ||
    item.evidence?.message === undefined ||
    item.evidence.transcript !== undefined ||
    item.evidence.message >= since;
  const facts = kept.where_it_stands ?? [];
  const isAsked = kept.origin?.asked !== undefined;
  // The writer's own words stay; the rules' words about the former end are replaced by those about the present end.
  const own = facts.filter(
    (fact) => !isAsked || typeof fact === 'string' || fact.kind === 'summary' || fact.kind === 'contradicted',
  );
  const now = (fresh.where_it_stands ?? []).filter((fact) => typeof fact === 'string' || fact.kind !== 'goal');
  const known = new Set(facts.map((fact) => keyOfText(textOf(fact))));
  const news = now
    .map(textOf)
    .filter((content) => !known.has(keyOfText(content)))
    .slice(0, newBriefsMax)
    .map((content) => ({ of: content, brief: shorten(content, briefCharactersMax) }));
  return {
    ...kept,
    parent_id: fresh.parent_id ?? kept.parent_id,
    where_it_stands: addCarried(now, own, behind),
    instructions: addCarried(kept.instructions, (fresh.instructions ?? []).filter(isNew), behind),
    decisions: addCarried(kept.decisions, (fresh.decisions ?? []).filter(isNew), behind),
    files: addCarried(kept.files, (fresh.files ?? []).filter(isNew), behind),
    risks: addCarried(kept.risks, (fresh.risks ?? []).filter(isNew), behind),
    environment: addCarried(kept.environment, (fresh.environment ?? []).filter(isNew), behind),
    tried: addCarried(kept.tried, fresh.tried ?? [], behind),
    next_steps: addCarried(kept.next_steps, fresh.next_steps ?? [], behind),
    open_questions: addCarried(kept.open_questions, fresh.open_questions ?? [], behind),
    results: addCarried(kept.results, fresh.results ?? [], behind),
    briefs: [...news, ...(kept.briefs ?? [])].slice(0, limits.entries_max),
    words: fresh.words ?? kept.words,
  };
}

function textOf(fact: NonNullable<ContentInput['where_it_stands']>[number]): string {
  return typeof fact === 'string' ? fact : fact.content;
}
